/** Army lists: laid out from a file or from text, and their entries named with a tap. */

import { Refusal, problemOf } from "../shared/problem";
import { postJson } from "../shared/ndjson-request";
import { membersOf } from "./unit-manoeuvre";
import type { Toast } from "./toast";
import type { LineChoice, ReadingDraft, State } from "./state";
import type { Store } from "../shared/store";
import type { ConfirmedList, LineDoubt, ListAnswer, ListNaming, ListQuestion, ListReading, ListText, NamingChoices, NamingEntry, Problem } from "../shared/types.gen";
import { SAY } from "../shared/strings";

const UNCLEAR = "roster/unclear";

export class ArmyLists {
  #asked = 0;
  #shown = 0;
  /** files that are laid next, with their sides */
  #waiting: readonly (readonly [string, File])[] = [];

  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
    private readonly sendStep: (address: string, body: NamingChoices) => Promise<boolean>,
  ) {}

  /** As they are now; who is being named stays chosen. */
  async reread(): Promise<void> {
    await this.#take(async () => this.#answerOf(await fetch("api/v1/lists")));
  }

  /** Lay a list out: a file as it lies on the phone, or text. */
  async lay(side: string, name: string, content: Blob | string): Promise<void> {
    const address = `api/v1/lists?${new URLSearchParams({ side, name }).toString()}`;
    const headers = { "Content-Type": "application/octet-stream" };
    await this.#lay(side, async () => {
      const answer = await fetch(address, { method: "POST", headers, body: content });
      if (answer.ok) return (await answer.json()) as ListNaming;
      const problem = (await answer.json()) as Problem;
      if (problem.type === UNCLEAR) return this.#lookThrough(side, name, typeof content === "string" ? content : await textOf(content));
      throw new Refusal(problem);
    });
  }

  /** Several files at once, a side each in this order; one that must be looked through holds the others back. */
  async layFiles(sides: readonly string[], files: readonly File[]): Promise<void> {
    this.#waiting = files.slice(0, sides.length).map((file, n) => [sides[n] ?? "", file] as const);
    await this.#layNext();
    if (files.length > sides.length) this.toast.showAnswer(SAY.filesLeftOver(files.length - sides.length));
  }

  async #layNext(): Promise<void> {
    while (this.store.state.reading === null) {
      const [next, ...others] = this.#waiting;
      if (next === undefined) return;
      this.#waiting = others;
      await this.lay(next[0], next[1].name, next[1]);
    }
  }

  /** What a line of the list is that is looked through. */
  chooseLine(line: number, choice: LineChoice): void {
    const { reading } = this.store.state;
    if (reading) this.store.set({ reading: { ...reading, choices: { ...reading.choices, [line]: choice } } });
  }

  /** Lay out the list that was looked through. */
  async layConfirmed(): Promise<void> {
    const { reading } = this.store.state;
    if (!reading) return;
    const { side, name, text } = reading;
    const told: ConfirmedList = { side, text, mends: mendsOf(reading), ...(name === "" ? {} : { name }) };
    const isLaid = await this.#lay(side, async () => postJson<ListNaming>("api/v1/lists/confirmed", told));
    if (isLaid && this.store.state.reading === reading) this.leaveReading();
  }

  leaveReading(): void {
    this.store.set({ reading: null });
    void this.#layNext();
  }

  async #lookThrough(side: string, name: string, text: string): Promise<null> {
    const asked: ListText = { text };
    const reading = await postJson<ListReading>("api/v1/lists/reading", asked);
    this.store.set({ reading: { side, name, text, reading, choices: {} } });
    return null;
  }

  async #lay(side: string, ask: () => Promise<ListNaming | null>): Promise<boolean> {
    const isLaid = await this.#take(ask);
    const laid = this.store.state.lists?.lists.find((one) => one.side === side);
    if (isLaid && laid) this.toast.showNews(SAY.listLaid(laid.name ?? SAY.listOf(side), laid.miniatures));
    return isLaid;
  }

  async putAway(side: string): Promise<void> {
    await this.#take(async () => this.#answerOf(await fetch(`api/v1/lists/${encodeURIComponent(side)}`, { method: "DELETE" })));
  }

  async answer({ entry, asks }: ListQuestion, choice: string): Promise<void> {
    const told: ListAnswer = { entry, asks, choice };
    await this.#take(async () => postJson<ListNaming>("api/v1/lists/answer", told));
  }

  /** Whose list the next one is. */
  chooseSide(listSide: string): void {
    this.store.set({ listSide });
  }

  /** Look at an entry: those who are proposed for it are chosen. */
  open({ expected, proposed }: NamingEntry): void {
    if (expected.entry !== null) this.store.set({ naming: { entry: expected.entry, ids: proposed } });
  }

  close(): void {
    this.store.set({ naming: null });
  }

  /** A base on the table: it is chosen or dropped, or opens the entry it is proposed for. False where it means nothing here. */
  tap(id: string): boolean {
    const { naming, lists } = this.store.state;
    const tapped = membersOf(this.store.state, id).map((m) => m.id);
    if (!naming) {
      const entry = lists?.entries.find((one) => tapped.some((m) => one.proposed.includes(m)));
      if (entry) this.open(entry);
      return entry !== undefined;
    }
    const isIn = tapped.every((m) => naming.ids.includes(m));
    const others = naming.ids.filter((m) => !tapped.includes(m));
    this.store.set({ naming: { ...naming, ids: isIn ? others : [...others, ...tapped] } });
    return true;
  }

  /** These are that entry; the next that is open comes up by itself. */
  async confirm(): Promise<void> {
    const { naming } = this.store.state;
    if (!naming || naming.ids.length === 0) return;
    if (await this.#name([naming])) this.#openNext(naming.entry);
  }

  /** Name all at once that can be nobody else. */
  async nameSure(): Promise<void> {
    await this.#name(sureOf(this.store.state.lists).map((one) => ({ entry: one.expected.entry ?? "", ids: one.proposed })));
  }

  async #name(choices: NamingChoices["choices"]): Promise<boolean> {
    const isNamed = await this.sendStep("lists/name", { choices });
    if (isNamed) await this.reread();
    return isNamed;
  }

  #openNext(done: string): void {
    const { lists, naming } = this.store.state;
    if (naming?.entry !== done) return;
    const entries = lists?.entries ?? [];
    const from = entries.findIndex((one) => one.expected.entry === done);
    const next = [...entries.slice(from + 1), ...entries.slice(0, from)].find((one) => missingOf(one) > 0 && one.proposed.length > 0);
    if (next) this.open(next);
    else this.close();
  }

  async #answerOf(answer: Response): Promise<ListNaming> {
    if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
    return (await answer.json()) as ListNaming;
  }

  /** Show what is answered, but never over the answer to a later question; false where nothing is. */
  async #take(ask: () => Promise<ListNaming | null>): Promise<boolean> {
    const turn = ++this.#asked;
    try {
      const lists = await ask();
      if (lists === null) return false;
      if (turn > this.#shown) {
        this.#shown = turn;
        this.store.set({ lists });
      }
      return true;
    } catch (wrong) {
      this.toast.showAnswer(problemOf(wrong).detail);
      return false;
    }
  }
}

