/** What a player can do, and what the server tells: each replaces some of the state. */

import { hit, onScreen, frameOfState, viewOf, type Point } from "./geometry";
import { Live } from "./live";
import { Picture } from "./picture";
import { happened } from "./view/words";
import { problemOf, Refusal } from "./refusal";
import { miniature, type State } from "./state";
import type { Store } from "./store";
import type { DrawnTable, Pair, Problem, Sheet, TableChange, Told } from "./types.gen";
import type { Zoom } from "./zoom";

const NOTICE_MS = 4500;
const CROWD_MM = 150;
const STAYS_MM = 2;
/** Table around a pair when it is looked at: enough to see what may stand between. */
const AROUND_MM = 150;

export class Actions {
  readonly picture = new Picture(() => this.store.set({}));
  zoom: Zoom | null = null;
  readonly #live: Live;
  #asking: AbortController | null = null;
  #noticeEnds = 0;

  constructor(private readonly store: Store<State>) {
    this.#live = new Live({
      told: (message) => this.#told(message),
      opened: () => this.#opened(),
      lost: () => this.store.set({ link: "lost" }),
    });
  }

  begin(): void {
    this.#live.connect();
    document.addEventListener("visibilitychange", () => this.#wantPictures());
  }

  /** A tap on the stage, in pixels of the stage. */
  tap(at: Point): void {
    const frame = frameOfState(this.store.state);
    if (!frame || !this.store.state.table) return;
    const found = hit(frame, at, this.store.state.table.miniatures);
    if (!found) return;
    if ("id" in found) this.pick(found.id);
    else this.#lookCloser(found.crowd);
  }

  /** The first pick is A, the next is B; picking one of them again lets it go; a third takes B's place. */
  pick(id: string): void {
    const { a, b } = this.store.state;
    if (id === b) this.#choose(a, null);
    else if (id === a) this.#choose(b, null);
    else this.#choose(a ?? id, a === null ? null : id);
  }

  swap(): void {
    const { a, b } = this.store.state;
    this.#choose(b, a);
  }

  clear(): void {
    this.#choose(null, null);
  }

  open(slot: string): void {
    this.store.set({ open: this.store.state.open === slot ? null : slot });
    requestAnimationFrame(() => {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      document.querySelector(".tile.open")?.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
    });
  }

  stretch(): void {
    this.store.set({ isTall: !this.store.state.isTall });
  }

  reach(reach_in: number): void {
    this.store.set({ reach_in });
    void this.#ask();
  }

  range(range_in: number): void {
    this.store.set({ range_in });
    void this.#ask();
  }

  /** The players say which way a miniature looks; null: they take it back. */
  face(id: string, facing_deg: number | null): void {
    const { [id]: _, ...others } = this.store.state.told_deg;
    this.store.set({ told_deg: facing_deg === null ? others : { ...others, [id]: facing_deg } });
    void this.#ask();
  }

  turn(): void {
    this.store.set({ isTurned: !this.store.state.isTurned });
    this.#lookAtPair();
  }

  whole(): void {
    this.zoom?.whole();
  }

  /** The camera hangs well and still: find the table anew. */
  register(): void {
    this.#note("Looking for the table …");
    void this.#mind("register");
  }

  /** Compare what is known with what the camera measures. */
  check(): void {
    this.store.set({ isChecking: true, check: null });
    void this.#mind("check");
  }

  putCheckAway(): void {
    this.store.set({ isChecking: false, check: null });
  }

  async #mind(what: "register" | "check"): Promise<void> {
    try {
      const answer = await fetch(`api/v1/${what}`, { method: "POST" });
      if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
    } catch (wrong) {
      this.store.set({ isChecking: false });
      this.#note(problemOf(wrong).detail);
    }
  }

  #choose(a: string | null, b: string | null): void {
    const isPair = a !== null && b !== null;
    const rest = isPair ? {} : { open: null, isTall: false, isAsking: false };
    this.store.set({ a, b, sheet: null, askProblem: null, ...rest });
    if (!isPair) return;
    void this.#ask();
    this.#lookAtPair();
  }

  async #ask(): Promise<void> {
    const { a, b, reach_in, range_in, told_deg: facings_deg } = this.store.state;
    if (a === null || b === null) return;
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    this.store.set({ isAsking: true });
    try {
      const pair: Pair = { a, b, reach_in, range_in, facings_deg };
      for await (const sheet of growing<Sheet>("api/v1/ask-pair", pair, asking.signal)) {
        if (!asking.signal.aborted && this.#isNews(sheet)) this.store.set({ sheet, askProblem: null });
      }
      if (!asking.signal.aborted) this.store.set({ isAsking: false });
    } catch (wrong) {
      if (!asking.signal.aborted) this.store.set({ isAsking: false, askProblem: problemOf(wrong) });
    }
  }

  /** A whole sheet about the same gives way to a whole one only: answers do not flicker while the table changes. */
  #isNews(sheet: Sheet): boolean {
    const shown = this.store.state.sheet;
    const isSame = shown?.a === sheet.a && shown.b === sheet.b;
    return !isSame || !shown.is_whole || sheet.is_whole;
  }

  /** The stage has another size: keep the pair in it. */
  resized(): void {
    this.#lookAtPair();
  }

  #lookAtPair(): void {
    const state = this.store.state;
    const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
    if (a && b) this.zoom?.to(viewOf(state, [a.at_mm, b.at_mm], AROUND_MM));
  }

  #lookCloser(place: Point): void {
    const state = this.store.state;
    const frame = frameOfState(state);
    const closer = viewOf(state, [place], CROWD_MM);
    if (closer.k <= state.view.k * 1.05 && frame) {
      // As close as it gets: the nearest centre it is.
      const tap = onScreen(frame, place);
      const off = (at: Point) => Math.hypot(onScreen(frame, at)[0] - tap[0], onScreen(frame, at)[1] - tap[1]);
      const nearest = [...(state.table?.miniatures ?? [])].sort((m, n) => off(m.at_mm) - off(n.at_mm))[0];
      if (nearest) this.pick(nearest.id);
      return;
    }
    this.#note("Two stand close here. Tap again.");
    this.zoom?.to(closer);
  }

  #opened(): void {
    this.store.set({ link: "open" });
    this.#wantPictures();
  }

  #wantPictures(): void {
    this.#live.say({ type: "pictures", wanted: !document.hidden });
  }

  #note(notice: string): void {
    clearTimeout(this.#noticeEnds);
    this.store.set({ notice });
    this.#noticeEnds = window.setTimeout(() => this.store.set({ notice: null }), NOTICE_MS);
  }

  #told(message: Told): void {
    if (message.type === "refused") {
      console.warn("the server did not understand", message.problem);
      return;
    }
    if (message.type === "hello") return;
    if (message.type !== "snapshot" && message.seq !== this.store.state.seq + 1) {
      this.#live.say({ type: "snapshot" });
      return;
    }
    this.store.set({ seq: message.seq });
    this.#take(message);
  }

  #take(message: Exclude<Told, { type: "refused" | "hello" }>): void {
    switch (message.type) {
      case "snapshot":
        this.store.set({ title: message.title, problem: message.problem, ...heard(message.fresh) });
        this.#show(message.picture);
        this.#lay(message.table);
        return;
      case "change":
        this.#lay(changed(this.store.state, message));
        return;
      case "picture":
        this.#show(message.version);
        return;
      case "fresh":
        this.store.set(heard(message.fresh));
        return;
      case "trouble":
        this.store.set({ problem: message.problem });
        void this.#ask(); // a halt refuses what was answered before, and its end answers what was refused
        return;
      case "check":
        this.store.set({ check: message.check, isChecking: false });
        return;
      case "event":
        this.#note(happened(this.store.state, message.event));
        return;
      case "notice":
        this.#note(message.text);
    }
  }

  #show(picture: number): void {
    this.store.set({ picture });
    void this.picture.show(picture);
  }

  /** Lay a table; those who are gone are let go, and the pair is asked about anew. */
  #lay(table: DrawnTable | null): void {
    const was = this.store.state;
    this.store.set({ table, told_deg: stillTold(was, table) });
    const stays = (id: string | null) => (table?.miniatures.some((m) => m.id === id) ? id : null);
    const [a, b] = [stays(was.a), stays(was.b)];
    if (a !== was.a || b !== was.b) this.#choose(a ?? b, a === null ? null : b);
    else if (table?.state_id !== was.table?.state_id) void this.#ask();
  }
}

