/** Voice: answers said aloud on wish, a question understood from what was said, and the table by rows. */

import { everyone } from "../shared/entities";
import { currentLanguage } from "../shared/language";
import type { Store } from "../shared/store";
import { SAY } from "../shared/strings";
import type { DrawnMiniature } from "../shared/types.gen";
import { isMine, type State, type Topic } from "./state";

const ROW_MM = 304.8;
const MM_PER_INCH = 25.4;
const TOPICS: readonly Topic[] = ["shoot", "charge", "melee", "see"];

/** What browsers that listen bring; no library of types knows it. */
interface Recognition {
  lang: string;
  onresult: (event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void;
  onend: () => void;
  start(): void;
}
type Recogniser = new () => Recognition;

function recogniser(): Recogniser | undefined {
  const known = window as { SpeechRecognition?: Recogniser; webkitSpeechRecognition?: Recogniser };
  return known.SpeechRecognition ?? known.webkitSpeechRecognition;
}

export function canListen(): boolean {
  return recogniser() !== undefined;
}

export class Voice {
  #said = "";

  constructor(
    private readonly store: Store<State>,
    private readonly ask: (spoken: SpokenQuestion) => void,
  ) {}

  /** The answer about the pair as a screen reader is told it, once that is drawn, unless it was said last. */
  sayAnswer(): void {
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const says = document.querySelector(".sheet > [role=status]")?.textContent ?? "";
      if (says !== "" && says !== this.#said) this.#say(says);
    }));
  }

  sayAgain(): void {
    this.#said = "";
    this.sayAnswer();
  }

  /** Show the table by rows, and say it where answers are said; the same again puts it away. */
  readTable(): void {
    const isTableRead = !this.store.state.isTableRead;
    this.store.set({ isTableRead });
    if (isTableRead && this.store.state.settings.isSpoken) this.#say(tableRows(this.store.state).join(". "));
  }

  /** Hear one question. */
  listen(): void {
    const Heard = recogniser();
    if (Heard === undefined) return;
    const hearing = new Heard();
    hearing.lang = navigator.languages.find((one) => one.startsWith(currentLanguage())) ?? currentLanguage();
    hearing.onresult = ({ results }) => this.#understand(results[0]?.[0]?.transcript ?? "");
    hearing.onend = () => this.store.set({ heard: this.store.state.heard === "" ? null : this.store.state.heard });
    this.store.set({ heard: "" });
    hearing.start();
  }

  #understand(said: string): void {
    const spoken = understoodQuestion(said, this.store.state);
    this.store.set({ heard: spoken === null ? said : null });
    if (spoken !== null) this.ask(spoken);
  }

  #say(says: string): void {
    this.#said = says;
    if (!("speechSynthesis" in window)) return;
    speechSynthesis.cancel();
    const spoken = new SpeechSynthesisUtterance(says);
    spoken.lang = currentLanguage();
    speechSynthesis.speak(spoken);
  }
}

export interface SpokenQuestion {
  readonly a: string;
  readonly b: string | null;
  readonly topic: Topic | null;
}

/** Whom a sentence names, in its order, and what it asks of them; null: it names nobody here. Of several of one name the nearest two are meant, mine first. */
export function understoodQuestion(said: string, state: State): SpokenQuestion | null {
  const [first = [], second = []] = namedIn(plain(said), everyone(state.table));
  type Pair = { readonly a: DrawnMiniature; readonly b: DrawnMiniature | null };
  const pairs = first.flatMap((a): readonly Pair[] => (second.length === 0 ? [{ a, b: null }] : second.filter((b) => b !== a).map((b) => ({ a, b }))));
  const off = ({ a, b }: Pair) => (isMine(state, a) === false ? 1e6 : 0) + (b === null ? 0 : Math.hypot(a.at_mm[0] - b.at_mm[0], a.at_mm[1] - b.at_mm[1]));
  const meant = [...pairs].sort((one, other) => off(one) - off(other))[0];
  if (meant === undefined) return null;
  const topic = TOPICS.find((one) => plain(said).includes(plain(SAY.topic[one]))) ?? null;
  return { a: meant.a.id, b: meant.b?.id ?? null, topic };
}

/** Of each name in a sentence all that bear it; a longer name is none of the shorter ones within it. */
function namedIn(said: string, all: readonly DrawnMiniature[]): readonly (readonly DrawnMiniature[])[] {
  const names = [...new Set(all.map((m) => plain(m.name)))].sort((one, other) => other.length - one.length);
  const found: { at: number; bearers: readonly DrawnMiniature[] }[] = [];
  let left = said;
  for (const name of names) {
    for (let at = left.indexOf(name); at >= 0 && name !== ""; at = left.indexOf(name)) {
      found.push({ at, bearers: all.filter((m) => plain(m.name) === name) });
      left = left.slice(0, at) + " ".repeat(name.length) + left.slice(at + name.length);
    }
  }
  return found.sort((one, other) => one.at - other.at).map(({ bearers }) => bearers);
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Who stands where, a sentence for each foot of depth that holds somebody, from this player's edge on; each from the left. Where the book restricts measuring no length is told. */
export function tableRows(state: State): readonly string[] {
  const { table, isTurned } = state;
  if (table === null) return [];
  const { width_mm, depth_mm } = table.size;
  const seen = everyone(table).map((m) => ({ m, x: isTurned ? width_mm - m.at_mm[0] : m.at_mm[0], y: isTurned ? depth_mm - m.at_mm[1] : m.at_mm[1] }));
  const rowOf = ({ y }: (typeof seen)[number]) => Math.max(0, Math.floor(y / ROW_MM));
  const rows = [...new Set(seen.map(rowOf))].sort((one, other) => one - other);
  return rows.map((row) => {
    const all = seen.filter((one) => rowOf(one) === row).sort((one, other) => one.x - other.x);
    const called = ({ m }: (typeof seen)[number]) => (m.side === null ? m.name : `${m.name} (${m.side})`);
    if (!table.is_measuring_free) return SAY.rowOnly(row + 1, all.map(called).join(", "));
    return SAY.rowSays(12 * row, 12 * (row + 1), all.map((one) => SAY.rowPlace(called(one), Math.round(one.x / MM_PER_INCH))).join(", "));
  });
}
