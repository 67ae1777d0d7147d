// Written by scripts/phone_types.py from the server's classes. Do not edit.

/** One miniature, and what a camera cannot know. */
export interface Alone {
  /** melee reach of those without a card; 0.5 when left out */
  readonly reach_in?: number | null;
  /** speed of those without a card; 6 when left out */
  readonly speed_in?: number | null;
  /** which way the players say that miniatures look */
  readonly facings_deg?: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */
  readonly ghosts?: Readonly<Record<string, Ghost>>;
  readonly who: string;
  /** one more ring to draw, this far from the base */
  readonly ring_in?: number | null;
}

export type Answer = "yes" | "no" | "too-close";

/** What is around one miniature; the others are ordered by distance. */
export interface Around {
  readonly state_id: string;
  readonly who: string;
  /** whether every threat is answered and none will follow */
  readonly is_whole: boolean;
  readonly reach_in: number;
  readonly speed_in: number;
  /** its front arc, asked about the nearest other; null: nobody to ask about */
  readonly front: Verdict | null;
  readonly rings: readonly Ring[];
  readonly others: readonly Other[];
}

/** The phone missed something. */
export interface AskSnapshot {
  readonly type: "snapshot";
}

/** A self-check that was asked for has been made. */
export interface CheckDone {
  readonly type: "check";
  readonly seq: number;
  readonly check: SelfCheck;
}

/** A length that is known, from a print or the catalogue, and the same length as the camera measures it. */
export interface Compared {
  readonly what: string;
  readonly known_mm: number;
  readonly measured_mm: number;
  readonly sigma_mm: number;
  readonly is_fine: boolean;
}

/** The referee's word on a way: the move, and where free strikes fall on it when there are any. */
export interface Course {
  readonly state_id: string;
  readonly who: string;
  readonly reach_in: number;
  readonly speed_in: number;
  readonly lines: readonly Line[];
}

/** The outline of a piece of terrain or an effect. */
export interface DrawnArea {
  readonly id: string;
  readonly kind: string;
  readonly outline_mm: readonly (readonly [number, number])[];
}

/** A miniature as it is drawn; `sigma_mm` is along the worst direction. */
export interface DrawnMiniature {
  readonly id: string;
  readonly name: string;
  readonly side: string | null;
  readonly base: RoundBase | RectBase | OvalBase;
  readonly at_mm: readonly [number, number];
  readonly facing_deg: number | null;
  readonly facing_alternatives: readonly FacingAlternative[];
  readonly sigma_mm: number;
  readonly sigma_facing_deg: number;
}

/** The table as it is drawn. */
export interface DrawnTable {
  readonly state_id: string;
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9";
  readonly size: TableSize;
  readonly miniatures: readonly DrawnMiniature[];
  readonly areas: readonly DrawnArea[];
}

/** Something happened to these miniatures, or to the camera. */
export interface EventLine {
  readonly type: "moved" | "turned" | "removed" | "appeared" | "in-hand" | "swapped" | "camera-moved" | "obstructed" | "lost-source" | "back" | "unsure";
  readonly t_s: number;
  readonly frame: number;
  readonly ids: readonly string[];
  readonly from_mm: readonly [number, number] | null;
  readonly to_mm: readonly [number, number] | null;
  readonly from_deg: number | null;
  readonly to_deg: number | null;
  readonly detail: string | null;
}

/** Another way it may face, and how likely that is. */
export interface FacingAlternative {
  readonly facing_deg: number;
  readonly probability: number;
}

/** A reading of the book under which the answer would change. */
export interface Flip {
  readonly house_rule: string;
  readonly reading: string;
  readonly answer: Answer;
}

/** The heartbeat. */
export interface FreshChange {
  readonly type: "fresh";
  readonly seq: number;
  readonly fresh: Freshness;
}

/** How old the newest look at the table is, and whether it can be trusted just now. */
export interface Freshness {
  /** null: nothing seen yet, or a state written by hand */
  readonly age_s: number | null;
  readonly hand: boolean;
  readonly is_settled: boolean;
  readonly is_visible: boolean;
  readonly source: "starting" | "playing" | "still" | "ended" | "lost";
}

/** Where a miniature is thought of as standing; the doubt of its place stays what it is. */
export interface Ghost {
  readonly at_mm: readonly [number, number];
  /** which way it would look; as it looks now when left out */
  readonly facing_deg?: number | null;
}

