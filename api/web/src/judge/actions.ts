/** Actions of the judge's page, and messages of the server: each replaces some of the state. */

import { watchProof } from "../shared/red-line";
import type { CandidateHandlers } from "../shared/candidate-handlers";
import { Bell } from "../shared/bell";
import { everyone, freeId } from "../shared/entities";
import { hitAt, onScreen, frameOf, viewOf, type Frame, type Point } from "../shared/geometry";
import { keepLanguage, nameSeats, type Language } from "../shared/language";
import { LiveSocket } from "../shared/live-socket";
import { usePageLanguage } from "../shared/page-language";
import { PictureCanvas } from "../shared/picture-canvas";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { Freshness, TableSummary, SeatOverview, SeatStatus, Tables, ServerMessage } from "../shared/types.gen";
import { WholeStream } from "../shared/event-stream";
import type { Zoom } from "../shared/zoom";
import { Commands, IdempotencyKeys } from "./commands";
import { get, send } from "../shared/http";
import { restShown, type MomentFilter, type Other, type State, type Tab } from "./state";
import type { RulingSubjectGiven, Bench, Dispute, DrawnCandidate, DrawnTable, Moment, NewRuling, ResultSlip, Ruling, Sheet, TapeSheet } from "../shared/types.gen";
import { words } from "./strings";

const TITLE = document.title;
const GLANCE_MS = 5000;
const UNDO_MS = 5000;
/** Table around a pair when it is looked at. */
const AROUND_MM = 220;
const MOST_MOMENTS = 1000;