/** How many of an entry nobody bears the name of yet. */
export function missingOf({ expected, named, fallen }: NamingEntry): number {
  return Math.max(0, expected.count - named.length - fallen.length);
}

/** Those that can be only what is proposed. */
export function sureOf(lists: ListNaming | null): readonly NamingEntry[] {
  return (lists?.entries ?? []).filter((one) => one.is_sure && one.proposed.length > 0);
}

/** What a line is: as the player says, else as it was read. */
export function choiceOf({ choices }: ReadingDraft, { line, is_unit, name, count }: LineDoubt): LineChoice {
  return choices[line] ?? { isUnit: is_unit, name, count };
}

/** The lines that are units, of which one must have a name. */
export function unitLines(draft: ReadingDraft): readonly LineChoice[] {
  return draft.reading.doubts.map((doubt) => choiceOf(draft, doubt)).filter((choice) => choice.isUnit);
}

/** The lines that are not what they were read as: a name, or left out. */
function mendsOf(draft: ReadingDraft): NonNullable<ConfirmedList["mends"]> {
  return draft.reading.doubts
    .map((doubt) => ({ doubt, choice: choiceOf(draft, doubt) }))
    .filter(({ doubt, choice }) => choice.isUnit || doubt.is_unit)
    .filter(({ doubt, choice }) => !(doubt.is_unit && choice.isUnit && choice.name === doubt.name && choice.count === doubt.count))
    .map(({ doubt: { line }, choice: { isUnit, name, count } }) => (isUnit ? { line, name: name.trim(), count } : { line }));
}

/** The text of a file, of the encoding that its first bytes tell. */
async function textOf(file: Blob): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(await file.arrayBuffer());
}
