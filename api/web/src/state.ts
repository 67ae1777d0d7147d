/** Everything the page shows, held in one value that is replaced, never changed. */

import type { Point } from "./geometry";
import { remembered, type Settings } from "./settings";
import type {
  Around, Book, Course, DrawnMiniature, DrawnTable, Found, Freshness, Manoeuvre, Problem, ProfileGiven, ProposedDisc, ProposedTerrain, Right, Ring, SelfCheck,
  SetupTold, Sheet, Step, StepTold, TerrainGiven, Verdict,
} from "./types.gen";

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

export type Tool = "ask" | "move" | "blast" | "table";
export type Manner = "advance" | "run";

/** Where a miniature is thought of as going: over these points to here. */
export interface Way {
  readonly who: string;
  readonly via: readonly Point[];
  readonly at: Point;
  /** as the player says; null: the way it went last */
  readonly facing_deg: number | null;
  readonly manner: Manner;
}

/** What a unit is thought of as doing. */
export interface Drill {
  readonly who: string;
  readonly do: Manoeuvre["do"];
  readonly steps: readonly Step[];
  /** what was rolled for a flight; null: not yet */
  readonly roll_in: number | null;
}

/** A template on the table. */
export interface Blast {
  readonly shape: "round" | "spray";
  readonly size_in: number;
  /** where a round one lies, or whom it was aimed at */
  readonly at: Point | null;
  readonly on: string | null;
  /** who shot or sprays */
  readonly from: string | null;
  readonly isMissed: boolean;
  readonly direction: number | null;
  readonly distance: number | null;
  /** whether the next tap on a base says who shot */
  readonly isPickingFrom: boolean;
}

/** How many the template would be over, laid on this one. */
export interface Aim {
  readonly id: string;
  readonly hits: number;
  readonly ofMine: number;
}

export type Section = "phone" | "who" | "ground" | "rules" | "steps";

/** Who is on which of two sides, before the players confirm it; null: on neither. */
export interface Siding {
  readonly names: readonly string[];
  readonly of: Readonly<Record<string, string | null>>;
  readonly says: string;
}

/** A piece of terrain being drawn; `id` is that of the piece it takes the place of, `was` all that is known of that. */
export interface Drawing {
  readonly id: string | null;
  readonly was: TerrainGiven | null;
  /** whether its corners are no longer those it had */
  readonly isReshaped: boolean;
  readonly kind: TerrainGiven["kind"] | null;
  readonly corners: readonly Point[];
  readonly height_mm: number | null;
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
  readonly settings: Settings;
  /** what this phone's seat may do */
  readonly rights: readonly Right[];
  readonly seat: StepTold["by"];
  readonly steps: readonly StepTold[];
  /** the steps as they were listed until a moment ago; null: the list has not changed while it was looked at */
  readonly stepsBefore: { readonly steps: readonly StepTold[]; readonly until_ms: number } | null;
  readonly section: Section;
  readonly books: readonly Book[];
  readonly expected: readonly Found[];
  readonly setups: readonly SetupTold[];
  /** who is being named and sized */
  readonly picked: string | null;
  /** the card of the one who is picked, as the server knows it */
  readonly card: ProfileGiven | null;
  /** the unit that one is in, and all units of the table */
  readonly inUnit: string | null;
  readonly unitIds: readonly string[];
  readonly drawing: Drawing | null;
  readonly siding: Siding | null;
  /** terrain that the picture suggests; null: nobody asked */
  readonly proposals: readonly (ProposedTerrain | ProposedDisc)[] | null;
  readonly tool: Tool;
  readonly a: string | null;
  readonly b: string | null;
  /** who of mine was A last */
  readonly lastMine: string | null;
  readonly reach_in: number | null;
  readonly speed_in: number | null;
  readonly range_in: number;
  /** which way the players say that miniatures look, where the camera cannot see it */
  readonly told_deg: Readonly<Record<string, number>>;
  readonly sheet: Sheet | null;
  readonly around: Around | null;
  readonly hiddenRings: readonly Ring["slot"][];
  readonly way: Way | null;
  readonly drill: Drill | null;
  readonly course: Course | null;
  /** how much of its way the unit is drawn to have gone, from 0 to 1 */
  readonly played: number;
  readonly blast: Blast;
  readonly blastVerdict: Verdict | null;
  /** whom to lay the template on, the best first; null: nobody asked */
  readonly aims: readonly Aim[] | null;
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
  fresh: { age_s: null, hand: false, in_hand: [], is_settled: true, is_visible: true, source: "starting", hidden: [], camera: null, amiss: [] },
  freshAt_ms: 0,
  now_ms: 0,
  problem: null,
  notice: null,
  check: null,
  isChecking: false,
  settings: remembered(),
  rights: [],
  seat: "viewer",
  steps: [],
  stepsBefore: null,
  section: "phone",
  books: [],
  expected: [],
  setups: [],
  picked: null,
  card: null,
  inUnit: null,
  unitIds: [],
  drawing: null,
  siding: null,
  proposals: null,
  tool: "ask",
  a: null,
  b: null,
  lastMine: null,
  reach_in: null,
  speed_in: null,
  range_in: 10,
  told_deg: {},
  sheet: null,
  around: null,
  hiddenRings: [],
  way: null,
  drill: null,
  course: null,
  played: 1,
  blast: {
    shape: "round", size_in: 4, at: null, on: null, from: null,
    isMissed: false, direction: null, distance: null, isPickingFrom: false,
  },
  blastVerdict: null,
  aims: null,
  askProblem: null,
  open: null,
  isTall: false,
  isTurned: false,
  view: { k: 1, x: 0, y: 0 },
  stage: { width_px: 390, height_px: 390 },
};

/** The miniature, or the unit as one body. */
export function miniature(state: State, id: string | null): DrawnMiniature | null {
  const { table } = state;
  return table?.miniatures.find((m) => m.id === id) ?? table?.units.find((unit) => unit.id === id) ?? null;
}

/** The two that are asked about by their letters, everybody else by name. */
export function namesOf({ table, a, b }: State): Readonly<Record<string, string>> {
  const letter = (id: string | null) => (id === null ? null : id === a ? "A" : id === b ? "B" : null);
  return Object.fromEntries((table?.miniatures ?? []).map((m) => [m.id, letter(m.id) ?? letter(m.unit) ?? m.name]));
}

/** Its letter, or that of its unit, where it is asked about; else its name. */
export function calledOf(state: State, id: string): string {
  const who = id === state.a || id === state.b ? id : standsFor(state, id);
  return who === state.a ? "A" : who === state.b ? "B" : (miniature(state, id)?.name ?? id);
}

/** Who is asked about when this base is tapped: its unit, where units are played. */
export function standsFor({ table }: Pick<State, "table">, id: string): string {
  return table?.miniatures.find((m) => m.id === id)?.unit ?? id;
}

/** Whether it is of the side this phone's owner plays; null where nobody can tell. */
export function isMine(state: State, m: DrawnMiniature | null): boolean | null {
  const { mine } = state.settings;
  return mine === null || m?.side == null ? null : m.side === mine;
}