/** A way that one miniature may take, from where it stands. */
export interface Going {
  /** melee reach of those without a card; 0.5 when left out */
  readonly reach_in?: number | null;
  /** speed of those without a card; 6 when left out */
  readonly speed_in?: number | null;
  /** which way the players say that miniatures look */
  readonly facings_deg?: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */
  readonly ghosts?: Readonly<Record<string, Ghost>>;
  readonly who: string;
  /** points of the base centre, after where it stands */
  readonly path_mm: readonly (readonly [number, number])[];
  /** how it looks at the end */
  readonly facing_deg?: number | null;
  readonly manner?: "advance" | "run";
}

/** An event on the table. */
export interface Happened {
  readonly type: "event";
  readonly seq: number;
  readonly event: EventLine;
}

export type JsonValue = unknown;

/** One line of the sheet. `title` has A and B for the two, and goes on with the length that `turns_on` names. */
export interface Line {
  readonly slot: string;
  /** what the player told that decides here */
  readonly turns_on: "range" | "reach" | "speed" | null;
  readonly title: string;
  readonly yes: string;
  readonly no: string;
  /** the answer in a word or a number; null: still being worked out */
  readonly headline: string | null;
  /** what stands behind the headline, such as the modifiers of an attack */
  readonly note: string | null;
  /** null: still being worked out */
  readonly verdict: Verdict | null;
}

/** A length on the table with its own doubt. */
export interface Measured {
  readonly name: string;
  readonly value_mm: number;
  readonly sigma_mm: number;
}

/** One candidate of a question about many. */
export interface Member {
  readonly id: string;
  readonly answer: Answer;
  readonly probability: number | null;
  readonly margin_mm: number | null;
  readonly sigma_mm: number | null;
}

/** A sentence for the players. */
export interface Notice {
  readonly type: "notice";
  readonly seq: number;
  readonly text: string;
}

/** Another miniature as seen from this one: how far off, and the threats that hold. */
export interface Other {
  readonly id: string;
  readonly is_enemy: boolean;
  readonly distance_mm: number;
  readonly sigma_mm: number;
  readonly lines: readonly Line[];
}

/** An ellipse; `width_mm` is its extent across the facing. */
export interface OvalBase {
  readonly shape: "oval";
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly counts_as_mm: number | null;
}

/** Two miniatures, and what a camera cannot know of them: how long their weapons are, which way plain rims face. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  /** melee reach of both; null: as on the card, else 0.5 */
  readonly reach_in?: number | null;
  /** speed of both; null: as on the card, else 6 */
  readonly speed_in?: number | null;
  /** the range and the distance to ask about, in inches */
  readonly range_in?: number;
  /** which way the players say that miniatures look */
  readonly facings_deg?: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */
  readonly ghosts?: Readonly<Record<string, Ghost>>;
}

/** There is a newer picture to fetch. */
export interface PictureChange {
  readonly type: "picture";
  readonly seq: number;
  readonly version: number;
}

/** An RFC 9457 problem, with the field and the value that caused it where there is one. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly field: string | null;
  readonly value: JsonValue;
}

/** One rule that decided, in our words, and what it did here. */
export interface Reason {
  readonly source: Source;
  readonly says: string;
  readonly effect: string | null;
}

/** A rectangle; `width_mm` is its front edge. */
export interface RectBase {
  readonly shape: "rect";
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly counts_as_mm: number | null;
}

/** What this one phone said made no sense; carries no `seq`, since nothing changed. */
export interface Refused {
  readonly type: "refused";
  readonly problem: Problem;
}

/** All that is within a length of the base; the verdict's witness is the ring, its members say who is inside. */
export interface Ring {
  readonly slot: "reach" | "walk" | "charge" | "command" | "control" | "told";
  readonly length_in: number;
  /** whether a length in it stands on no card */
  readonly is_supposed: boolean;
  readonly verdict: Verdict;
}

/** A disc. */
export interface RoundBase {
  readonly shape: "round";
  readonly diameter_mm: number;
  /** size in comparisons, if not the plastic's */
  readonly counts_as_mm: number | null;
}

export type Said = AskSnapshot | WantPictures;

