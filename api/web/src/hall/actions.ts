/** Actions of the hall's page, and messages of the hub: each replaces some of the state. */

import { Bell } from "../shared/bell";
import { get, send } from "../shared/http";
import { WholeStream } from "../shared/event-stream";
import { problemOf, Refusal } from "../shared/problem";
import type { Store } from "../shared/store";
import type { Doorway, GameResult, HallPatch, HallSeatStatus, HallSettings, HallView, ImportedRound, NewPenalty, NewSwissPlayer, PairingChange, PairingChanges, Problem, RoundView, TableSheet } from "../shared/types.gen";
import { applyMessage, openCalls, type Density, type Filter, type State, type Tab, type UnmappedFile } from "./state";
import { words } from "./strings";

const TITLE = document.title;
const NOTICE_MS = 6000;

export class Actions {
  readonly #stream = new WholeStream<HallView | HallPatch>("api/v1/hall/stream", {
    onWhole: (message) => this.#take(message),
    onLost: () => this.#loseLink(),
  });
  #noticeEnds = 0;
  readonly #bell = new Bell();
  /** of which line of its journal a table's sheet was read */
  readonly #sheetLines = new Map<number, number>();

  constructor(private readonly store: Store<State>) {}

  async begin(): Promise<void> {
    try {
      const me = await get<HallSeatStatus>("seat");
      this.store.set({ me });
      if (me.seat === "judge" || me.seat === "organiser") this.#stream.open();
    } catch {
      this.store.set({ link: "lost" });
      setTimeout(() => void this.begin(), 2000);
    }
  }

  async join(code: string): Promise<void> {
    await this.#attempt(async () => {
      await send("POST", "join", { code });
      await this.begin();
    });
  }

  /** Draw the page anew, as when its language has changed. */
  redraw(): void {
    this.store.set({});
  }

  showTab(tab: Tab): void {
    const { isWide, open } = this.store.state;
    this.store.set({ tab, open: isWide ? open : null, writing: null });
    document.querySelector("main")?.scrollTo(0, 0);
  }

  setDensity(density: Density): void {
    this.store.set({ density });
  }

  toggleFilter(filter: Filter): void {
    const filters = new Set(this.store.state.filters);
    if (!filters.delete(filter)) filters.add(filter);
    this.store.set({ filters });
  }

  // a table

  async openTable(number: number | null): Promise<void> {
    this.store.set({ tab: "tables", open: number });
    document.querySelector("main")?.scrollTo(0, 0);
    document.querySelector(".chosen")?.scrollTo(0, 0);
    await this.#readSheets();
  }

  /** Whether the screen has room for a desk. */
  async setWide(isWide: boolean): Promise<void> {
    this.store.set({ isWide });
    await this.#readSheets();
  }

  /** Read anew what has changed of the tables that are drawn. */
  async #readSheets(): Promise<void> {
    const { open, isWide } = this.store.state;
    const calling = isWide ? openCalls(this.store.state).map((call) => call.table) : [];
    const drawn = new Set([...(open === null ? [] : [open]), ...calling]);
    await Promise.all([...drawn].map((number) => this.#readSheet(number)));
  }

  async #readSheet(number: number): Promise<void> {
    const line = this.store.state.hall?.tables.find((table) => table.number === number)?.line ?? 0;
    if (line === this.#sheetLines.get(number)) return;
    this.#sheetLines.set(number, line);
    try {
      const sheet = await get<TableSheet>(`hall/tables/${number}/sheet`);
      this.store.set({ sheets: new Map(this.store.state.sheets).set(number, sheet) });
    } catch {
      this.#sheetLines.delete(number); // the next news reads it again
    }
  }

  /** Open the table's own judge's page; the code goes along. */
  async enterTable(number: number): Promise<void> {
    await this.#attempt(async () => {
      const { url, asks_about } = await get<Doorway>(`hall/tables/${number}/door`);
      if (asks_about !== null && !confirm(words.doorSure(number, asks_about))) return;
      location.assign(url);
    });
  }

  async release(number: number): Promise<void> {
    if (!confirm(words.releaseSure)) return;
    await this.#attempt(() => this.#post(`hall/tables/${number}/release`));
  }

  // calls

  async takeCall(id: number): Promise<void> {
    await this.#attempt(() => this.#post(`hall/calls/${id}/take`));
  }

  write(writing: State["writing"]): void {
    this.store.set({ writing });
  }

  async rule(id: number, said: string, reason: string): Promise<void> {
    await this.#finish(() => this.#post(`hall/calls/${id}/rule`, { said, reason }));
  }

  async appeal(id: number, reason: string): Promise<void> {
    await this.#finish(() => this.#post(`hall/calls/${id}/appeal`, { reason }));
  }

  async closeCall(id: number, minutes: number): Promise<void> {
    await this.#finish(() => this.#post(`hall/calls/${id}/close`, { extension_s: minutes * 60 }));
  }

  // rounds

  /** Clocks of all tables start with a round, so one tap is asked about. */
  askToBegin(isBeginning: boolean): void {
    this.store.set({ isBeginning });
  }

  async startNext(): Promise<void> {
    this.store.set({ isBeginning: false });
    await this.#attempt(() => this.#post("hall/rounds/next"));
  }

  async endRound(number: number): Promise<void> {
    await this.#attempt(() => this.#post(`hall/rounds/${number}/end`));
  }

  async confirmResult(round: number, table: number, result: GameResult): Promise<void> {
    await this.#attempt(() => send("PUT", `hall/rounds/${round}/tables/${table}/result`, result));
  }

  // players and pairings

  async enterPlayers(lines: string): Promise<boolean> {
    const typed = lines.split("\n").map((line) => line.split(",").map((part) => part.trim())).filter(([name]) => name);
    const is_here = this.store.state.hall?.players.some((player) => player.is_here) ?? false; // who enters at the desk is here
    const players: NewSwissPlayer[] = typed.map(([name = "", team]) => ({ name, team: team || null, is_here }));
    return players.length > 0 && (await this.#attempt(() => this.#post("hall/players", { players })));
  }

  async checkIn(name: string, is_here: boolean): Promise<void> {
    await this.#attempt(() => this.#post("hall/players/check-in", { name, is_here }));
  }

  async drop(name: string, is_back: boolean): Promise<void> {
    await this.#attempt(() => this.#post("hall/players/drop", { name, is_back }));
  }

  async pairRound(number: number): Promise<void> {
    await this.#attempt(() => this.#post(`hall/rounds/${number}/pair`));
  }

  /** A pairing in place of those that its players and table had; two who are left alone by it play each other. */
  async changePairing({ round, pairings }: RoundView, wanted: PairingChange): Promise<void> {
    const named = new Set([wanted.a, wanted.b].flatMap((player) => (player ? [folded(player.name)] : [])));
    const replaced = pairings.filter((one) => (wanted.b !== null && one.table === wanted.table) || [one.a, one.b].some((player) => player && named.has(folded(player.name))));
    const alone = replaced.flatMap((one) => [one.a, one.b]).flatMap((player) => (player && !named.has(folded(player.name)) ? [player] : []));
    const [first, second] = alone;
    const freed = replaced.map((one) => one.table).find((table) => table !== null && table !== wanted.table) ?? null;
    const others: PairingChange[] = first && second && alone.length === 2 && freed !== null ? [{ a: first, b: second, table: freed }] : alone.map((a) => ({ a, b: null, table: null }));
    const changes: PairingChanges = { pairings: [wanted, ...others] };
    await this.#attempt(() => send("PUT", `hall/rounds/${round.number}/pairings`, changes));
  }

  async importFile(file: File, round: number | null): Promise<void> {
    await this.#import(new Uint8Array(await file.arrayBuffer()), round);
  }

  /** Map the columns of the file that was refused, for this file and all after it. */
  async mapColumns(columns: Readonly<Record<string, string>>): Promise<void> {
    const { unmapped, hall } = this.store.state;
    if (!unmapped || !hall) return;
    const known = { ...hall.settings.columns, ...columns };
    const isSet = await this.#attempt(() => send<HallSettings>("PUT", "hall/settings", { ...hall.settings, columns: known }));
    if (isSet) await this.#import(unmapped.data, unmapped.round);
  }

  forgetFile(): void {
    this.store.set({ unmapped: null });
  }

  async #import(data: Uint8Array, round: number | null): Promise<void> {
    this.store.set({ unmapped: null, problem: null });
    try {
      const answer = await fetch(`api/v1/hall/rounds${round === null ? "" : `?round=${round}`}`, { method: "POST", body: data as BodyInit });
      if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
      const read = (await answer.json()) as ImportedRound;
      this.#notify(words.rounds.imported(read.round, read.pairings, read.ignored));
    } catch (wrong) {
      const problem = problemOf(wrong) as Problem & Partial<Pick<UnmappedFile, "columns" | "known" | "roles">>;
      const { columns, known, roles } = problem;
      this.store.set({ problem, unmapped: columns && known && roles ? { data, round, columns, known, roles } : null });
    }
  }

  // penalties and settings

  choosePenalized(penalized: string): void {
    this.store.set({ penalized });
  }

  async givePenalty(penalty: NewPenalty): Promise<boolean> {
    return this.#attempt(() => this.#post("hall/penalties", penalty));
  }

  async withdrawPenalty(id: number, reason: string): Promise<void> {
    await this.#attempt(() => this.#post(`hall/penalties/${id}/withdraw`, { reason }));
  }

  async saveSettings(changes: Partial<HallSettings>): Promise<void> {
    const { hall } = this.store.state;
    if (!hall) return;
    const isSaved = await this.#attempt(() => send("PUT", "hall/settings", { ...hall.settings, ...changes }));
    if (isSaved) this.#notify(words.event.saved);
  }

  // what comes from the hub

  #take(message: HallView | HallPatch): void {
    const hall = applyMessage(this.store.state.hall, message);
    const now_s = message.now_s;
    this.store.set({ hall, now_s, ahead_s: now_s - performance.now() / 1000, link: "open" });
    this.#bell.tell(openCalls(this.store.state).filter((call) => call.judge === null).length, TITLE);
    void this.#readSheets();
  }

  #loseLink(): void {
    this.store.set({ link: "lost" });
  }

  async #finish(work: () => Promise<unknown>): Promise<void> {
    if (await this.#attempt(work)) this.store.set({ writing: null });
  }

  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      this.store.set({ problem: null });
      return true;
    } catch (wrong) {
      this.store.set({ problem: problemOf(wrong) });
      return false;
    }
  }

  /** A request whose answer is of no use here: it may have none. */
  async #post(path: string, body?: unknown): Promise<void> {
    const request = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`api/v1/${path}`, { method: "POST", ...request });
    if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
  }

  #notify(notice: string): void {
    this.store.set({ notice });
    clearTimeout(this.#noticeEnds);
    this.#noticeEnds = window.setTimeout(() => this.store.set({ notice: null }), NOTICE_MS);
  }
}

/** A name as the hub compares it. */
function folded(name: string): string {
  return name.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
}
