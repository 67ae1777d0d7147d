/** What the page asks the server: always about what is shown now, and the newest question wins. */

import { asked, growing } from "./asking";
import { blastQuery } from "./blast";
import { Newest, type Run } from "./newest";
import { problemOf } from "./refusal";
import type { State } from "./state";
import type { Store } from "./store";
import type { Alone, Around, Course, Ghost, Going, Manoeuvre, Pair, Sheet, Verdict } from "./types.gen";
import { ghostsOfDrill, manoeuvreOf } from "./drill";
import { ghostsOf, goingOf } from "./way";

export class Questions {
  readonly #pair = new Newest<Pair>(this.#told((pair, signal, isOld) => this.#askPair(pair, signal, isOld)));
  readonly #alone = new Newest<Alone>(this.#told((alone, signal, isOld) => this.#askAlone(alone, signal, isOld)));
  readonly #going = new Newest<Going>(this.#told((going, signal) => this.#askGoing(going, signal)));
  readonly #drill = new Newest<Manoeuvre>(this.#told((manoeuvre, signal) => this.#askDrill(manoeuvre, signal)));
  readonly #blast = new Newest<Record<string, unknown>>(this.#told((query, signal) => this.#askBlast(query, signal)));
  #shown = "";

  /** `arrived`: there is a new answer about a manoeuvre; `readable`: a pair's sheet can be read. */
  constructor(
    private readonly store: Store<State>,
    private readonly arrived: () => void,
    private readonly readable: () => void,
  ) {}

  /** Ask all that the page shows now, as soon as what was asked before is answered; at once when that is of no use. */
  ask({ atOnce = false } = {}): void {
    const { tool, a, b } = this.store.state;
    if (tool === "blast") return this.#askAboutTemplate();
    if (tool === "move" && this.store.state.drill && this.#askAboutDrill()) return;
    if (tool === "move" && !this.store.state.drill) this.#askAboutWay();
    if (tool === "table" || a === null) return this.#stop();
    this.#askAboutPicked(a, b, atOnce);
  }

  #askAboutPicked(a: string, b: string | null, atOnce: boolean): void {
    if (b === null) this.#ask(this.#alone, this.#aloneQuestion(a), this.#pair, atOnce);
    else this.#ask(this.#pair, this.#pairQuestion(a, b), this.#alone, atOnce);
  }

  #stop(): void {
    this.#pair.stop();
    this.#alone.stop();
  }

  #ask<Q, Other>(newest: Newest<Q>, question: Q, other: Newest<Other>, atOnce: boolean): void {
    other.stop();
    if (atOnce) newest.askAtOnce(question);
    else newest.ask(question);
  }

  #pairQuestion(a: string, b: string): Pair {
    const { reach_in, speed_in, range_in, told_deg: facings_deg } = this.store.state;
    return { a, b, reach_in, speed_in, range_in, facings_deg, ghosts: this.#ghosts() };
  }

  #aloneQuestion(who: string): Alone {
    const { reach_in, speed_in, told_deg: facings_deg } = this.store.state;
    return { who, reach_in, speed_in, facings_deg, ghosts: this.#ghosts() };
  }

  #ghosts(): Record<string, Ghost> {
    return this.store.state.drill ? ghostsOfDrill(this.store.state) : ghostsOf(this.store.state);
  }

  #askAboutWay(): void {
    const going = goingOf(this.store.state);
    if (going) this.#going.ask(going);
    else {
      this.#going.stop();
      this.store.set({ course: null });
    }
  }

  /** Whether there is a manoeuvre to ask about; what holds after it is asked when its end is known. */
  #askAboutDrill(): boolean {
    const manoeuvre = manoeuvreOf(this.store.state);
    if (manoeuvre) this.#drill.ask(manoeuvre);
    else {
      this.#drill.stop();
      this.store.set({ course: null });
    }
    return manoeuvre !== null;
  }

  #askAboutTemplate(): void {
    this.#stop();
    const query = blastQuery(this.store.state);
    if (query) this.#blast.ask(query);
    else {
      this.#blast.stop();
      this.store.set({ blastVerdict: null });
    }
  }

  /** The same run, but what goes wrong is told on the page. */
  #told<Q>(run: Run<Q>): Run<Q> {
    return async (question, signal, isOld) => {
      try {
        await run(question, signal, isOld);
      } catch (wrong) {
        if (!signal.aborted) this.store.set({ askProblem: problemOf(wrong) });
      }
    };
  }

  async #askPair(pair: Pair, signal: AbortSignal, isOld: () => boolean): Promise<void> {
    for await (const sheet of growing<Sheet>("api/v1/ask-pair", pair, signal)) {
      if (signal.aborted) return;
      this.#showSheet(sheet, pair);
      if (isOld()) return;
    }
  }

  /** A whole sheet about the same gives way to a whole one only: answers do not flicker while the table changes. */
  #showSheet(sheet: Sheet, { a, b, ghosts }: Pair): void {
    const about = JSON.stringify([a, b, ghosts]);
    const isSame = this.store.state.sheet !== null && this.#shown === about;
    if (isSame && this.store.state.sheet?.is_whole && !sheet.is_whole) return;
    this.#shown = about;
    this.store.set({ sheet, askProblem: null });
    if (sheet.is_readable) this.readable();
  }

  async #askAlone(alone: Alone, signal: AbortSignal, isOld: () => boolean): Promise<void> {
    const was = this.store.state.around;
    const keeps = was?.who === alone.who && was.is_whole && Object.keys(alone.ghosts ?? {}).length === 0;
    for await (const around of growing<Around>("api/v1/ask-one", alone, signal)) {
      if (signal.aborted) return;
      if (!keeps || around.is_whole) this.store.set({ around, askProblem: null });
      if (isOld()) return;
    }
  }

  async #askGoing(going: Going, signal: AbortSignal): Promise<void> {
    const course = await asked<Course>("api/v1/ask-move", going, { signal });
    if (!signal.aborted) this.store.set({ course, askProblem: null });
  }

  /** Where everybody ends is known with the answer, and what holds from there is asked then. */
  async #askDrill(manoeuvre: Manoeuvre, signal: AbortSignal): Promise<void> {
    const course = await asked<Course>("api/v1/ask-manoeuvre", manoeuvre, { signal });
    if (signal.aborted) return;
    this.store.set({ course, askProblem: null });
    this.arrived();
    const { a, b } = this.store.state;
    if (a !== null) this.#askAboutPicked(a, b, true);
  }

  async #askBlast(query: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const blastVerdict = await asked<Verdict>("api/v1/ask", query, { signal });
    if (!signal.aborted) this.store.set({ blastVerdict, askProblem: null });
  }
}
