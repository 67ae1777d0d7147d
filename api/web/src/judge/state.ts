/** State of the judge's page, held in one value that is replaced, never changed. */

import { everyone } from "../shared/entities";
import type { Size, View } from "../shared/geometry";
import type { Freshness, TableSummary, OtherTable, Problem, SeatOverview, SeatStatus } from "../shared/types.gen";
import type { Bench, Dispute, TapeComparison, DrawnCandidate, DrawnTable, Moment, Rest, ResultSlip, Ruling, Settlement, Sheet } from "../shared/types.gen";

export type Tab = "tables" | "timeline" | "table" | "clocks" | "stream";
export type MomentFilter = "all" | "settled" | "rulings";

export interface Other extends OtherTable {
  /** null: not asked yet; "none": it did not answer */
  readonly glance: TableSummary | null | "none";
}

/** An overruling that is being written. */
export interface Draft {
  readonly slot: string;
  readonly stands: string;
  readonly reason: string;
}

export interface GivenTime {
  readonly player: "player-a" | "player-b" | null;
  readonly minutes: number;
  readonly note: string;
}

export interface Source {
  readonly theme: string;
  readonly widgets: string;
  readonly clocks: boolean;
  readonly score: boolean;
  readonly delay_s: number;
}

/** Where queue, table and decisions stand beside each other. */
export const WIDE = "(min-width: 1180px) and (min-height: 560px) and (min-aspect-ratio: 11/10)";

export interface State {
  readonly tab: Tab;
  readonly isWide: boolean;
  readonly link: "connecting" | "open" | "lost";
  readonly sitting: SeatStatus | null;
  readonly seated: SeatOverview | null;
  readonly bench: Bench | null;
  /** the server's clock minus this page's, and what time it is there */
  readonly ahead_s: number;
  readonly now_s: number;
  readonly here: TableSummary | null;
  readonly others: readonly Other[];
  /** how the table was seen, and when that was told, by the page's own clock */
  readonly fresh: Freshness | null;
  readonly freshAt_s: number;
  readonly slip: ResultSlip | null;
  readonly moments: readonly Moment[];
  readonly filter: MomentFilter;
  /** the moment that is looked at; null: now */
  readonly at: Moment | null;
  readonly table: DrawnTable | null;
  readonly picture: number;
  readonly view: View;
  readonly stage: Size;
  readonly a: string | null;
  readonly b: string | null;
  readonly range_in: number;
  readonly sheet: Sheet | null;
  readonly compared: TapeComparison | null;
  readonly tape_in: number | null;
  readonly isTaping: boolean;
  /** eighths of an inch that a tape being typed has beyond its whole ones, and whether the one that lies is exact */
  readonly tapeEighths: number;
  readonly isTapeExact: boolean;
  readonly isAsking: boolean;
  readonly open: string | null;
  /** what may be a base and was tapped */
  readonly candidate: DrawnCandidate | null;
  /** the question that the players dispute */
  readonly dispute: Dispute | null;
  /** what the players settled and still holds */
  readonly settled: readonly Settlement[];
  /** names by ids of all who stood on the table while this page was open */
  readonly names: Readonly<Record<string, string>>;
  readonly draft: Draft | null;
  readonly withStream: boolean;
  readonly newestRuling: Ruling | null;
  /** whether it was written a moment ago, and one tap takes it back */
  readonly canUndo: boolean;
  readonly rulingToWithdraw: number | null;
  readonly notice: string | null;
  readonly problem: Problem | null;
  readonly givenTime: GivenTime;
  readonly source: Source;
}

export const start: State = {
  tab: "table",
  isWide: false,
  link: "connecting",
  sitting: null,
  seated: null,
  bench: null,
  ahead_s: 0,
  now_s: 0,
  here: null,
  others: [],
  fresh: null,
  freshAt_s: 0,
  slip: null,
  moments: [],
  filter: "all",
  at: null,
  table: null,
  picture: 0,
  view: { k: 1, x: 0, y: 0 },
  stage: { width_px: 390, height_px: 300 },
  a: null,
  b: null,
  range_in: 10,
  sheet: null,
  compared: null,
  tape_in: null,
  isTaping: false,
  tapeEighths: 0,
  isTapeExact: false,
  isAsking: false,
  open: null,
  candidate: null,
  dispute: null,
  settled: [],
  names: {},
  draft: null,
  withStream: false,
  newestRuling: null,
  canUndo: false,
  rulingToWithdraw: null,
  notice: null,
  problem: null,
  givenTime: { player: null, minutes: 3, note: "Ruling" },
  source: { theme: "dark", widgets: "ruling,closeup", clocks: false, score: false, delay_s: 0 },
};

/** The rest of the table that is looked at, where two are asked about or it is an earlier one; null: what the camera sees is. */
export function restShown({ at, a, b, table }: State): Rest | null {
  return at !== null || (a !== null && b !== null) ? (table?.rest ?? null) : null;
}

/** How the table was seen last: it ages for as long as nothing more is told. */
export function freshNow({ fresh, freshAt_s, now_s, ahead_s }: State): Freshness | null {
  if (fresh === null || fresh.age_s === null) return fresh;
  return { ...fresh, age_s: fresh.age_s + Math.max(0, now_s - ahead_s - freshAt_s) };
}

/** This table at a glance, as it is seen now. */
export function hereNow(state: State): TableSummary | null {
  return state.here && { ...state.here, fresh: freshNow(state) ?? state.here.fresh };
}

export function hasRight(state: State, right: string): boolean {
  return state.sitting?.rights.some((one) => one === right) ?? false;
}

/** The names of all on the table by their ids, and of those who stood there before. */
export function namesAt({ table, names }: State): Readonly<Record<string, string>> {
  return { ...names, ...Object.fromEntries(everyone(table).map((m) => [m.id, m.name])) };
}

export function nameOf(state: State, id: string | null): string {
  return everyone(state.table).find((m) => m.id === id)?.name ?? state.names[id ?? ""] ?? id ?? "";
}
