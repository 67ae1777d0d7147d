/** State of the player's page, held in one value that is replaced, never changed. */

import { isAnswered, type AnsweredLine } from "../shared/format";
import type { Point, Size, View } from "../shared/geometry";
import type { Alarm, Book, CallStatus, ClocksView, ClockView, Dispute, DrawnCandidate, DrawnMiniature, DrawnTable, ExpectedMatch, Freshness, Line, ListNaming, ListReading, Manoeuvre, Match, MiniatureSheet, Problem, ProfileGiven, ProposedDisc, ProposedTerrain, Rest, ResultSlip, Right, Ring, RulingSummary, Scoreboard, SelfCheck, Settlement, SetupSummary, Sheet, Step, StepSummary, TerrainGiven, Verdict, WhatIfMoveResult } from "../shared/types.gen";
import type { PhoneProof } from "./countersignature";
import type { BarMoment } from "./moment-list";

/** The usual sides of a table on which nobody has told any. */
export const USUAL_SIDES = ["red", "blue"] as const;

export type Topic = NonNullable<Line["topic"]>;
export type Tool = "ask" | "move" | "blast" | "table" | "hall";
export type Manner = "advance" | "run";

/** Where a miniature is thought of as going: over these points to here. */
export interface MovePath {
  readonly who: string;
  readonly via: readonly Point[];
  readonly at: Point;
  /** as the player says; null: the way it went last */
  readonly facing_deg: number | null;
  readonly manner: Manner;
}

/** What a unit is thought of as doing. */
export interface ManoeuvrePlan {
  readonly who: string;
  readonly do: Manoeuvre["do"];
  readonly steps: readonly Step[];
  /** what was rolled for a flight; null: not yet */
  readonly roll_in: number | null;
}

