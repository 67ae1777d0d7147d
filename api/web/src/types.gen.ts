// Written by scripts/phone_types.py from the server's classes. Do not edit.

/** Whether these two touch, as seen by eye; ends when either moves. */
export interface AboutContact {
  readonly do: "contact";
  readonly a: string;
  readonly b: string;
  readonly is_touching: boolean;
  /** where the named ones stood; the server notes it, and it ends with a move */
  readonly seen_mm: Readonly<Record<string, readonly [number, number]>>;
}

/** Whether these two touch, as seen by eye; ends when either moves. */
export interface AboutContactGiven {
  readonly do: "contact";
  readonly a: string;
  readonly b: string;
  readonly is_touching?: boolean;
  /** where the named ones stood; the server notes it, and it ends with a move */
  readonly seen_mm?: Readonly<Record<string, readonly [number, number]>>;
}

/** What these miniatures are. What is left out, or null, stays as it was. */
export interface AboutMiniature {
  readonly do: "miniature";
  readonly ids: readonly string[];
  readonly name: string | null;
  readonly side: string | null;
  /** one that is not there yet is made */
  readonly unit: string | null;
  readonly type: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly role: readonly ("commander" | "officer" | "standard" | "musician" | "champion" | "gunner" | "general" | "battle-standard" | "character" | "wizard" | "marshal")[] | null;
  readonly base: RoundBase | RectBase | OvalBase | null;
  readonly profile: Profile | null;
  readonly status: readonly ("knocked-down" | "stationary" | "inert" | "wild" | "autonomous" | "frenzied" | "fleeing" | "cowering" | "solid" | "shield-wall" | "out-of-formation" | "cannot-attack" | "disabled" | "crippled-movement" | "movement-barred" | "hidden" | "stupid" | "removed")[] | null;
  /** which way it looks; ends when it moves */
  readonly facing_deg: number | null;
  /** where the named ones stood; the server notes it, and it ends with a move */
  readonly seen_mm: Readonly<Record<string, readonly [number, number]>>;
}

/** What these miniatures are. What is left out, or null, stays as it was. */
export interface AboutMiniatureGiven {
  readonly do: "miniature";
  readonly ids: readonly string[];
  readonly name?: string | null;
  readonly side?: string | null;
  /** one that is not there yet is made */
  readonly unit?: string | null;
  readonly type?: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly role?: readonly ("commander" | "officer" | "standard" | "musician" | "champion" | "gunner" | "general" | "battle-standard" | "character" | "wizard" | "marshal")[] | null;
  readonly base?: RoundBaseGiven | RectBaseGiven | OvalBaseGiven | null;
  readonly profile?: ProfileGiven | null;
  readonly status?: readonly ("knocked-down" | "stationary" | "inert" | "wild" | "autonomous" | "frenzied" | "fleeing" | "cowering" | "solid" | "shield-wall" | "out-of-formation" | "cannot-attack" | "disabled" | "crippled-movement" | "movement-barred" | "hidden" | "stupid" | "removed")[] | null;
  /** which way it looks; ends when it moves */
  readonly facing_deg?: number | null;
  /** where the named ones stood; the server notes it, and it ends with a move */
  readonly seen_mm?: Readonly<Record<string, readonly [number, number]>>;
}

/** What the whole table is played by. What is left out, or null, stays as it was. */
export interface AboutTable {
  readonly do: "table";
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | null;
  readonly house_rules: Readonly<Record<string, string>> | null;
  readonly scenario: Scenario | null;
  readonly sides: readonly Side[] | null;
  readonly turn: Turn | null;
  readonly contact_tolerance_mm: number | null;
  readonly still_tolerance_mm: number | null;
  readonly facing_tolerance_deg: number | null;
}

/** What the whole table is played by. What is left out, or null, stays as it was. */
export interface AboutTableGiven {
  readonly do: "table";
  readonly edition?: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | null;
  readonly house_rules?: Readonly<Record<string, string>> | null;
  readonly scenario?: ScenarioGiven | null;
  readonly sides?: readonly SideGiven[] | null;
  readonly turn?: TurnGiven | null;
  readonly contact_tolerance_mm?: number | null;
  readonly still_tolerance_mm?: number | null;
  readonly facing_tolerance_deg?: number | null;
}

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
  /** why distances may not be measured now, and what would allow it */
  readonly refused: string | null;
  /** its front arc, asked about the nearest other; null: nobody to ask about */
  readonly front: Verdict | null;
  readonly rings: readonly Ring[];
  readonly others: readonly Other[];
}

/** The phone missed something. */
export interface AskSnapshot {
  readonly type: "snapshot";
}

/** A ranked unit written as a block instead of one by one. */
export interface Block {
  readonly front_mm: readonly [number, number];
  readonly facing_deg: number;
  readonly files: number;
  readonly count: number;
  readonly base: RoundBase | RectBase | OvalBase;
  readonly type: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly profile: Profile;
  readonly gap_mm: number;
  readonly sigma: Sigma;
}

/** A ranked unit written as a block instead of one by one. */
export interface BlockGiven {
  readonly front_mm: readonly [number, number];
  readonly facing_deg: number;
  readonly files: number;
  readonly count: number;
  readonly base: RoundBaseGiven | RectBaseGiven | OvalBaseGiven;
  readonly type?: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly profile?: ProfileGiven;
  readonly gap_mm?: number;
  readonly sigma?: SigmaGiven;
}