function heard(fresh: State["fresh"]): Partial<State> {
  const now_ms = performance.now();
  return { fresh, freshAt_ms: now_ms, now_ms };
}

/** What was told of a facing holds until the miniature moves. */
function stillTold({ table: was, told_deg }: State, table: DrawnTable | null): State["told_deg"] {
  const place = (of: DrawnTable | null, id: string) => of?.miniatures.find((m) => m.id === id)?.at_mm;
  const stays = ([id]: [string, number]) => {
    const [before, now] = [place(was, id), place(table, id)];
    return before !== undefined && now !== undefined && Math.hypot(before[0] - now[0], before[1] - now[1]) < STAYS_MM;
  };
  return Object.fromEntries(Object.entries(told_deg).filter(stays));
}

function changed(state: State, change: TableChange): DrawnTable | null {
  if (!state.table) return null;
  const replaced = new Map(change.changed.map((m) => [m.id, m]));
  const kept = state.table.miniatures.filter((m) => !change.gone.includes(m.id)).map((m) => replaced.get(m.id) ?? m);
  const known = new Set(kept.map((m) => m.id));
  const miniatures = [...kept, ...change.changed.filter((m) => !known.has(m.id))];
  return { ...state.table, state_id: change.state_id, miniatures, areas: change.areas ?? state.table.areas };
}

/** Answers as they come, each on a line and fuller than the one before. */
async function* growing<Answer>(address: string, body: unknown, signal: AbortSignal): AsyncGenerator<Answer> {
  const headers = { "Content-Type": "application/json", Accept: "application/x-ndjson" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!answer.ok || !answer.body) throw new Refusal((await answer.json()) as Problem);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Answer;
  }
}
