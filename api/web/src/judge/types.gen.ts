// Written by scripts/phone_types.py from the server's classes. Do not edit.

/** The verdict a ruling is about: a line of a pair's sheet, now or at an earlier moment, by camera or by tape. */
export interface About {
  /** the moment of the table; null: now */
  readonly at: number | null;
  readonly pair: Pair;
  readonly slot: string;
  readonly tape: TapeReading | null;
}

/** The verdict a ruling is about: a line of a pair's sheet, now or at an earlier moment, by camera or by tape. */
export interface AboutGiven {
  /** the moment of the table; null: now */
  readonly at?: number | null;
  readonly pair: PairGiven;
  readonly slot: string;
  readonly tape?: TapeReading | null;
}

export type Answer = "yes" | "no" | "too-close";

/** All that the judge's page shows besides the table. */
export interface Bench {
  /** the server's clock, seconds since 1970 */
  readonly now_s: number;
  readonly title: string;
  readonly clocks: ClocksTold | null;
  readonly rulings: readonly Brief[];
  readonly production: Production;
  /** the number of what was put on air last, while it has not been taken off */
  readonly on_air: number | null;
}

/** A ruling on a list. */
export interface Brief {
  readonly n: number;
  readonly at_s: number;
  readonly said: string;
  readonly title: string;
  readonly headline: string | null;
  readonly a: string;
  readonly b: string;
  readonly ids: readonly [string, string];
  readonly withdrawn: string | null;
}

/** What one clock shows; it counts down from there while it runs. */
export interface ClockTold {
  readonly player: "player-a" | "player-b";
  readonly left_s: number;
  readonly runs: boolean;
  readonly is_next: boolean;
}

/** Both clocks at an instant. */
export interface ClocksTold {
  readonly total_s: number;
  readonly players: readonly ClockTold[];
  readonly stop: Stop | null;
  readonly ruled_s: number;
  readonly extensions: readonly Extension[];
}

/** What the camera had measured where the tape was laid, and whether the two can both be right. */
export interface Compared {
  readonly camera: Measured;
  readonly tape_mm: number;
  readonly can_both_be_right: boolean;
}

/** The outline of a piece of terrain or an effect. */
export interface DrawnArea {
  readonly id: string;
  readonly kind: string;
  readonly outline_mm: readonly (readonly [number, number])[];
}

/** A miniature as it is drawn, or a unit as one body; `sigma_mm` is along the worst direction. */
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
  /** the unit that is asked about instead of it */
  readonly unit: string | null;
}

/** The table as it is drawn. */
export interface DrawnTable {
  readonly state_id: string;
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9";
  /** false: only what is licensed is measured, and no length is drawn */
  readonly is_measuring_free: boolean;
  readonly size: TableSize;
  readonly miniatures: readonly DrawnMiniature[];
  /** whether whole units are asked about, and not each of their members */
  readonly plays_units: boolean;
  /** units that are asked about as one body */
  readonly units: readonly DrawnMiniature[];
  readonly areas: readonly DrawnArea[];
}

