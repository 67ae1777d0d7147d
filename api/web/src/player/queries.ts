/** Queries to the referee: always about what is shown now, and the newest wins. */

import { postJson, streamJson } from "../shared/ndjson-request";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { Ghost, Manoeuvre, MiniatureQuestion, MiniatureSheet, PairGiven, Sheet, Verdict, WhatIfMove, WhatIfMoveResult } from "../shared/types.gen";
import { ghostsOf, moveQuestion } from "./ghost-path";
import type { State } from "./state";
import { templateQuery } from "./template-query";
import { ghostsOfManoeuvre, manoeuvreQuestion } from "./unit-manoeuvre";

/** Where to ask about the moment that is looked at. */
export function questionAddress(question: string, { at }: Pick<State, "at">): string {
  return `api/v1/${question}${at === null ? "" : `?at=${at}`}`;
}

export class Queries {
  readonly #pair = new LatestOnly<PairGiven>(this.#withProblem((pair, signal, isOld) => this.#askPair(pair, signal, isOld)));
  readonly #alone = new LatestOnly<MiniatureQuestion>(this.#withProblem((alone, signal, isOld) => this.#askAlone(alone, signal, isOld)));
  readonly #move = new LatestOnly<WhatIfMove>(this.#withProblem((going, signal) => this.#askMove(going, signal)));
  readonly #manoeuvre = new LatestOnly<Manoeuvre>(this.#withProblem((manoeuvre, signal) => this.#askManoeuvre(manoeuvre, signal)));
  readonly #template = new LatestOnly<Record<string, unknown>>(this.#withProblem((query, signal) => this.#askTemplate(query, signal)));
  #shownPair = "";

  /** `arrived`: there is a new answer about a manoeuvre; `readable`: a pair's sheet can be read. */
  constructor(
    private readonly store: Store<State>,
    private readonly onManoeuvre: () => void,
    private readonly onReadable: () => void,
  ) {}

  /** Ask all that the page shows now, as soon as what was asked before is answered; at once when that is of no use. */
  ask({ atOnce = false } = {}): void {
    const { tool, a, b } = this.store.state;
    if (tool === "blast") return this.#askAboutTemplate();
    if (tool === "move" && this.store.state.manoeuvre && this.#askAboutManoeuvre()) return;
    if (tool === "move" && !this.store.state.manoeuvre) this.#askAboutMove();
    if (tool === "table" || a === null) return this.#stop();
    this.#askAboutPicked(a, b, atOnce);
  }

  #askAboutPicked(a: string, b: string | null, atOnce: boolean): void {
    if (b === null) this.#ask(this.#alone, this.#aloneQuestion(a), this.#pair, atOnce);
    else this.#ask(this.#pair, this.#pairQuestion(a, b), this.#alone, atOnce);
  }