/** One rulebook, with the bases, kinds of terrain and scenarios it knows. */
export interface Book {
  readonly id: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9";
  readonly book: string;
  readonly bases: readonly (RoundBase | RectBase | OvalBase)[];
  readonly terrain: readonly ("rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable")[];
  readonly scenarios: readonly string[];
}

/** What the camera sends, and how surely it knows the table. */
export interface CameraHealth {
  /** that were looked at */
  readonly frames_per_s: number;
  readonly size_px: readonly [number, number];
  /** of the sharpest picture so far; less: out of focus, or moved */
  readonly sharpness: number;
  /** mean grey level */
  readonly brightness: number;
  readonly exposure: "good" | "dark" | "bright";
  /** what the lens's calibration leaves, on views that it did not see */
  readonly calibration_px: number;
  /** how far the table's worst corner may be off by the pose */
  readonly table_sigma_mm: number | null;
}

/** The chair a player wants to take. */
export interface Chair {
  readonly seat: "player-a" | "player-b";
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

export type Correction = AboutMiniatureGiven | LayGiven | TakeAway | AboutContactGiven | AboutTableGiven | Reject | SeveralGiven;

/** A size of which another number is seen than is expected; `left` have stood here and left the table since. */
export interface Counted {
  readonly base: RoundBase | RectBase | OvalBase;
  readonly expected: number;
  readonly seen: number;
  readonly left: number;
}

/** The referee's word on a way: the move, and where free strikes fall on it when there are any. */
export interface Course {
  readonly state_id: string;
  readonly who: string;
  readonly reach_in: number;
  readonly speed_in: number;
  readonly lines: readonly Line[];
}

/** What has been announced; it opens the licences to measure. */
export interface Declared {
  readonly what: "charge" | "slam" | "trample" | "throw" | "ranged-attack" | "melee-attack" | "push" | "power-attack" | "spell" | "ability" | "move" | "check";
  readonly by: string;
  readonly target: string | null;
  readonly weapon: string | null;
  readonly range_in: number | null;
  readonly heading_deg: number | null;
  readonly participants: readonly string[];
}

/** What has been announced; it opens the licences to measure. */
export interface DeclaredGiven {
  readonly what: "charge" | "slam" | "trample" | "throw" | "ranged-attack" | "melee-attack" | "push" | "power-attack" | "spell" | "ability" | "move" | "check";
  readonly by: string;
  readonly target?: string | null;
  readonly weapon?: string | null;
  readonly range_in?: number | null;
  readonly heading_deg?: number | null;
  readonly participants?: readonly string[];
}

/** One charge, cast or attack of this turn. */
export interface Deed {
  readonly what: string;
  readonly by: string;
  readonly target: string | null;
}

/** One charge, cast or attack of this turn. */
export interface DeedGiven {
  readonly what: string;
  readonly by: string;
  readonly target?: string | null;
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

/** A cloud, aura, template or marker; it may stand `on` a thing with `radius_in` from its edge. */
export interface Effect {
  readonly polygon_mm: readonly (readonly [number, number])[] | null;
  readonly centre_mm: readonly [number, number] | null;
  readonly diameter_mm: number | null;
  readonly line_mm: readonly (readonly [number, number])[] | null;
  readonly thickness_mm: number | null;
  readonly sigma_mm: number;
  readonly id: string;
  readonly kind: "cloud" | "fog" | "burning" | "aura" | "template" | "vortex" | "area" | "marker";
  readonly name: string | null;
  readonly by: string | null;
  readonly side: string | null;
  readonly on: string | null;
  readonly radius_in: number | null;
  readonly ground: "open" | "rough" | "half-rate" | "dangerous" | "deep-water" | "impassable" | null;
  readonly grants: "none" | "concealment" | "cover" | "soft" | "hard" | null;
  readonly blocks_sight: "none" | "solid" | "forest" | "all" | null;
  readonly hazard: string | null;
  readonly counts_source: boolean | null;
  readonly heading_deg: number | null;
}

/** A cloud, aura, template or marker; it may stand `on` a thing with `radius_in` from its edge. */
export interface EffectGiven {
  readonly polygon_mm?: readonly (readonly [number, number])[] | null;
  readonly centre_mm?: readonly [number, number] | null;
  readonly diameter_mm?: number | null;
  readonly line_mm?: readonly (readonly [number, number])[] | null;
  readonly thickness_mm?: number | null;
  readonly sigma_mm?: number;
  readonly id: string;
  readonly kind: "cloud" | "fog" | "burning" | "aura" | "template" | "vortex" | "area" | "marker";
  readonly name?: string | null;
  readonly by?: string | null;
  readonly side?: string | null;
  readonly on?: string | null;
  readonly radius_in?: number | null;
  readonly ground?: "open" | "rough" | "half-rate" | "dangerous" | "deep-water" | "impassable" | null;
  readonly grants?: "none" | "concealment" | "cover" | "soft" | "hard" | null;
  readonly blocks_sight?: "none" | "solid" | "forest" | "all" | null;
  readonly hazard?: string | null;
  readonly counts_source?: boolean | null;
  readonly heading_deg?: number | null;
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
  /** between the two places, straight */
  readonly distance_mm: number | null;
  /** of that distance */
  readonly sigma_mm: number | null;
  /** where it was seen in between; empty when a hand hid it */
  readonly path: readonly Waypoint[];
  /** at least so far along the path, straight where it was not seen */
  readonly travelled_mm: number | null;
  /** when it was seen to be in a hand, if it was, before that */
  readonly lifted_s: number | null;
  /** that it is these miniatures to which it happened */
  readonly confidence: number | null;
  /** of an unsure line, and of the line that settles it */
  readonly question: string | null;
  readonly places_mm: readonly (readonly [number, number])[];
  readonly namings: readonly Naming[];
  readonly renamed: Readonly<Record<string, string>> | null;
  readonly since_s: number | null;
  readonly detail: string | null;
}

/** A miniature that will stand on the table, or several alike. */
export interface Expected {
  readonly name: string;
  readonly side: string | null;
  readonly unit: string | null;
  readonly type: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly base: RoundBase | RectBase | OvalBase;
  readonly profile: Profile;
  readonly count: number;
}

/** A miniature that will stand on the table, or several alike. */
export interface ExpectedGiven {
  readonly name: string;
  readonly side?: string | null;
  readonly unit?: string | null;
  readonly type?: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly base: RoundBaseGiven | RectBaseGiven | OvalBaseGiven;
  readonly profile?: ProfileGiven;
  readonly count?: number;
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

/** An expected miniature, those on the table that bear its name, and those of its base that bear none. */
export interface Found {
  readonly expected: Expected;
  readonly named: readonly string[];
  readonly may_be: readonly string[];
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
  /** lifted, and neither put down nor gone yet */
  readonly in_hand: readonly string[];
  readonly is_settled: boolean;
  readonly is_visible: boolean;
  readonly source: "starting" | "playing" | "still" | "ended" | "lost";
  /** covered by something; they are taken to stand where they stood */
  readonly hidden: readonly string[];
  /** null: no camera, or nothing of it is known yet */
  readonly camera: CameraHealth | null;
  /** sizes of which more or fewer are seen than are expected */
  readonly amiss: readonly Counted[];
}

/** Where a miniature is thought of as standing; the doubt of its place stays what it is. */
export interface Ghost {
  readonly at_mm: readonly [number, number];
  /** which way it would look; as it looks now when left out */
  readonly facing_deg?: number | null;
}

/** A table from afar. */
export interface Glance {
  readonly title: string;
  /** null: nothing has been seen yet */
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | null;
  readonly scenario: string | null;
  readonly turn: Turn | null;
  readonly miniatures: number;
  readonly fresh: Freshness;
  readonly problem: Problem | null;
  /** how many devices hold each seat */
  readonly devices: Readonly<Record<string, number>>;
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

/** The first word: whom the phone speaks to, and as whom. A snapshot follows; neither side minds unknown types. */
export interface Hello {
  readonly type: "hello";
  readonly version: 1;
  readonly title: string;
  readonly seat: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly rights: readonly Right[];
}

/** A code to hand out; `path` is what a QR code shows behind the server's address. */
export interface Invitation {
  readonly opens: "players" | "judge" | "viewer" | "overlay";
  readonly code: string;
  readonly path: string;
}

/** The code somebody scanned or typed; case, blanks and dashes do not matter. */
export interface Join {
  readonly code: string;
}

export type JsonValue = unknown;

/** Which parts of the table as it is now to keep. */
export interface Keep {
  readonly parts?: readonly ("terrain" | "rules" | "expected")[];
}

/** A kind that it may be. */
export interface KindGuess {
  readonly kind: "rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable";
  readonly probability: number;
}

/** These things lie on the table; one with an id that is there already takes its place. */
export interface Lay {
  readonly do: "lay";
  readonly terrain: readonly Terrain[];
  readonly effects: readonly Effect[];
  readonly objectives: readonly Objective[];
  readonly zones: readonly Zone[];
  readonly units: readonly Unit[];
}

/** These things lie on the table; one with an id that is there already takes its place. */
export interface LayGiven {
  readonly do: "lay";
  readonly terrain?: readonly TerrainGiven[];
  readonly effects?: readonly EffectGiven[];
  readonly objectives?: readonly ObjectiveGiven[];
  readonly zones?: readonly ZoneGiven[];
  readonly units?: readonly UnitGiven[];
}

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

/** What a unit may do: go by `steps`, charge another, or flee from it. */
export interface Manoeuvre {
  /** melee reach of those without a card; 0.5 when left out */
  readonly reach_in?: number | null;
  /** speed of those without a card; 6 when left out */
  readonly speed_in?: number | null;
  /** which way the players say that miniatures look */
  readonly facings_deg?: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */
  readonly ghosts?: Readonly<Record<string, Ghost>>;
  readonly who: string;
  readonly do: "move" | "march" | "charge" | "flee";
  /** of a move or a march, in their order */
  readonly steps?: readonly StepGiven[];
  /** whom it charges, or from whom it flees */
  readonly other?: string | null;
  /** how far it flees, as rolled */
  readonly roll_in?: number | null;
}

/** A length on the table with its own doubt. */
export interface Measured {
  readonly name: string;
  readonly value_mm: number;
  readonly sigma_mm: number;
}

export interface MeleeWeapon {
  readonly name: string;
  readonly reach_in: number;
  readonly location: string | null;
  readonly rules: readonly ("open-fist" | "shield" | "buckler" | "mount" | "gunner-only" | "locked" | "crippled" | "spear" | "pike" | "lance" | "volley-fire" | "multiple-shots" | "move-or-fire" | "quick-to-fire" | "slow-to-fire" | "sniper" | "indirect")[];
}

export interface MeleeWeaponGiven {
  readonly name: string;
  readonly reach_in?: number;
  readonly location?: string | null;
  readonly rules?: readonly ("open-fist" | "shield" | "buckler" | "mount" | "gunner-only" | "locked" | "crippled" | "spear" | "pike" | "lance" | "volley-fire" | "multiple-shots" | "move-or-fire" | "quick-to-fire" | "slow-to-fire" | "sniper" | "indirect")[];
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

/** One way to say who stands at the places in question, in their order, and how likely it is. null: somebody new. */
export interface Naming {
  readonly ids: readonly (string | null)[];
  readonly probability: number;
}

/** A sentence for the players. */
export interface Notice {
  readonly type: "notice";
  readonly seq: number;
  readonly text: string;
}

/** A flag, marker, treasure or tower; or the terrain piece it is. */
export interface Objective {
  readonly id: string;
  readonly kind: "flag" | "marker" | "treasure" | "tower";
  readonly at_mm: readonly [number, number] | null;
  readonly diameter_mm: number;
  readonly terrain: string | null;
}

/** A flag, marker, treasure or tower; or the terrain piece it is. */
export interface ObjectiveGiven {
  readonly id: string;
  readonly kind: "flag" | "marker" | "treasure" | "tower";
  readonly at_mm?: readonly [number, number] | null;
  readonly diameter_mm?: number;
  readonly terrain?: string | null;
}

/** A door the players agreed on. */
export interface Opening {
  readonly at_mm: readonly [number, number];
  readonly to_mm: readonly [number, number];
  readonly bases_mm: readonly number[];
}

/** A door the players agreed on. */
export interface OpeningGiven {
  readonly at_mm: readonly [number, number];
  readonly to_mm: readonly [number, number];
  readonly bases_mm?: readonly number[];
}

/** Another miniature as seen from this one: how far off, and the threats that hold. */
export interface Other {
  readonly id: string;
  readonly is_enemy: boolean;
  /** null: may not be measured now */
  readonly distance_mm: number | null;
  readonly sigma_mm: number | null;
  readonly lines: readonly Line[];
}

/** A table of the hall, and where its server answers. */
export interface OtherTable {
  readonly name: string;
  readonly url: string;
}

/** An ellipse; `width_mm` is its extent across the facing. */
export interface OvalBase {
  readonly shape: "oval";
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly counts_as_mm: number | null;
}

/** An ellipse; `width_mm` is its extent across the facing. */
export interface OvalBaseGiven {
  readonly shape?: "oval";
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly counts_as_mm?: number | null;
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

export interface Pose {
  readonly at_mm: readonly [number, number];
  readonly facing_deg: number | null;
  readonly elevation_mm: number | null;
}

export interface PoseGiven {
  readonly at_mm: readonly [number, number];
  readonly facing_deg?: number | null;
  readonly elevation_mm?: number | null;
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

/** Numbers and words of a card; inches as printed. */
export interface Profile {
  readonly spd_in: number | null;
  readonly spd_bonus_in: number;
  readonly spd_penalty_in: number;
  readonly strength: number | null;
  readonly defence: number | null;
  readonly cmd_in: number | null;
  readonly control_stat: number | null;
  readonly bs: number | null;
  readonly ld: number | null;
  readonly wounds: number | null;
  readonly unit_strength: number | null;
  readonly melee: readonly MeleeWeapon[];
  readonly ranged: readonly RangedWeapon[];
  readonly spells: readonly Spell[];
  readonly abilities: readonly ("stealth" | "eyeless-sight" | "incorporeal" | "ethereal" | "flight" | "fly" | "hover" | "pathfinder" | "strider" | "amphibious" | "aquatic" | "arc-node" | "commander" | "officer" | "jack-marshal" | "battlegroup-commander" | "standard-bearer" | "gunfighter" | "assault" | "parry" | "massive" | "combined-melee-attack" | "combined-ranged-attack" | "cavalry" | "light-cavalry" | "ride-by" | "advance-deployment" | "ambush" | "scouts" | "vanguard" | "ambushers" | "terror" | "abomination" | "fearless" | "construct" | "stubborn" | "expendable" | "immunity-psychology" | "unbreakable" | "towering" | "sentient" | "mixed-unit" | "skirmishers" | "fast-cavalry" | "swiftstride" | "barding" | "random-movement" | "frenzy" | "stupidity" | "impact-hits" | "stomp" | "breath-weapon")[];
}

/** Numbers and words of a card; inches as printed. */
export interface ProfileGiven {
  readonly spd_in?: number | null;
  readonly spd_bonus_in?: number;
  readonly spd_penalty_in?: number;
  readonly strength?: number | null;
  readonly defence?: number | null;
  readonly cmd_in?: number | null;
  readonly control_stat?: number | null;
  readonly bs?: number | null;
  readonly ld?: number | null;
  readonly wounds?: number | null;
  readonly unit_strength?: number | null;
  readonly melee?: readonly MeleeWeaponGiven[];
  readonly ranged?: readonly RangedWeaponGiven[];
  readonly spells?: readonly SpellGiven[];
  readonly abilities?: readonly ("stealth" | "eyeless-sight" | "incorporeal" | "ethereal" | "flight" | "fly" | "hover" | "pathfinder" | "strider" | "amphibious" | "aquatic" | "arc-node" | "commander" | "officer" | "jack-marshal" | "battlegroup-commander" | "standard-bearer" | "gunfighter" | "assault" | "parry" | "massive" | "combined-melee-attack" | "combined-ranged-attack" | "cavalry" | "light-cavalry" | "ride-by" | "advance-deployment" | "ambush" | "scouts" | "vanguard" | "ambushers" | "terror" | "abomination" | "fearless" | "construct" | "stubborn" | "expendable" | "immunity-psychology" | "unbreakable" | "towering" | "sentient" | "mixed-unit" | "skirmishers" | "fast-cavalry" | "swiftstride" | "barding" | "random-movement" | "frenzy" | "stupidity" | "impact-hits" | "stomp" | "breath-weapon")[];
}

/** What may be terrain, a template or a token and is not laid yet. */
export interface Proposals {
  readonly terrain: readonly ProposedTerrain[];
  /** flat and round: templates of the sizes there are, tokens */
  readonly discs: readonly ProposedDisc[];
  readonly is_hand_in_the_way: boolean;
}

/** A flat disc lies there that is no base: a template of a known size, or a token as large as it was measured. */
export interface ProposedDisc {
  readonly what: "template" | "token";
  readonly id: string;
  readonly centre_mm: readonly [number, number];
  readonly diameter_mm: number;
  /** of the centre, per axis */
  readonly sigma_mm: number;
  /** 0: one of the sizes there are */
  readonly diameter_sigma_mm: number;
}

/** A piece of terrain may lie there. What is missing of the kinds' probabilities to 1 is that of any other. */
export interface ProposedTerrain {
  readonly what: "terrain";
  readonly id: string;
  readonly polygon_mm: readonly (readonly [number, number])[];
  /** of a place on the outline, across it */
  readonly sigma_mm: number;
  /** likeliest first; none: nothing tells what it is */
  readonly kinds: readonly KindGuess[];
}

export interface RangedWeapon {
  readonly name: string;
  /** range, or least and most */
  readonly rng_in: number | readonly [number, number] | null;
  readonly rof: number | null;
  readonly aoe_in: number | null;
  readonly spray_in: number | null;
  readonly template: string | null;
  readonly location: string | null;
  readonly rules: readonly ("open-fist" | "shield" | "buckler" | "mount" | "gunner-only" | "locked" | "crippled" | "spear" | "pike" | "lance" | "volley-fire" | "multiple-shots" | "move-or-fire" | "quick-to-fire" | "slow-to-fire" | "sniper" | "indirect")[];
}

export interface RangedWeaponGiven {
  readonly name: string;
  /** range, or least and most */
  readonly rng_in?: number | readonly [number, number] | null;
  readonly rof?: number | null;
  readonly aoe_in?: number | null;
  readonly spray_in?: number | null;
  readonly template?: string | null;
  readonly location?: string | null;
  readonly rules?: readonly ("open-fist" | "shield" | "buckler" | "mount" | "gunner-only" | "locked" | "crippled" | "spear" | "pike" | "lance" | "volley-fire" | "multiple-shots" | "move-or-fire" | "quick-to-fire" | "slow-to-fire" | "sniper" | "indirect")[];
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

/** A rectangle; `width_mm` is its front edge. */
export interface RectBaseGiven {
  readonly shape?: "rect";
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly counts_as_mm?: number | null;
}

/** What this one phone said made no sense; carries no `seq`, since nothing changed. */
export interface Refused {
  readonly type: "refused";
  readonly problem: Problem;
}

/** There is no terrain within this outline, whatever the picture suggests: it is proposed no more. */
export interface Reject {
  readonly do: "reject";
  readonly polygon_mm: readonly (readonly [number, number])[];
}

/** What a seat may do. */
export type Right = "watch" | "ask" | "correct" | "mind" | "invite" | "rule" | "air";

/** All that is within a length of the base; the verdict's witness is the ring, its members say who is inside. */
export interface Ring {
  readonly slot: "reach" | "walk" | "charge" | "command" | "control" | "told";
  readonly length_in: number;
  /** whether a length in it stands on no card */
  readonly is_supposed: boolean;
  readonly verdict: Verdict;
}

/** Who is expected. */
export interface Roster {
  readonly expected: readonly ExpectedGiven[];
}

/** A disc. */
export interface RoundBase {
  readonly shape: "round";
  readonly diameter_mm: number;
  /** size in comparisons, if not the plastic's */
  readonly counts_as_mm: number | null;
}

/** A disc. */
export interface RoundBaseGiven {
  readonly shape?: "round";
  readonly diameter_mm: number;
  /** size in comparisons, if not the plastic's */
  readonly counts_as_mm?: number | null;
}

/** What a table is played by. */
export interface Rules {
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9";
  readonly house_rules?: Readonly<Record<string, string>>;
  readonly scenario?: ScenarioGiven | null;
  readonly sides?: readonly SideGiven[];
}

export type Said = AskSnapshot | WantPictures;

/** The printed scenario, and what has been scored of it. */
export interface Scenario {
  readonly name: string | null;
  readonly points: Readonly<Record<string, number>>;
  readonly scored: readonly string[];
}

/** The printed scenario, and what has been scored of it. */
export interface ScenarioGiven {
  readonly name?: string | null;
  readonly points?: Readonly<Record<string, number>>;
  readonly scored?: readonly string[];
}

/** How many devices hold each seat, and the codes that the asker may hand out. */
export interface Seated {
  readonly devices: Readonly<Record<string, number>>;
  readonly invitations: readonly Invitation[];
}

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

/** What a table is played with; a part that is null is none of it. */
export interface Setup {
  /** letters, digits, blanks */
  readonly name: string;
  /** of the table it was made for */
  readonly width_mm?: number | null;
  readonly depth_mm?: number | null;
  readonly terrain?: readonly TerrainGiven[] | null;
  readonly objectives?: readonly ObjectiveGiven[];
  readonly zones?: readonly ZoneGiven[];
  readonly rules?: Rules | null;
  readonly expected?: readonly ExpectedGiven[] | null;
}

/** A setup in a few words. */
export interface SetupTold {
  /** letters, digits, blanks */
  readonly name: string;
  readonly parts: readonly ("terrain" | "rules" | "expected")[];
  readonly pieces: number;
}

/** All of these, in their order, as one step. */
export interface Several {
  readonly do: "several";
  readonly corrections: readonly (AboutMiniature | Lay | TakeAway | AboutContact | AboutTable | Reject)[];
}

/** All of these, in their order, as one step. */
export interface SeveralGiven {
  readonly do: "several";
  readonly corrections: readonly (AboutMiniatureGiven | LayGiven | TakeAway | AboutContactGiven | AboutTableGiven | Reject)[];
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

/** A player, where he stands and who his friends are. */
export interface Side {
  readonly id: string;
  readonly edge: "near" | "far" | "left" | "right" | "corner-near-left" | "corner-near-right" | "corner-far-left" | "corner-far-right" | null;
  readonly allies: readonly string[];
  readonly first: boolean;
}

/** A player, where he stands and who his friends are. */
export interface SideGiven {
  readonly id: string;
  readonly edge?: "near" | "far" | "left" | "right" | "corner-near-left" | "corner-near-right" | "corner-far-left" | "corner-far-right" | null;
  readonly allies?: readonly string[];
  readonly first?: boolean;
}

/** A side, and who looks as if on it. */
export interface SideProposed {
  readonly name: string;
  readonly ids: readonly string[];
}

/** Two sides as they look, or none; `unsure` look like either. */
export interface SidesProposed {
  readonly sides: readonly SideProposed[];
  readonly unsure: readonly string[];
  readonly says: string;
}

/** Standard deviations; `at_mm` is per axis. Zero means exact. */
export interface Sigma {
  readonly at_mm: number;
  readonly facing_deg: number;
  readonly elevation_mm: number;
}

/** Standard deviations; `at_mm` is per axis. Zero means exact. */
export interface SigmaGiven {
  readonly at_mm?: number;
  readonly facing_deg?: number;
  readonly elevation_mm?: number;
}

/** Who I am at this table. `token` is told once, to who joins: `Authorization: Bearer TOKEN`. */
export interface Sitting {
  readonly seat: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly rights: readonly Right[];
  readonly has_joined: boolean;
  readonly token: string | null;
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

export interface Spell {
  readonly name: string;
  readonly rng_in: number | string | null;
  readonly aoe_in: number | string | null;
  readonly offensive: boolean;
  readonly type: string | null;
}

export interface SpellGiven {
  readonly name: string;
  readonly rng_in?: number | string | null;
  readonly aoe_in?: number | string | null;
  readonly offensive?: boolean;
  readonly type?: string | null;
}

/** How strong the unit was when something began. */
export interface Started {
  readonly models: number | null;
  readonly strength: number | null;
}

export interface StartedAt {
  readonly battle: Started | null;
  readonly turn: Started | null;
  readonly phase: Started | null;
}

export interface StartedAtGiven {
  readonly battle?: StartedGiven | null;
  readonly turn?: StartedGiven | null;
  readonly phase?: StartedGiven | null;
}

/** How strong the unit was when something began. */
export interface StartedGiven {
  readonly models?: number | null;
  readonly strength?: number | null;
}

/** A manoeuvre of a ranked unit: what it does, by how many inches or degrees. */
export interface Step {
  readonly do: "forward" | "backward" | "left" | "right" | "wheel-left" | "wheel-right" | "pivot";
  readonly by_in: number | null;
  readonly by_deg: number | null;
}

/** A manoeuvre of a ranked unit: what it does, by how many inches or degrees. */
export interface StepGiven {
  readonly do: "forward" | "backward" | "left" | "right" | "wheel-left" | "wheel-right" | "pivot";
  readonly by_in?: number | null;
  readonly by_deg?: number | null;
}

/** A correction with its number, when and by which seat it was made, and whether it was taken back. */
export interface StepMade {
  readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly says: string;
  readonly is_undone: boolean;
  /** the newest line of the journal that made it, took it back or let it hold again */
  readonly changed_n: number;
  /** who wrote that line */
  readonly changed_by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly correction: AboutMiniature | Lay | TakeAway | AboutContact | AboutTable | Reject | Several;
}

/** A correction in a few words; the whole of it is one GET away. */
export interface StepTold {
  readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly says: string;
  readonly is_undone: boolean;
  readonly changed_n: number;
  readonly changed_by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
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
  readonly units: readonly DrawnMiniature[] | null;
  /** null: as before */
  readonly areas: readonly DrawnArea[] | null;
}

export interface TableSize {
  readonly width_mm: number;
  readonly depth_mm: number;
}

/** The tables a judge looks after. */
export interface Tables {
  readonly tables: readonly OtherTable[];
}

/** These are not on the table: terrain that was removed, an effect that ended, a cup taken for a base. */
export interface TakeAway {
  readonly do: "take-away";
  readonly ids: readonly string[];
}

/** A piece of terrain; every property given here overrides what its kind gives in the edition. */
export interface Terrain {
  readonly polygon_mm: readonly (readonly [number, number])[] | null;
  readonly centre_mm: readonly [number, number] | null;
  readonly diameter_mm: number | null;
  readonly line_mm: readonly (readonly [number, number])[] | null;
  readonly thickness_mm: number | null;
  readonly sigma_mm: number;
  readonly id: string;
  readonly kind: "rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable";
  /** top above the table */
  readonly height_mm: number | null;
  readonly bottom_mm: number;
  /** ground under a base that stands there */
  readonly surface_mm: number | null;
  readonly ground: "open" | "rough" | "half-rate" | "dangerous" | "deep-water" | "impassable" | null;
  readonly grants: "none" | "concealment" | "cover" | "soft" | "hard" | null;
  readonly blocks_sight: "none" | "solid" | "forest" | "all" | null;
  readonly elevates: boolean | null;
  readonly level: number | null;
  readonly stand_on: boolean | null;
  readonly sheer: boolean | null;
  readonly floors: number | null;
  readonly openings: readonly Opening[];
  readonly material: string | null;
  readonly complex: boolean;
  readonly sections: readonly (readonly (readonly [number, number])[])[];
  readonly radius_in: number | null;
  readonly effect: string | null;
  readonly secret: boolean;
}

/** A piece of terrain; every property given here overrides what its kind gives in the edition. */
export interface TerrainGiven {
  readonly polygon_mm?: readonly (readonly [number, number])[] | null;
  readonly centre_mm?: readonly [number, number] | null;
  readonly diameter_mm?: number | null;
  readonly line_mm?: readonly (readonly [number, number])[] | null;
  readonly thickness_mm?: number | null;
  readonly sigma_mm?: number;
  readonly id: string;
  readonly kind: "rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable";
  /** top above the table */
  readonly height_mm?: number | null;
  readonly bottom_mm?: number;
  /** ground under a base that stands there */
  readonly surface_mm?: number | null;
  readonly ground?: "open" | "rough" | "half-rate" | "dangerous" | "deep-water" | "impassable" | null;
  readonly grants?: "none" | "concealment" | "cover" | "soft" | "hard" | null;
  readonly blocks_sight?: "none" | "solid" | "forest" | "all" | null;
  readonly elevates?: boolean | null;
  readonly level?: number | null;
  readonly stand_on?: boolean | null;
  readonly sheer?: boolean | null;
  readonly floors?: number | null;
  readonly openings?: readonly OpeningGiven[];
  readonly material?: string | null;
  readonly complex?: boolean;
  readonly sections?: readonly (readonly (readonly [number, number])[])[];
  readonly radius_in?: number | null;
  readonly effect?: string | null;
  readonly secret?: boolean;
}

/** What a miniature or unit did since its activation (W: its move) began. */
export interface ThisTurn {
  readonly start: Pose | UnitPose | null;
  readonly path_mm: readonly (readonly [number, number])[] | null;
  readonly steps: readonly Step[] | null;
  readonly moved: readonly ("advance" | "run" | "charge" | "slam" | "trample" | "march" | "fly" | "reform" | "swift-reform" | "vanguard" | "random" | "flee" | "pursuit" | "overrun" | "pivot" | "placed" | "pushed" | "slammed" | "thrown" | "reinforced")[];
  readonly charged: string | null;
  readonly charge_failed: boolean;
  readonly charge_side: "front" | "left" | "right" | "rear" | null;
  readonly forfeited: readonly ("movement" | "action")[];
  readonly attacked: boolean;
  readonly shot: boolean;
  readonly cast: boolean;
  readonly stood_up: boolean;
  readonly rallied: boolean;
  readonly joined: boolean;
  readonly tested: boolean;
  readonly engaged_before: readonly string[];
  readonly entered: readonly string[];
  readonly knocked_down_in: string | null;
}

/** What a miniature or unit did since its activation (W: its move) began. */
export interface ThisTurnGiven {
  readonly start?: PoseGiven | UnitPoseGiven | null;
  readonly path_mm?: readonly (readonly [number, number])[] | null;
  readonly steps?: readonly StepGiven[] | null;
  readonly moved?: readonly ("advance" | "run" | "charge" | "slam" | "trample" | "march" | "fly" | "reform" | "swift-reform" | "vanguard" | "random" | "flee" | "pursuit" | "overrun" | "pivot" | "placed" | "pushed" | "slammed" | "thrown" | "reinforced")[];
  readonly charged?: string | null;
  readonly charge_failed?: boolean;
  readonly charge_side?: "front" | "left" | "right" | "rear" | null;
  readonly forfeited?: readonly ("movement" | "action")[];
  readonly attacked?: boolean;
  readonly shot?: boolean;
  readonly cast?: boolean;
  readonly stood_up?: boolean;
  readonly rallied?: boolean;
  readonly joined?: boolean;
  readonly tested?: boolean;
  readonly engaged_before?: readonly string[];
  readonly entered?: readonly string[];
  readonly knocked_down_in?: string | null;
}

export type Told = Hello | Snapshot | TableChange | PictureChange | FreshChange | Trouble | Happened | Notice | CheckDone | StepsChange | Refused;

/** A movement tray seen: it groups, and is never measured. */
export interface Tray {
  readonly at_mm: readonly [number, number];
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly facing_deg: number;
}

/** Something is wrong; null: it is over. */
export interface Trouble {
  readonly type: "trouble";
  readonly seq: number;
  readonly problem: Problem | null;
}

export interface Turn {
  readonly round: number | null;
  readonly active: string | null;
  readonly phase: "set-up" | "maintenance" | "control" | "activation" | "charge" | "compulsory" | "movement" | "magic" | "shooting" | "combat" | null;
  readonly activating: string | null;
  readonly declared: Declared | null;
  readonly log: readonly Deed[];
}

export interface TurnGiven {
  readonly round?: number | null;
  readonly active?: string | null;
  readonly phase?: "set-up" | "maintenance" | "control" | "activation" | "charge" | "compulsory" | "movement" | "magic" | "shooting" | "combat" | null;
  readonly activating?: string | null;
  readonly declared?: DeclaredGiven | null;
  readonly log?: readonly DeedGiven[];
}

export interface Unit {
  readonly id: string;
  readonly name: string | null;
  readonly side: string | null;
  readonly formation: "command" | "skirmish" | "open" | "tight" | "ranked" | "squeezing" | "garrison" | null;
  readonly commander: string | null;
  readonly command_in: number | null;
  readonly standard: string | boolean | null;
  readonly musician: string | boolean | null;
  readonly champion: string | boolean | null;
  readonly spacing_in: number | null;
  readonly orders: readonly ("charge" | "run" | "shield-wall" | "ride-by")[];
  readonly started: StartedAt | null;
  readonly worth: number;
  readonly block: Block | null;
  readonly tray: Tray | null;
  readonly this_turn: ThisTurn;
}

export interface UnitGiven {
  readonly id: string;
  readonly name?: string | null;
  readonly side?: string | null;
  readonly formation?: "command" | "skirmish" | "open" | "tight" | "ranked" | "squeezing" | "garrison" | null;
  readonly commander?: string | null;
  readonly command_in?: number | null;
  readonly standard?: string | boolean | null;
  readonly musician?: string | boolean | null;
  readonly champion?: string | boolean | null;
  readonly spacing_in?: number | null;
  readonly orders?: readonly ("charge" | "run" | "shield-wall" | "ride-by")[];
  readonly started?: StartedAtGiven | null;
  readonly worth?: number;
  readonly block?: BlockGiven | null;
  readonly tray?: Tray | null;
  readonly this_turn?: ThisTurnGiven;
}

/** The pose of a ranked unit: the middle of its front edge and where it looks. */
export interface UnitPose {
  readonly front_mm: readonly [number, number];
  readonly facing_deg: number;
  readonly files: number | null;
}

/** The pose of a ranked unit: the middle of its front edge and where it looks. */
export interface UnitPoseGiven {
  readonly front_mm: readonly [number, number];
  readonly facing_deg: number;
  readonly files?: number | null;
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

/** Where a miniature was seen while it was moved, as if it stood on the table there. */
export interface Waypoint {
  readonly t_s: number;
  readonly at_mm: readonly [number, number];
  readonly sigma_mm: number;
}

/** The step that is meant; the obvious one when left out. */
export interface WhichStep {
  readonly n?: number | null;
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

/** A scenario area, or where whose army may start. */
export interface Zone {
  readonly polygon_mm: readonly (readonly [number, number])[] | null;
  readonly centre_mm: readonly [number, number] | null;
  readonly diameter_mm: number | null;
  readonly line_mm: readonly (readonly [number, number])[] | null;
  readonly thickness_mm: number | null;
  readonly sigma_mm: number;
  readonly id: string;
  readonly kind: "control" | "deployment" | "advance" | "outflank" | "corner" | "lane";
  readonly side: string | null;
}

/** A scenario area, or where whose army may start. */
export interface ZoneGiven {
  readonly polygon_mm?: readonly (readonly [number, number])[] | null;
  readonly centre_mm?: readonly [number, number] | null;
  readonly diameter_mm?: number | null;
  readonly line_mm?: readonly (readonly [number, number])[] | null;
  readonly thickness_mm?: number | null;
  readonly sigma_mm?: number;
  readonly id: string;
  readonly kind: "control" | "deployment" | "advance" | "outflank" | "corner" | "lane";
  readonly side?: string | null;
}