/** Whether the table can be judged by this camera, and what to mend when it cannot. */
export interface SelfCheck {
  readonly is_fit: boolean;
  /** fit to judge, or the first thing to mend */
  readonly says: string;
  /** what to do, the worst first */
  readonly mend: readonly string[];
  readonly compared: readonly Compared[];
  /** how far places may be off, at the table's worst corner */
  readonly table_sigma_mm: number | null;
}

/** All lines for a pair that matter. `reach_in` and `speed_in` are what was supposed; null: each by its own card. */
export interface Sheet {
  readonly state_id: string;
  /** whether every line is answered and none will follow */
  readonly is_whole: boolean;
  readonly a: string;
  readonly b: string;
  readonly reach_in: number | null;
  readonly speed_in: number | null;
  readonly range_in: number;
  readonly lines: readonly Line[];
}

/** Everything a phone shows, at once. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly seq: number;
  readonly title: string;
  readonly table: DrawnTable | null;
  /** version of the table picture; 0: there is none */
  readonly picture: number;
  readonly fresh: Freshness;
  readonly problem: Problem | null;
  /** the newest self-check */
  readonly check: SelfCheck | null;
  /** the newest corrections, the oldest first */
  readonly steps: readonly StepTold[];
}

/** Where a rule stands; never its words. */
export interface Source {
  readonly book: string;
  readonly section: string;
  readonly page: number | null;
}

/** A correction in a few words; the whole of it is one GET away. */
export interface StepTold {
  readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly says: string;
  readonly is_undone: boolean;
}

/** Somebody corrected the table, or took a correction back; the newest, the oldest of them first. */
export interface StepsChange {
  readonly type: "steps";
  readonly seq: number;
  readonly steps: readonly StepTold[];
}

/** What differs from the table before: miniatures that are new or changed, and ids that are gone. */
export interface TableChange {
  readonly type: "change";
  readonly seq: number;
  readonly state_id: string;
  readonly changed: readonly DrawnMiniature[];
  readonly gone: readonly string[];
  /** null: as before */
  readonly areas: readonly DrawnArea[] | null;
}

export interface TableSize {
  readonly width_mm: number;
  readonly depth_mm: number;
}

export type Told = Snapshot | TableChange | PictureChange | FreshChange | Trouble | Happened | Notice | CheckDone | StepsChange | Refused;

/** Something is wrong; null: it is over. */
export interface Trouble {
  readonly type: "trouble";
  readonly seq: number;
  readonly problem: Problem | null;
}

/** The referee's whole answer. `probability` is that of the condition being met. */
export interface Verdict {
  readonly version: 1;
  readonly kind: string;
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9";
  readonly status: "decided" | "measured" | "unknown" | "refused";
  readonly answer: Answer | null;
  readonly probability: number | null;
  readonly margin_mm: number | null;
  readonly margin_deg: number | null;
  readonly sigma_mm: number | null;
  readonly sigma_deg: number | null;
  /** nothing can flip this answer; the margin reads 1000 */
  readonly capped: boolean;
  /** the margin is exactly zero, and the book's word on zero decided */
  readonly at_edge: boolean;
  readonly value: Readonly<Record<string, JsonValue>>;
  readonly measured: readonly Measured[];
  readonly members: readonly Member[];
  readonly witness: readonly Witness[];
  readonly blockers: readonly string[];
  readonly because: readonly Reason[];
  readonly house_rules: Readonly<Record<string, string>>;
  readonly flips_under: readonly Flip[];
  /** what to supply, when the answer is unknown */
  readonly needs: readonly string[];
  /** what would make a refused question answerable */
  readonly unlock: string | null;
  readonly advice: string | null;
  readonly state_id: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Whether the phone is being looked at. */
export interface WantPictures {
  readonly type: "pictures";
  readonly wanted: boolean;
}

/** Geometry one can point at. Points are table millimetres; `z_mm` are their heights where they matter. */
export interface Witness {
  readonly type: "segment" | "polyline" | "point" | "circle" | "arc" | "polygon";
  readonly role: "clear" | "blocked" | "touching" | "arc" | "limit" | "path" | "hit" | "blocker";
  readonly points_mm: readonly (readonly [number, number])[] | null;
  readonly centre_mm: readonly [number, number] | null;
  readonly radius_mm: number | null;
  readonly from_deg: number | null;
  readonly to_deg: number | null;
  readonly z_mm: readonly number[] | null;
  readonly of: readonly string[];
}
