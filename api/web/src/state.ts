/** Everything the page shows, held in one value that is replaced, never changed. */

import type { DrawnMiniature, DrawnTable, Freshness, Problem, SelfCheck, Sheet } from "./types.gen";

export interface View {
  /** zoom and shift on top of the fit of the whole table, CSS pixels */
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width_px: number;
  readonly height_px: number;
}

export interface State {
  readonly link: "connecting" | "open" | "lost";
  readonly seq: number;
  readonly title: string;
  readonly table: DrawnTable | null;
  readonly picture: number;
  readonly fresh: Freshness;
  /** when `fresh` arrived, and what time it is, on the same clock */
  readonly freshAt_ms: number;
  readonly now_ms: number;
  readonly problem: Problem | null;
  readonly notice: string | null;
  /** the newest self-check, and whether one is being made; it is shown until it is put away */
  readonly check: SelfCheck | null;
  readonly isChecking: boolean;
  readonly a: string | null;
  readonly b: string | null;
  readonly reach_in: number | null;
  readonly range_in: number;
  /** which way the players say that miniatures look, where the camera cannot see it */
  readonly told_deg: Readonly<Record<string, number>>;
  readonly sheet: Sheet | null;
  readonly isAsking: boolean;
  readonly askProblem: Problem | null;
  /** slot of the line that is opened */
  readonly open: string | null;
  readonly isTall: boolean;
  readonly isTurned: boolean;
  readonly view: View;
  readonly stage: Size;
}

export const start: State = {
  link: "connecting",
  seq: 0,
  title: "Tableside",
  table: null,
  picture: 0,
  fresh: { age_s: null, hand: false, is_settled: true, is_visible: true, source: "starting" },
  freshAt_ms: 0,
  now_ms: 0,
  problem: null,
  notice: null,
  check: null,
  isChecking: false,
  a: null,
  b: null,
  reach_in: null,
  range_in: 10,
  told_deg: {},
  sheet: null,
  isAsking: false,
  askProblem: null,
  open: null,
  isTall: false,
  isTurned: false,
  view: { k: 1, x: 0, y: 0 },
  stage: { width_px: 390, height_px: 390 },
};

export function miniature(state: State, id: string | null): DrawnMiniature | null {
  return state.table?.miniatures.find((m) => m.id === id) ?? null;
}
