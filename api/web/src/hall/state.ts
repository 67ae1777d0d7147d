/** State of the hall's page, held in one value that is replaced, never changed. */

import type { Call, HallPatch, HallSeatStatus, HallTable, HallView, Problem, TableSheet } from "../shared/types.gen";

export type Tab = "tables" | "calls" | "rounds" | "penalties" | "event";
export type Density = 3 | 4 | 8;
export type Filter = "calls" | "camera" | "hand" | "silent" | "time" | "open";

/** A file of pairings with columns that somebody must name. */
export interface UnmappedFile {
  readonly data: Uint8Array;
  readonly round: number | null;
  readonly columns: readonly string[];
  /** what is known already: column -> role */
  readonly known: Readonly<Record<string, string>>;
  readonly roles: readonly string[];
}

/** Where who waits, the tables and what is decided stand beside each other: as at a table's own judge's page. */
export { WIDE } from "../judge/state";

export interface State {
  readonly tab: Tab;
  readonly isWide: boolean;
  readonly link: "connecting" | "open" | "lost";
  readonly me: HallSeatStatus | null;
  readonly hall: HallView | null;
  /** the hub's clock minus this page's, and what time it is there */
  readonly ahead_s: number;
  readonly now_s: number;
  readonly density: Density;
  readonly filters: ReadonlySet<Filter>;
  /** the table that is opened */
  readonly open: number | null;
  /** what the hub knows of tables besides their cells: of the opened one, and at a desk of those that call */
  readonly sheets: ReadonlyMap<number, TableSheet>;
  /** the call on which a ruling or an appeal is written */
  readonly writing: { readonly call: number; readonly what: "ruling" | "appeal" | "closing" } | null;
  /** whether the organiser is asked once more before a round begins */
  readonly isBeginning: boolean;
  readonly unmapped: UnmappedFile | null;
  /** whom a penalty is being given to */
  readonly penalized: string;
  readonly problem: Problem | null;
  readonly notice: string | null;
}

export const start: State = {
  tab: "tables",
  isWide: false,
  link: "connecting",
  me: null,
  hall: null,
  ahead_s: 0,
  now_s: 0,
  density: 3,
  filters: new Set(),
  open: null,
  sheets: new Map(),
  writing: null,
  isBeginning: false,
  unmapped: null,
  penalized: "",
  problem: null,
  notice: null,
};

/** A table not heard of for this long is silent. */
const SILENT_S = 10;
const LOW_S = 300;

/** Who waits longest comes first. */
export function openCalls({ hall }: State): readonly Call[] {
  const open = hall?.calls.filter((call) => call.state !== "closed") ?? [];
  return [...open].sort((one, other) => one.called_s - other.called_s);
}

export function callsAt(state: State, table: number): readonly Call[] {
  return openCalls(state).filter((call) => call.table === table);
}

export function isSilent(table: HallTable, now_s: number): boolean {
  return table.heard_s === null || now_s - table.heard_s > SILENT_S;
}

/** What a clock shows now: it counts down from what the hub told. */
export function secondsLeft(table: HallTable, player: string, now_s: number): number | null {
  const one = table.clocks?.players.find((each) => each.player === player);
  if (!one) return null;
  return one.left_s - (one.runs ? Math.max(0, now_s - table.shown_s) : 0);
}

export function isLow(table: HallTable, now_s: number): boolean {
  return ["player-a", "player-b"].some((player) => (secondsLeft(table, player, now_s) ?? Infinity) < LOW_S);
}

export function hasCameraTrouble({ summary }: HallTable): boolean {
  return summary !== null && (summary.problem !== null || summary.fresh.source === "lost" || !summary.fresh.is_visible);
}

/** Whether the table plays in the round that runs and has no result yet. */
export function isPlaying({ hall }: State, table: number): boolean {
  const running = hall?.rounds.find((view) => view.round.state === "running");
  return running?.pairings.some((one) => one.table === table && one.b !== null && one.result === null) ?? false;
}

export const FILTERS: Record<Filter, (state: State, table: HallTable) => boolean> = {
  calls: (state, table) => callsAt(state, table.number).length > 0,
  camera: (_, table) => hasCameraTrouble(table) || table.trouble !== null,
  hand: (_, table) => table.summary?.fresh.hand ?? false,
  silent: ({ now_s }, table) => isSilent(table, now_s),
  time: ({ now_s }, table) => isLow(table, now_s),
  open: (state, table) => isPlaying(state, table.number),
};

/** The tables that pass every filter that is set. */
export function shownTables(state: State): readonly HallTable[] {
  const filters = [...state.filters].map((name) => FILTERS[name]);
  return state.hall?.tables.filter((table) => filters.every((passes) => passes(state, table))) ?? [];
}

export function nameAt(table: HallTable | undefined, player: string): string | null {
  return (table?.players as Readonly<Record<string, string>> | undefined)?.[player] ?? null;
}

/** The hall as it is after a message of its stream: whole, or what differs from before. */
export function applyMessage(hall: HallView | null, message: HallView | HallPatch): HallView | null {
  if (message.type === "whole" || hall === null) return message.type === "whole" ? message : null;
  const changed = new Map(message.tables.map((table) => [table.number, table]));
  const tables: readonly HallTable[] = changed.size === 0 ? hall.tables : hall.tables.map((table) => changed.get(table.number) ?? table);
  return { ...hall, ...message.affairs, now_s: message.now_s, tables, alarms: message.alarms ?? hall.alarms };
}
