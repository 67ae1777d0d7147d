/** What a judge can do, and what the server tells: each replaces some of the state. */

import { everyone } from "../everyone";
import { hit, onScreen, frameOf, viewOf, type Frame, type Point } from "../geometry";
import { Live } from "../live";
import { Picture } from "../picture";
import { problemOf } from "../refusal";
import type { Store } from "../store";
import type { Glance, Seated, Sitting, Tables, Told } from "../types.gen";
import { WholeStream } from "../whole";
import type { Zoom } from "../zoom";
import { Keys } from "./keys";
import { Orders } from "./orders";
import { get, tell } from "./server";
import type { MomentFilter, Other, State, Tab } from "./state";
import type { AboutGiven, Bench, DrawnTable, Moment, NewRuling, Ruling, Sheet, Taped } from "./types.gen";
import { words } from "./words";

const GLANCE_MS = 5000;
/** Table around a pair when it is looked at. */
const AROUND_MM = 220;
const MOST_MOMENTS = 1000;

export class Actions extends Orders {
  readonly picture = new Picture(() => this.store.set({}));
  zoom: Zoom | null = null;
  readonly #live: Live;
  readonly #benches = new WholeStream<Bench>("api/v1/bench/stream", {
    told: (bench) => this.#take(bench),
    lost: () => this.store.set({ link: "lost" }),
  });
  #asked = 0;
  #isReadingOn = false;
  readonly #keys = new Keys();

  constructor(store: Store<State>) {
    super(store);
    this.#live = new Live({ told: (message) => this.#hear(message), opened: () => {}, lost: () => {} });
  }

  begin(): void {
    this.#benches.open();
    this.#live.connect();
    void this.#sit();
    void this.#look();
    void this.#glance();
    setInterval(() => void this.#glance(), GLANCE_MS);
  }

  show(tab: Tab): void {
    this.store.set({ tab });
    if (tab === "timeline") void this.#readOn();
  }

  async join(code: string): Promise<void> {
    await this.attempt(async () => {
      await tell("POST", "join", { code });
      await this.#sit();
    });
  }

  // tables

  async addTable(name: string, url: string): Promise<void> {
    const { others } = this.store.state;
    await this.#listTables([...others.map(plain), { name, url }]);
  }

  async removeTable(url: string): Promise<void> {
    await this.#listTables(this.store.state.others.filter((one) => one.url !== url).map(plain));
  }

  async #listTables(tables: Tables["tables"]): Promise<void> {
    await this.attempt(async () => this.#tables(await tell<Tables>("PUT", "tables", { tables })));
    void this.#glance();
  }

  #tables({ tables }: Tables): void {
    const known = new Map(this.store.state.others.map((one) => [one.url, one.glance]));
    this.store.set({ others: tables.map((one) => ({ ...one, glance: known.get(one.url) ?? null })) });
  }

  async #glance(): Promise<void> {
    try {
      const [here, tables] = await Promise.all([get<Glance>("glance"), get<Tables>("tables")]);
      this.store.set({ here, fresh: here.fresh });
      this.#tables(tables);
      const others = await Promise.all(this.store.state.others.map(seen));
      this.store.set({ others });
    } catch {
      // The line is down; the bench's stream says so.
    }
  }

  // moments

  filter(filter: MomentFilter): void {
    this.store.set({ filter });
  }

  /** Look at the table as it was then; null: as it is now. */
  async goTo(at: Moment | null): Promise<void> {
    this.store.set({ at, tab: "table", sheet: null, open: null, draft: null, written: null });
    this.#untape();
    await this.#look();
    void this.#ask();
  }

  async #readOn(): Promise<void> {
    if (this.#isReadingOn) return;
    this.#isReadingOn = true;
    try {
      for (;;) {
        const after = this.store.state.moments.at(-1)?.n ?? 0;
        const more = await get<readonly Moment[]>(`moments?after=${after}&most=200`);
        if (more.length === 0) return;
        this.store.set({ moments: [...this.store.state.moments, ...more].slice(-MOST_MOMENTS) });
      }
    } catch {
      // The next news reads on.
    } finally {
      this.#isReadingOn = false;
    }
  }

  // the table

  tap(at: Point): void {
    const frame = this.#frame();
    const { table } = this.store.state;
    if (!frame || !table) return;
    const found = hit(frame, at, table.miniatures);
    if (!found) return;
    if ("id" in found) this.pick(found.id);
    else this.pick(nearest(frame, at, table));
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

  range(range_in: number): void {
    this.store.set({ range_in });
    void this.#ask();
  }

  open(slot: string): void {
    this.store.set({ open: this.store.state.open === slot ? null : slot, draft: null });
  }

  whole(): void {
    this.zoom?.whole();
  }

  #choose(a: string | null, b: string | null): void {
    this.#untape();
    this.store.set({ a, b, sheet: null, open: null, draft: null, written: null, problem: null });
    document.querySelector(".desk .sheet")?.scrollTo(0, 0);
    void this.#ask();
    this.lookAtPair();
  }

  /** Look closely at the two, with some table around them: what may stand between is on it. */
  lookAtPair(): void {
    const { a, b, table } = this.store.state;
    const places = everyone(table).filter((m) => m.id === a || m.id === b).map((m) => m.at_mm);
    if (places.length === 2) this.zoom?.to(viewOf({ ...this.store.state, isTurned: false }, places, AROUND_MM));
  }

  #frame(): Frame | null {
    const { table, stage, view } = this.store.state;
    return table && frameOf(table.size, stage, view, false);
  }

  async #look(): Promise<void> {
    const at = this.store.state.at?.n;
    try {
      const table = await get<DrawnTable>(`bench/table${at === undefined ? "" : `?at=${at}`}`);
      if (this.store.state.at?.n === at) this.store.set({ table, problem: null });
    } catch (wrong) {
      if (this.store.state.at?.n === at) this.store.set({ table: null, problem: problemOf(wrong) });
    }
  }

  async #ask(): Promise<void> {
    const { a, b } = this.store.state;
    if (a === null || b === null) return;
    const mine = ++this.#asked;
    this.store.set({ isAsking: true });
    try {
      const { sheet, compared } = await this.#sheet();
      if (mine === this.#asked) this.store.set({ sheet, compared, isAsking: false, problem: null });
    } catch (wrong) {
      if (mine === this.#asked) this.store.set({ isAsking: false, problem: problemOf(wrong) });
    }
  }

  async #sheet(): Promise<Taped> {
    const { pair, tape, at } = this.#about("");
    if (tape) return tell<Taped>("POST", "rulings/taped", { pair, tape, at });
    const sheet = await tell<Sheet>("POST", `ask-pair${at === null ? "" : `?at=${at}`}`, pair);
    return { sheet, compared: null };
  }

  #about(slot: string): AboutGiven & { at: number | null } {
    const { a, b, range_in, tape_in, at } = this.store.state;
    const pair = { a: a ?? "", b: b ?? "", range_in };
    const tape = tape_in === null ? null : { a: pair.a, b: pair.b, value_in: tape_in };
    return { at: at?.n ?? null, pair, slot, tape };
  }

  // tape

  reachForTape(): void {
    this.store.set({ isTaping: !this.store.state.isTaping });
  }

  layTape(tape_in: number): void {
    this.store.set({ tape_in, isTaping: false });
    void this.#ask();
  }

  dropTape(): void {
    this.#untape();
    void this.#ask();
  }

  #untape(): void {
    this.store.set({ tape_in: null, isTaping: false, compared: null });
  }

  // rulings

  /** One tap: the verdict stands, or the players roll. */
  async rule(decision: "accepted" | "rolled", slot: string): Promise<void> {
    await this.#write({ about: this.#about(slot), decision });
  }

  overrule(slot: string, stands: string): void {
    this.store.set({ draft: { slot, stands, reason: "" } });
  }

  draft(changes: { stands?: string; reason?: string }): void {
    const { draft } = this.store.state;
    if (draft) this.store.set({ draft: { ...draft, ...changes } });
  }

  putDraftAway(): void {
    this.store.set({ draft: null });
  }

  async writeDraft(): Promise<void> {
    const { draft } = this.store.state;
    if (!draft) return;
    const { slot, stands, reason } = draft;
    await this.#write({ about: this.#about(slot), decision: "overruled", stands, reason });
  }

  withStream(withStream: boolean): void {
    this.store.set({ withStream });
  }

  async #write(ruling: NewRuling): Promise<void> {
    const { withStream: on_air } = this.store.state;
    const key = this.#keys.of({ ...ruling, on_air });
    await this.attempt(async () => {
      const written = await tell<Ruling>("POST", "rulings", { ...ruling, on_air, key });
      this.#keys.done(key);
      this.store.set({ written, draft: null });
    });
  }

  askWhyWithdrawn(n: number | null): void {
    this.store.set({ withdrawing: n });
  }

  async withdraw(n: number, reason: string): Promise<void> {
    await this.attempt(async () => {
      await tell("POST", `rulings/${n}/withdraw`, { reason });
      const { written } = this.store.state;
      this.store.set({ withdrawing: null, written: written?.n === n ? null : written });
    });
  }

  // stream

  async putOnAir(slot: string): Promise<void> {
    const { pair, at } = this.#about(slot);
    await this.attempt(async () => {
      await tell("POST", "overlay/air", { pair, slots: [slot], at });
      this.note(words.pushed);
    });
  }

  /** The ring of all that it threatens. */
  async putThreatOnAir(threat_of: string): Promise<void> {
    const { at } = this.store.state;
    await this.attempt(async () => {
      await tell("POST", "overlay/air", { threat_of, at: at?.n ?? null });
      this.note(words.pushed);
    });
  }

  // what comes from the server

  async #sit(): Promise<void> {
    try {
      const [sitting, seated] = await Promise.all([get<Sitting>("seat"), get<Seated>("seats")]);
      this.store.set({ sitting, seated });
    } catch {
      // Asked again when the bench comes.
    }
  }

  #take(bench: Bench): void {
    const wasLost = this.store.state.link === "lost";
    const now_s = bench.now_s;
    this.store.set({ bench, now_s, ahead_s: now_s - performance.now() / 1000, link: "open" });
    if (wasLost || this.store.state.sitting === null) void this.#sit();
    if (wasLost || this.store.state.table === null) void this.#look();
    void this.#readOn();
  }

  #hear(message: Told): void {
    if (message.type === "picture") void this.#show(message.version);
    if (message.type === "snapshot") void this.#show(message.picture);
    if (message.type === "fresh") this.store.set({ fresh: message.fresh });
    if (message.type === "snapshot" || message.type === "change") void this.#changed();
    if (message.type === "change" || message.type === "event") void this.#readOn();
  }

  async #show(version: number): Promise<void> {
    this.store.set({ picture: version });
    await this.picture.show(version);
  }

  /** The table is another: what is asked about now is asked anew, unless a ruling is being written about it. */
  async #changed(): Promise<void> {
    if (this.store.state.at !== null || this.store.state.draft !== null) return;
    await this.#look();
    if (this.store.state.tape_in === null) void this.#ask();
  }
}

function plain({ name, url }: Other): { name: string; url: string } {
  return { name, url };
}

/** Another table from afar; tables answer to each other's pages. */
async function seen(other: Other): Promise<Other> {
  try {
    const answer = await fetch(`${other.url}/api/v1/glance`, { cache: "no-store", signal: AbortSignal.timeout(3000) });
    return { ...other, glance: (await answer.json()) as Glance };
  } catch {
    return { ...other, glance: "none" };
  }
}

function nearest(frame: Frame, tap: Point, { miniatures }: DrawnTable): string {
  const off = (place: Point) => Math.hypot(onScreen(frame, place)[0] - tap[0], onScreen(frame, place)[1] - tap[1]);
  return [...miniatures].sort((m, n) => off(m.at_mm) - off(n.at_mm)).map((m) => m.unit ?? m.id)[0]!;
}