/** A template on the table. */
export interface TemplatePlan {
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

export type Section = "phone" | "past" | "who" | "lists" | "army" | "ground" | "rules" | "steps";

/** Who is on which of two sides, before the players confirm it; null: on neither. */
export interface SideAssignment {
  readonly names: readonly string[];
  readonly of: Readonly<Record<string, string | null>>;
  readonly says: string;
}

/** An entry of a list, and the bases that are about to be named as it. */
export interface NamingDraft {
  readonly entry: string;
  readonly ids: readonly string[];
}

/** What a line of a list is, as the player says. */
export interface LineChoice {
  readonly isUnit: boolean;
  readonly name: string;
  readonly count: number;
}

/** A list of which too little was understood, looked through before it is laid out. */
export interface ReadingDraft {
  readonly side: string;
  readonly name: string;
  readonly text: string;
  readonly reading: ListReading;
  /** by the number of the line, where it is not what was read or proposed */
  readonly choices: Readonly<Record<number, LineChoice>>;
}

/** A piece of terrain being drawn; `id` is that of the piece it takes the place of, `was` all that is known of that. */
export interface TerrainDrawing {
  readonly id: string | null;
  readonly was: TerrainGiven | null;
  /** whether its corners are no longer those it had */
  readonly isReshaped: boolean;
  readonly kind: TerrainGiven["kind"] | null;
  readonly corners: readonly Point[];
  readonly height_mm: number | null;
}

/** What is being typed into a field about a miniature, and what the field said when that began. */
export interface TextDraft {
  readonly id: string;
  readonly field: "name" | "unit";
  readonly text: string;
  readonly was: string;
}

export interface Settings {
  /** the side this phone's owner plays; null: watches */
  readonly mine: string | null;
  readonly isLeft: boolean;
  /** whether the phone's owner stands at the far edge */
  readonly isTurned: boolean;
  /** whether a wide table lies on its side; null: as the screen has room for it */
  readonly quarter: boolean | null;
  /** whether answers are said aloud */
  readonly isSpoken: boolean;
  /** as whom this phone's owner has sat down; null: not yet */
  readonly seat: string | null;
  /** how wide the player's spray template is at its ends; null: not measured yet */
  readonly near_mm: number | null;
  readonly far_mm: number | null;
}

const KEY = "tableside";
const NONE: Settings = { mine: null, isLeft: false, isTurned: false, quarter: null, isSpoken: false, seat: null, near_mm: null, far_mm: null };

export function loadSettings(): Settings {
  try {
    return { ...NONE, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return NONE;
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A private window keeps nothing; the settings hold until it is closed.
  }
}

/** What one tap on the news does with the step that it tells of. */
export interface NewsAnswer {
  readonly how: "agree" | "undo" | "redo";
  readonly n: number;
}

export interface State {
  /** whether the table is seen in photographs that phones send */
  readonly byPhotograph: boolean;
  /** a photograph is on its way or being measured */
  readonly isPhotographing: boolean;
  /** a kept game is looked at again */
  readonly isReplay: boolean;
  /** the key that signs this table's journal, in words; null: nobody signs it */
  readonly tableKey: string | null;
  /** how far this phone has countersigned that journal; null: it has no seat, or has not begun */
  readonly phoneProof: PhoneProof | null;
  /** the earlier moment that is looked at, a line of the journal; null: now */
  readonly at: number | null;
  readonly moments: readonly BarMoment[];
  /** where on the bar the game is played, and at how many times its pace; 0: it stands still */
  readonly playhead_s: number;
  readonly rate: number;
  /** whether the server keeps evidence, and on which lines of the journal this phone has had it kept */
  readonly keepsEvidence: boolean;
  readonly kept: Readonly<Record<string, number>>;
  readonly slip: ResultSlip | null;
  /** the link that is handed on */
  readonly shared: string | null;
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
  /** what is not as it should be with the server itself */
  readonly alarms: readonly Alarm[];
  readonly notice: string | null;
  readonly newsAnswer: NewsAnswer | null;
  /** the clocks as the server told them, and when by this page's clock; null: there are none */
  readonly clocks: { readonly both: ClocksView; readonly at_ms: number } | null;
  readonly isClockOpen: boolean;
  /** who plays, and how the game stands */
  readonly scoreboard: Scoreboard;
  /** whether this phone took its seat by a code */
  readonly hasJoined: boolean;
  /** what the hall says about a call, and the game that it has paired here; null: not asked yet, none */
  readonly call: CallStatus | null;
  readonly match: Match | null;
  /** what the players settled that was too close to call, while it holds */
  readonly settled: readonly Settlement[];
  /** the question that is disputed, and whether a judge could be called; null: none is */
  readonly dispute: Dispute | null;
  readonly hasJudge: boolean;
  /** the newest self-check, and whether one is being made; it is shown until it is put away */
  readonly check: SelfCheck | null;
  readonly isChecking: boolean;
  readonly settings: Settings;
  /** what this phone's seat may do */
  readonly rights: readonly Right[];
  readonly seat: StepSummary["by"];
  readonly steps: readonly StepSummary[];
  /** the newest rulings of the judge, the oldest of them first */
  readonly rulings: readonly RulingSummary[];
  /** the steps as they were listed until a moment ago; null: the list has not changed while it was looked at */
  readonly stepsBefore: { readonly steps: readonly StepSummary[]; readonly until_ms: number } | null;
  readonly section: Section;
  readonly books: readonly Book[];
  readonly expected: readonly ExpectedMatch[];
  /** the army lists and who of them is who; null: not asked for yet */
  readonly lists: ListNaming | null;
  readonly naming: NamingDraft | null;
  /** null: no list waits for its lines to be confirmed */
  readonly reading: ReadingDraft | null;
  /** the unit of the army that is opened, and the entry of which a base is about to be tapped that fell */
  readonly openUnit: string | null;
  readonly falling: string | null;
  /** whose list the next one is; null: nobody has said */
  /** the text of a list that was sent to this page */
  readonly sharedList: string;
  readonly listSide: string | null;
  readonly setups: readonly SetupSummary[];
  /** who is being named and sized */
  readonly picked: string | null;
  readonly draft: TextDraft | null;
  /** the card of the one who is picked, as the server knows it */
  readonly card: ProfileGiven | null;
  /** the unit that one is in, and all units of the table */
  readonly inUnit: string | null;
  readonly unitIds: readonly string[];
  readonly drawing: TerrainDrawing | null;
  readonly sideAssignment: SideAssignment | null;
  /** terrain that the picture suggests; null: nobody asked */
  readonly proposals: readonly (ProposedTerrain | ProposedDisc)[] | null;
  readonly tool: Tool;
  readonly a: string | null;
  readonly b: string | null;
  /** who of mine was A last */
  readonly lastMine: string | null;
  readonly range_in: number;
  readonly sheet: Sheet | null;
  readonly around: MiniatureSheet | null;
  readonly toggledRings: readonly string[];
  readonly path: MovePath | null;
  readonly manoeuvre: ManoeuvrePlan | null;
  readonly course: WhatIfMoveResult | null;
  /** how much of its way the unit is drawn to have gone, from 0 to 1 */
  readonly playback: number;
  readonly template: TemplatePlan;
  readonly templateVerdict: Verdict | null;
  /** whom to lay the template on, the best first; null: nobody asked */
  readonly aims: readonly Aim[] | null;
  readonly askProblem: Problem | null;
  /** slot of the line that is opened */
  readonly openSlot: string | null;
  /** what may be a base and was tapped */
  readonly candidate: DrawnCandidate | null;
  /** what the player is about to do: only those lines are shown; null: all that is not plain */
  readonly topic: Topic | null;
  /** whether the lines that are folded away are shown all the same */
  readonly isUnfolded: boolean;
  /** whether those whom A sees are tinted */
  readonly isTinted: boolean;
  /** what was heard and names nobody here, empty while the phone listens; null: nothing was */
  readonly heard: string | null;
  /** whether the table is told by rows */
  readonly isTableRead: boolean;
  /** whose name is shown because a finger rested on it */
  readonly labelled: string | null;
  /** which base a keyboard reached last: the one tab stop of the table */
  readonly cursor: string | null;
  readonly isTall: boolean;
  readonly isTurned: boolean;
  readonly quarter: boolean | null;
  readonly isNarrow: boolean;
  readonly view: View;
  readonly stage: Size;
}

export const start: State = {
  link: "connecting",
  seq: 0,
  title: "Tableside",
  table: null,
  picture: 0,
  fresh: { age_s: null, hand: false, in_hand: [], is_settled: true, is_visible: true, source: "starting", hidden: [], camera: null, amiss: [], is_lit: false },
  freshAt_ms: 0,
  now_ms: 0,
  problem: null,
  alarms: [],
  notice: null,
  newsAnswer: null,
  clocks: null,
  isClockOpen: false,
  scoreboard: { players: {}, score: null },
  hasJoined: false,
  call: null,
  match: null,
  settled: [],
  dispute: null,
  hasJudge: false,
  check: null,
  isChecking: false,
  byPhotograph: false,
  isReplay: false,
  tableKey: null,
  phoneProof: null,
  at: null,
  moments: [],
  playhead_s: 0,
  rate: 0,
  keepsEvidence: false,
  kept: {},
  slip: null,
  shared: null,
  isPhotographing: false,
  settings: loadSettings(),
  rights: [],
  seat: "viewer",
  steps: [],
  rulings: [],
  stepsBefore: null,
  section: "steps",
  books: [],
  expected: [],
  lists: null,
  naming: null,
  reading: null,
  openUnit: null,
  falling: null,
  sharedList: "",
  listSide: null,
  setups: [],
  picked: null,
  draft: null,
  card: null,
  inUnit: null,
  unitIds: [],
  drawing: null,
  sideAssignment: null,
  proposals: null,
  tool: "ask",
  a: null,
  b: null,
  lastMine: null,
  range_in: 10,
  sheet: null,
  around: null,
  toggledRings: [],
  path: null,
  manoeuvre: null,
  course: null,
  playback: 1,
  template: {
    shape: "round", size_in: 4, at: null, on: null, from: null,
    isMissed: false, direction: null, distance: null, isPickingFrom: false,
  },
  templateVerdict: null,
  aims: null,
  askProblem: null,
  openSlot: null,
  candidate: null,
  topic: null,
  isUnfolded: false,
  isTinted: false,
  heard: null,
  isTableRead: false,
  labelled: null,
  cursor: null,
  isTall: false,
  isTurned: loadSettings().isTurned,
  quarter: loadSettings().quarter,
  isNarrow: false,
  view: { k: 1, x: 0, y: 0 },
  stage: { width_px: 390, height_px: 390 },
};

/** The miniature, or the unit as one body. */
export function miniature(state: Pick<State, "table">, id: string | null): DrawnMiniature | null {
  const { table } = state;
  return table?.miniatures.find((m) => m.id === id) ?? table?.units.find((unit) => unit.id === id) ?? null;
}

/** The names of all on the table by their ids; of who is in a unit that of the unit. */
export function namesOf({ table }: Pick<State, "table">): Readonly<Record<string, string>> {
  const units = Object.fromEntries((table?.units ?? []).map((unit) => [unit.id, unit.name]));
  return { ...units, ...Object.fromEntries((table?.miniatures ?? []).map((m) => [m.id, units[m.unit ?? ""] ?? m.name])) };
}

export function labelOf(state: State, id: string): string {
  return namesOf(state)[id] ?? id;
}

/** What a ring is known by: a book may bring several lengths of its own. */
export function ringKey({ slot, name }: Ring): string {
  return name ?? slot;
}

/** Whether a ring is hidden: all are drawn at first but a book's own lengths, which come at a tap. */
export function isRingHidden(ring: Ring, { toggledRings }: Pick<State, "toggledRings">): boolean {
  return toggledRings.includes(ringKey(ring)) !== (ring.slot === "named");
}

/** Who is asked about when this base is tapped: its unit, where units are played. */
export function unitOrSelf({ table }: Pick<State, "table">, id: string): string {
  return table?.miniatures.find((m) => m.id === id)?.unit ?? id;
}

/** The rest of the table that is looked at, where something is asked about it or it is an earlier one; null: what the camera sees is. */
export function restShown({ at, table, tool, a, templateVerdict }: State): Rest | null {
  const isAsked = tool === "blast" ? templateVerdict !== null : (tool === "ask" || tool === "move") && a !== null;
  return at !== null || isAsked ? (table?.rest ?? null) : null;
}

/** What a clock shows now: it counts down from what the server told. */
export function secondsLeft(one: ClockView, { clocks, now_ms }: State): number {
  return one.left_s - (one.runs && clocks ? Math.max(0, now_ms - clocks.at_ms) / 1000 : 0);
}

/** The lines whose witness is drawn: the opened one, else sight and distance, which come first. */
export function drawnLines(state: State): readonly AnsweredLine[] {
  const lines = state.sheet?.lines ?? [];
  const wanted = state.openSlot === null ? lines.slice(0, 2) : lines.filter((line) => line.slot === state.openSlot);
  return wanted.filter(isAnswered);
}

/** Whether this phone may correct what is looked at: what is past stays as it was. */
export function mayCorrect({ rights, at }: State): boolean {
  return at === null && rights.includes("correct");
}

/** Whether the player at this phone has just sat down, and has not said who that is. */
export function isSittingDown({ hasJoined, seat, settings, at }: State): boolean {
  return hasJoined && at === null && seat.startsWith("player") && settings.seat !== seat;
}

/** Whether it is of the side this phone's owner plays; null where nobody can tell. */
export function isMine(state: State, m: DrawnMiniature | null): boolean | null {
  const { mine } = state.settings;
  return mine === null || m?.side == null ? null : m.side === mine;
}

/** The sides of those on the table, in their order. */
export function sidesOf(state: State): readonly string[] {
  const sides = (state.table?.miniatures ?? []).map((m) => m.side).filter((side) => side !== null);
  const mine = state.settings.mine === null ? [] : [state.settings.mine];
  const usual = sides.length === 0 ? USUAL_SIDES : [];
  return [...new Set([...sides, ...mine, ...usual])].sort();
}