/** Time that was given, to whom and why; `player` null: the round as a whole was made longer. */
export interface Extension {
  readonly at_s: number;
  readonly player: "player-a" | "player-b" | null;
  readonly by_s: number;
  readonly note: string;
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

/** Where a miniature is thought of as standing; the doubt of its place stays what it is. */
export interface Ghost {
  readonly at_mm: readonly [number, number];
  /** which way it would look; as it looks now when left out */
  readonly facing_deg: number | null;
}

/** Where a miniature is thought of as standing; the doubt of its place stays what it is. */
export interface GhostGiven {
  readonly at_mm: readonly [number, number];
  /** which way it would look; as it looks now when left out */
  readonly facing_deg?: number | null;
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

/** A pair, and what the judge's tape says about it. */
export interface LookByTape {
  /** the moment of the table; null: now */
  readonly at?: number | null;
  readonly pair: PairGiven;
  readonly tape: TapeReading;
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

/** A line of the journal in a few words. */
export interface Moment {
  readonly n: number;
  /** seconds since 1970 */
  readonly at_s: number;
  readonly type: string;
  /** the seat whose deed it was; null: the camera saw it */
  readonly by: string | null;
  /** seconds into the recording */
  readonly t_s: number | null;
  readonly event: string | null;
  readonly ids: readonly string[];
}

/** What the judge decides. `stands` is what holds instead of the verdict, in a few words. */
export interface NewRuling {
  readonly about: AboutGiven;
  readonly decision: "accepted" | "overruled" | "rolled";
  readonly stands?: string | null;
  readonly reason?: string;
  /** show it on the stream */
  readonly on_air?: boolean;
  /** the same key again is the same ruling: it is not written twice */
  readonly key?: string | null;
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
  readonly reach_in: number | null;
  /** speed of both; null: as on the card, else 6 */
  readonly speed_in: number | null;
  /** the range and the distance to ask about, in inches */
  readonly range_in: number;
  /** which way the players say that miniatures look */
  readonly facings_deg: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */
  readonly ghosts: Readonly<Record<string, Ghost>>;
}

/** Two miniatures, and what a camera cannot know of them: how long their weapons are, which way plain rims face. */
export interface PairGiven {
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
  readonly ghosts?: Readonly<Record<string, GhostGiven>>;
}

/** How the stream is fed, until somebody says otherwise. */
export interface Production {
  /** asked: whatever players ask goes on air; pushed: only what judge or producer puts there */
  readonly feed: "asked" | "pushed";
  /** no verdict is shown before it is called resolved */
  readonly hide_until_resolved: boolean;
  /** how long a verdict stays on air */
  readonly stays_s: number;
}

/** What to put on air: lines about a pair, or the answer to any one question. */
export interface PutOnAir {
  readonly pair?: PairGiven | null;
  /** lines of the pair's sheet; the first two when empty */
  readonly slots?: readonly string[];
  readonly query?: Readonly<Record<string, JsonValue>> | null;
  /** the ring of all that this one threatens by its longest charge or walk */
  readonly threat_of?: string | null;
  /** the moment of the table it is about; null: now */
  readonly at?: number | null;
  /** leave it on air until it is taken off */
  readonly stays?: boolean;
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

/** A disc. */
export interface RoundBase {
  readonly shape: "round";
  readonly diameter_mm: number;
  /** size in comparisons, if not the plastic's */
  readonly counts_as_mm: number | null;
}

/** A ruling as it is kept; `n` is its line of the journal. */
export interface Ruling {
  readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly decision: "accepted" | "overruled" | "rolled";
  readonly stands: string | null;
  readonly reason: string;
  readonly about: About;
  /** name of A then */
  readonly a: string;
  /** name of B then */
  readonly b: string;
  readonly line: Line;
  /** camera and tape, where a tape replaced the camera */
  readonly compared: Compared | null;
  /** why it does not hold any more */
  readonly withdrawn: string | null;
}

/** All lines for a pair that matter. `reach_in` and `speed_in` are what was supposed; null: each by its own card. */
export interface Sheet {
  readonly state_id: string;
  /** whether every line is answered and none will follow */
  readonly is_whole: boolean;
  /** whether at most what takes longest is still under way, such as a charge */
  readonly is_readable: boolean;
  readonly a: string;
  readonly b: string;
  readonly reach_in: number | null;
  readonly speed_in: number | null;
  readonly range_in: number;
  readonly lines: readonly Line[];
}

/** Where a rule stands; never its words. */
export interface Source {
  readonly book: string;
  readonly section: string;
  readonly page: number | null;
}

/** Nobody's clock runs, since then and for this reason. */
export interface Stop {
  readonly since_s: number;
  readonly why: string;
}

export interface TableSize {
  readonly width_mm: number;
  readonly depth_mm: number;
}

/** How far apart a judge measured two bases, rim to rim. It counts as exact: the judge's word ends the doubt. */
export interface TapeReading {
  readonly a: string;
  readonly b: string;
  readonly value_in: number;
}

/** The pair's sheet by the tape, with camera and tape side by side. */
export interface Taped {
  readonly sheet: Sheet;
  readonly compared: Compared | null;
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