export class Actions extends Commands {
  readonly picture = new PictureCanvas(() => this.store.set({}));
  zoom: Zoom | null = null;
  readonly #live: LiveSocket;
  readonly #benches = new WholeStream<Bench>("api/v1/bench/stream", {
    onWhole: (bench) => this.#takeBench(bench),
    onLost: () => this.store.set({ link: "lost" }),
  });
  #newestQuestion = 0;
  #undoEnds = 0;
  #isFetchingMoments = false;
  readonly #keys = new IdempotencyKeys();
  readonly #bell = new Bell();

  constructor(store: Store<State>) {
    super(store);
    this.#live = new LiveSocket({ onMessage: (message) => this.#handleMessage(message), onOpen: () => {}, onLost: () => {} });
  }

  /** The language of this device from now on. */
  async speak(language: Language): Promise<void> {
    await usePageLanguage(language);
    keepLanguage(language);
    const { bench } = this.store.state;
    if (bench) nameSeats(bench.scoreboard);
    this.store.set({});
  }

  begin(): void {
    this.#benches.open();
    this.#live.connect();
    void this.#fetchSeat();
    void this.#fetchTable();
    void this.#fetchGlances();
    setInterval(() => void this.#fetchGlances(), GLANCE_MS);
  }

  /** Under what is asked, and at an earlier moment, lies the picture that it was measured in. */
  followPicture(): void {
    const rest = restShown(this.store.state);
    void this.picture.showRest(rest?.is_pictured || this.store.state.at !== null ? rest : null);
  }

  showTab(tab: Tab): void {
    this.store.set({ tab });
    if (tab === "timeline") void this.#fetchMoments();
  }

  async join(code: string): Promise<void> {
    await this.attempt(async () => {
      await send("POST", "join", { code });
      await this.#fetchSeat();
    });
  }

  // tables

  async addTable(name: string, url: string): Promise<void> {
    const { others } = this.store.state;
    await this.#putTables([...others.map(addressOf), { name, url }]);
  }

  async removeTable(url: string): Promise<void> {
    await this.#putTables(this.store.state.others.filter((one) => one.url !== url).map(addressOf));
  }

  async #putTables(tables: Tables["tables"]): Promise<void> {
    await this.attempt(async () => this.#setTables(await send<Tables>("PUT", "tables", { tables })));
    void this.#fetchGlances();
  }

  #setTables({ tables }: Tables): void {
    const known = new Map(this.store.state.others.map((one) => [one.url, one.glance]));
    this.store.set({ others: tables.map((one) => ({ ...one, glance: known.get(one.url) ?? null })) });
  }

  async #fetchGlances(): Promise<void> {
    try {
      const [here, tables] = await Promise.all([get<TableSummary>("glance"), get<Tables>("tables")]);
      this.store.set({ here });
      this.#takeFreshness(here.fresh);
      this.#setTables(tables);
      const others = await Promise.all(this.store.state.others.map(fetchGlance));
      this.store.set({ others });
    } catch {
      // The line is down; the bench's stream says so.
    }
  }

  // moments

  filterMoments(filter: MomentFilter): void {
    this.store.set({ filter });
  }

  /** Look at the table as it was then; null: as it is now. */
  async goToMoment(at: Moment | null): Promise<void> {
    const [a, b, ...more] = at?.event === null ? at.ids : [];
    const pair = a !== undefined && b !== undefined && more.length === 0 ? { a, b } : {};
    this.store.set({ at, tab: "table", sheet: null, open: null, draft: null, newestRuling: null, ...pair });
    this.#removeTape();
    await this.#fetchTable();
    void this.#ask();
  }

  /** Show where the journal ends now, or put it away. */
  async toggleSlip(): Promise<void> {
    try {
      this.store.set({ slip: this.store.state.slip === null ? await get<ResultSlip>("slip") : null });
    } catch (wrong) {
      this.store.set({ problem: problemOf(wrong) });
    }
  }

  /** Let players measure at earlier moments what the rulebook does not let them measure now, or no more. */
  async openPast(is_open: boolean): Promise<void> {
    try {
      await send("PUT", "bench/past", { is_open });
    } catch (wrong) {
      this.store.set({ problem: problemOf(wrong) });
    }
  }

  async #fetchMoments(): Promise<void> {
    if (this.#isFetchingMoments) return;
    this.#isFetchingMoments = true;
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
      this.#isFetchingMoments = false;
    }
  }

  // the table

  tap(at: Point): void {
    const frame = this.#frame();
    const { table } = this.store.state;
    if (!frame || !table) return;
    const target = hitAt(frame, at, table.miniatures);
    if (!target) return;
    if ("id" in target) this.pick(target.id);
    else this.pick(nearest(frame, at, table));
  }

  /** The first pick is A, the next is B; picking one of them again lets it go; a third takes B's place. */
  pick(id: string): void {
    const { a, b } = this.store.state;
    if (id === b) this.#setPair(a, null);
    else if (id === a) this.#setPair(b, null);
    else this.#setPair(a ?? id, a === null ? null : id);
  }

  /** Look at the two whom the players dispute. */
  openDispute({ a, b }: Dispute): void {
    this.store.set({ tab: "table" });
    this.#setPair(a, b);
  }

  swap(): void {
    const { a, b } = this.store.state;
    this.#setPair(b, a);
  }

  clear(): void {
    this.#setPair(null, null);
  }

  setRange(range_in: number): void {
    this.store.set({ range_in });
    void this.#ask();
  }

  toggleLine(slot: string): void {
    this.store.set({ open: this.store.state.open === slot ? null : slot, draft: null });
  }

  showWholeTable(): void {
    this.zoom?.showWhole();
  }

  #setPair(a: string | null, b: string | null): void {
    this.#removeTape();
    this.store.set({ tab: "table", a, b, sheet: null, open: null, draft: null, newestRuling: null, problem: null });
    document.querySelector(".desk .sheet")?.scrollTo(0, 0);
    document.querySelector(".chosen")?.scrollTo(0, 0);
    void this.#ask();
    this.lookAtPair();
  }

  /** Look closely at the two, with some table around them: what may stand between is on it. */
  lookAtPair(): void {
    const { a, b, table } = this.store.state;
    const places = everyone(table).filter((m) => m.id === a || m.id === b).map((m) => m.at_mm);
    if (places.length === 2) this.zoom?.glideTo(viewOf({ ...this.store.state, isTurned: false }, places, AROUND_MM));
  }

  #frame(): Frame | null {
    const { table, stage, view } = this.store.state;
    return table && frameOf(table.size, stage, view, false);
  }

  async #fetchTable(): Promise<void> {
    const at = this.store.state.at?.n;
    try {
      const table = await get<DrawnTable>(`bench/table${at === undefined ? "" : `?at=${at}`}`);
      const names = Object.fromEntries(everyone(table).map((m) => [m.id, m.name]));
      if (this.store.state.at?.n === at) this.store.set({ table, problem: null, names: { ...this.store.state.names, ...names } });
    } catch (wrong) {
      if (this.store.state.at?.n === at) this.store.set({ table: null, problem: problemOf(wrong) });
    }
  }

  async #ask(): Promise<void> {
    const { a, b } = this.store.state;
    if (a === null || b === null) return;
    const mine = ++this.#newestQuestion;
    this.store.set({ isAsking: true });
    try {
      const { sheet, compared } = await this.#sheet();
      if (mine === this.#newestQuestion) this.store.set({ sheet, compared, isAsking: false, problem: null, open: this.#openSlot(sheet) });
    } catch (wrong) {
      if (mine === this.#newestQuestion) this.store.set({ isAsking: false, problem: problemOf(wrong) });
    }
  }

  /** What is opened stays so; a pair that was only just picked opens at the question that its players dispute. */
  #openSlot({ a, b, lines }: Sheet): string | null {
    const { open, dispute, sheet } = this.store.state;
    if (sheet !== null || dispute?.a !== a || dispute.b !== b) return open;
    return lines.find(({ title }) => title === dispute.title)?.slot ?? open;
  }

  async #sheet(): Promise<TapeSheet> {
    const { pair, tape, at } = this.#subjectOf("");
    if (tape) return send<TapeSheet>("POST", "rulings/taped", { pair, tape, at });
    const sheet = await send<Sheet>("POST", `ask-pair${at === null ? "" : `?at=${at}`}`, pair);
    return { sheet, compared: null };
  }

  #subjectOf(slot: string): RulingSubjectGiven & { at: number | null } {
    const { a, b, range_in, tape_in, isTapeExact: is_exact, at } = this.store.state;
    const pair = { a: a ?? "", b: b ?? "", range_in };
    const tape = tape_in === null ? null : { a: pair.a, b: pair.b, value_in: tape_in, is_exact };
    return { at: at?.n ?? null, pair, slot, tape };
  }

  // facts

  /** The judge's word on which way it looks, and all of its unit. */
  async tellFacing(id: string, deg: number): Promise<void> {
    const ids = (this.store.state.table?.miniatures ?? []).filter((m) => m.id === id || m.unit === id).map((m) => m.id);
    const facing_deg = ((deg % 360) + 360) % 360;
    await this.attempt(() => send("POST", "corrections", { do: "miniature", ids, facing_deg }));
  }

  /** What a player told is so. */
  async confirmFact(n: number): Promise<void> {
    await this.attempt(() => send("POST", "corrections/agree", { n }));
    void this.#ask();
  }

  readonly candidates: CandidateHandlers = {
    open: (candidate) => this.store.set({ candidate }),
    settle: (one, isBase) => void this.#settleCandidate(one, isBase),
  };

  async #settleCandidate({ at_mm }: DrawnCandidate, is_base: boolean): Promise<void> {
    const id = is_base ? freeId("base", this.store.state.table?.miniatures ?? []) : null;
    await this.attempt(() => send("POST", "corrections", { do: "candidate", at_mm, is_base, id }));
    this.store.set({ candidate: null });
  }

  // tape

  chooseEighths(tapeEighths: number): void {
    this.store.set({ tapeEighths });
  }

  toggleTape(): void {
    this.store.set({ isTaping: !this.store.state.isTaping });
  }

  layTape(tape_in: number, isTapeExact: boolean): void {
    this.store.set({ tape_in, isTapeExact, isTaping: false, tapeEighths: 0 });
    void this.#ask();
  }

  dropTape(): void {
    this.#removeTape();
    void this.#ask();
  }

  #removeTape(): void {
    this.store.set({ tape_in: null, isTaping: false, compared: null });
  }

  // rulings

  /** One tap: the verdict stands, or the players roll. */
  async rule(decision: "accepted" | "rolled", slot: string): Promise<void> {
    await this.#write({ about: this.#subjectOf(slot), decision });
  }

  overrule(slot: string, stands: string): void {
    this.store.set({ draft: { slot, stands, reason: "" } });
  }

  changeDraft(changes: { stands?: string; reason?: string }): void {
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
    await this.#write({ about: this.#subjectOf(slot), decision: "overruled", stands, reason });
  }

  setWithStream(withStream: boolean): void {
    this.store.set({ withStream });
  }

  async #write(ruling: NewRuling): Promise<void> {
    const { withStream: on_air } = this.store.state;
    const key = this.#keys.keyOf({ ...ruling, on_air });
    await this.attempt(async () => {
      const newestRuling = await send<Ruling>("POST", "rulings", { ...ruling, on_air, key });
      this.#keys.forget(key);
      this.#showWritten(newestRuling);
      void this.#ask(); // the ruling lies over the answer now
    });
  }

  /** What was written by mistake is taken back with one tap for a moment. */
  #showWritten(newestRuling: Ruling): void {
    clearTimeout(this.#undoEnds);
    this.store.set({ newestRuling, draft: null, canUndo: true });
    this.#undoEnds = window.setTimeout(() => this.store.set({ canUndo: false }), UNDO_MS);
  }

  /** The players have rolled. */
  async decideRoll(number: number, stands: string): Promise<void> {
    await this.attempt(async () => this.#showWritten(await send<Ruling>("POST", `rulings/${number}/result`, { stands })));
  }

  askWhyWithdrawn(number: number | null): void {
    this.store.set({ rulingToWithdraw: number });
  }

  async withdraw(number: number, reason: string): Promise<void> {
    await this.attempt(async () => {
      await send("POST", `rulings/${number}/withdraw`, { reason });
      const { newestRuling } = this.store.state;
      this.store.set({ rulingToWithdraw: null, newestRuling: newestRuling?.number === number ? null : newestRuling });
    });
  }

  // stream

  async putOnAir(slot: string): Promise<void> {
    const { pair, at } = this.#subjectOf(slot);
    await this.attempt(async () => {
      await send("POST", "overlay/air", { pair, slots: [slot], at });
      this.showNotice(words.pushed);
    });
  }

  /** The ring of all that it threatens. */
  async putThreatOnAir(threat_of: string): Promise<void> {
    const { at } = this.store.state;
    await this.attempt(async () => {
      await send("POST", "overlay/air", { threat_of, at: at?.n ?? null });
      this.showNotice(words.pushed);
    });
  }

  // what comes from the server

  async #fetchSeat(): Promise<void> {
    try {
      const [sitting, seated] = await Promise.all([get<SeatStatus>("seat"), get<SeatOverview>("seats")]);
      this.store.set({ sitting, seated });
    } catch {
      // Asked again when the bench comes.
    }
  }

  #takeBench(bench: Bench): void {
    const wasLost = this.store.state.link === "lost";
    const now_s = bench.now_s;
    nameSeats(bench.scoreboard);
    watchProof(bench.alarms);
    this.store.set({ bench, now_s, ahead_s: now_s - performance.now() / 1000, link: "open" });
    if (wasLost || this.store.state.sitting === null) void this.#fetchSeat();
    if (wasLost || this.store.state.table === null) void this.#fetchTable();
    void this.#fetchMoments();
  }

  #handleMessage(message: ServerMessage): void {
    if (message.type === "picture") void this.#show(message.version);
    if (message.type === "snapshot") void this.#show(message.picture);
    if (message.type === "fresh" || message.type === "snapshot") this.#takeFreshness(message.fresh);
    if (message.type === "snapshot" || message.type === "dispute") this.#takeDispute(message.dispute);
    if (message.type === "snapshot" || message.type === "settled") this.store.set({ settled: message.settled });
    if (message.type === "snapshot" || message.type === "change") void this.#refreshTable();
    if (message.type === "change" || message.type === "event") void this.#fetchMoments();
    if ((message.type === "rulings" || message.type === "steps") && this.store.state.draft === null) void this.#ask();
  }

  /** Who opens the page finds the question that waits; later nothing is taken from under the judge's hand. */
  #takeDispute(dispute: Dispute | null): void {
    const { a, b, at, tab } = this.store.state;
    this.store.set({ dispute });
    this.#bell.tell(dispute?.is_judge_called ? 1 : 0, TITLE);
    if (dispute !== null && a === null && b === null && at === null && tab === "table") this.openDispute(dispute);
  }

  #takeFreshness(fresh: Freshness): void {
    this.store.set({ fresh, freshAt_s: performance.now() / 1000 });
  }

  async #show(version: number): Promise<void> {
    this.store.set({ picture: version });
    await this.picture.show(version);
  }

  /** The table is another: what is asked about now is asked anew, unless a ruling is being written about it. */
  async #refreshTable(): Promise<void> {
    if (this.store.state.at !== null || this.store.state.draft !== null) return;
    await this.#fetchTable();
    if (this.store.state.tape_in === null) void this.#ask();
  }
}

function addressOf({ name, url }: Other): { name: string; url: string } {
  return { name, url };
}

/** Another table from afar; tables answer to each other's pages. */
async function fetchGlance(other: Other): Promise<Other> {
  try {
    const answer = await fetch(`${other.url}/api/v1/glance`, { cache: "no-store", signal: AbortSignal.timeout(3000) });
    return { ...other, glance: (await answer.json()) as TableSummary };
  } catch {
    return { ...other, glance: "none" };
  }
}

function nearest(frame: Frame, tap: Point, { miniatures }: DrawnTable): string {
  const off = (place: Point) => Math.hypot(onScreen(frame, place)[0] - tap[0], onScreen(frame, place)[1] - tap[1]);
  return [...miniatures].sort((m, n) => off(m.at_mm) - off(n.at_mm)).map((m) => m.unit ?? m.id)[0]!;
}