  #address(question: string): string {
    return questionAddress(question, this.store.state);
  }

  #stop(): void {
    this.#pair.stop();
    this.#alone.stop();
  }

  #ask<Q, Other>(newest: LatestOnly<Q>, question: Q, other: LatestOnly<Other>, atOnce: boolean): void {
    other.stop();
    if (atOnce) newest.askAtOnce(question);
    else newest.ask(question);
  }

  /** What is asked about the two that are picked; null where nobody is. */
  pairQuestion(): PairGiven | null {
    const { a, b } = this.store.state;
    return a === null || b === null ? null : this.#pairQuestion(a, b);
  }

  #pairQuestion(a: string, b: string): PairGiven {
    const { range_in } = this.store.state;
    return { a, b, range_in, ghosts: this.#ghosts() };
  }

  #aloneQuestion(who: string): MiniatureQuestion {
    const { isTinted: sees } = this.store.state;
    return { who, sees, ghosts: this.#ghosts() };
  }

  #ghosts(): Record<string, Ghost> {
    return this.store.state.manoeuvre ? ghostsOfManoeuvre(this.store.state) : ghostsOf(this.store.state);
  }

  #askAboutMove(): void {
    const going = moveQuestion(this.store.state);
    if (going) this.#move.ask(going);
    else {
      this.#move.stop();
      this.store.set({ course: null });
    }
  }

  /** Whether there is a manoeuvre to ask about; what holds after it is asked when its end is known. */
  #askAboutManoeuvre(): boolean {
    const manoeuvre = manoeuvreQuestion(this.store.state);
    if (manoeuvre) this.#manoeuvre.ask(manoeuvre);
    else {
      this.#manoeuvre.stop();
      this.store.set({ course: null });
    }
    return manoeuvre !== null;
  }

  #askAboutTemplate(): void {
    this.#stop();
    const query = templateQuery(this.store.state);
    if (query) this.#template.ask(query);
    else {
      this.#template.stop();
      this.store.set({ templateVerdict: null });
    }
  }

  /** The same run, but what goes wrong is told on the page. */
  #withProblem<Q>(run: Run<Q>): Run<Q> {
    return async (question, signal, isOld) => {
      try {
        await run(question, signal, isOld);
      } catch (wrong) {
        if (!signal.aborted) this.store.set({ askProblem: problemOf(wrong) });
      }
    };
  }

  async #askPair(pair: PairGiven, signal: AbortSignal, isOld: () => boolean): Promise<void> {
    for await (const sheet of streamJson<Sheet>(this.#address("ask-pair"), pair, signal)) {
      if (signal.aborted) return;
      this.#showSheet(sheet, pair);
      if (isOld()) return;
    }
  }

  /** A whole sheet about the same gives way to a whole one only: answers do not flicker while the table changes. */
  #showSheet(sheet: Sheet, { a, b, ghosts }: PairGiven): void {
    const about = JSON.stringify([a, b, ghosts]);
    const isSame = this.store.state.sheet !== null && this.#shownPair === about;
    if (isSame && this.store.state.sheet?.is_whole && !sheet.is_whole) return;
    this.#shownPair = about;
    this.store.set({ sheet, askProblem: null });
    if (sheet.is_readable) this.onReadable();
  }

  async #askAlone(alone: MiniatureQuestion, signal: AbortSignal, isOld: () => boolean): Promise<void> {
    const was = this.store.state.around;
    const keeps = was?.who === alone.who && was.is_whole && Object.keys(alone.ghosts ?? {}).length === 0;
    for await (const around of streamJson<MiniatureSheet>(this.#address("ask-one"), alone, signal)) {
      if (signal.aborted) return;
      if (!keeps || around.is_whole) this.store.set({ around, askProblem: null });
      if (isOld()) return;
    }
  }

  async #askMove(going: WhatIfMove, signal: AbortSignal): Promise<void> {
    const course = await postJson<WhatIfMoveResult>(this.#address("ask-move"), going, { signal });
    if (!signal.aborted) this.store.set({ course, askProblem: null });
  }

  /** Where everybody ends is known with the answer, and what holds from there is asked then. */
  async #askManoeuvre(manoeuvre: Manoeuvre, signal: AbortSignal): Promise<void> {
    const course = await postJson<WhatIfMoveResult>(this.#address("ask-manoeuvre"), manoeuvre, { signal });
    if (signal.aborted) return;
    this.store.set({ course, askProblem: null });
    this.onManoeuvre();
    const { a, b } = this.store.state;
    if (a !== null) this.#askAboutPicked(a, b, true);
  }

  async #askTemplate(query: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const templateVerdict = await postJson<Verdict>(this.#address("ask"), query, { signal });
    if (!signal.aborted) this.store.set({ templateVerdict, askProblem: null });
  }
}

export type Run<Question> = (question: Question, signal: AbortSignal, isOld: () => boolean) => Promise<void>;

export class LatestOnly<Question> {
  #next: Question | null = null;
  #controller: AbortController | null = null;

  constructor(private readonly run: Run<Question>) {}

  /** Ask when the one before is answered. A run may stop early when it learns that it is old. */
  ask(question: Question): void {
    this.#next = question;
    if (this.#controller === null) void this.#runAll();
  }

  /** Ask now; what was asked before is of no use any more. */
  askAtOnce(question: Question): void {
    this.stop();
    this.ask(question);
  }

  stop(): void {
    this.#next = null;
    this.#controller?.abort();
    this.#controller = null;
  }

  async #runAll(): Promise<void> {
    const asking = (this.#controller = new AbortController());
    while (this.#next !== null && !asking.signal.aborted) {
      const question = this.#next;
      this.#next = null;
      await this.run(question, asking.signal, () => this.#next !== null);
    }
    if (this.#controller === asking) this.#controller = null;
  }
}
