// Written by scripts/generate_ts_types.py from the server's classes. Do not edit.
type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** Some of those that are expected stand nowhere for a reason: casualties, or in reserve. The roll misses them no more. */
export interface AbsenceCorrection {
  readonly do: "absent";
  readonly why: "casualty" | "in-reserve";
  readonly side: string | null;
  /** their size; null: any */ readonly base: RoundBase | RectBase | OvalBase | null;
  readonly count: number;
  /** of an army list, whose they are; null: nobody says */ readonly entry: string | null;
}

export interface AbsenceCorrectionGiven extends Optional<Omit<AbsenceCorrection, "base">, "side" | "count" | "entry"> {
  /** their size; null: any */ readonly base?: RoundBaseGiven | RectBaseGiven | OvalBaseGiven | null;
}

/** Something that is not as it should be. The same `code` again takes its place. */
export interface Alarm {
  /** such as `journal`, `step-17` or `worker` */ readonly code: string;
  readonly says: string;
  /** seconds since 1970 */ readonly since_s: number;
}

/** What is not as it should be with the server itself, whole; none: all is well again. */
export interface AlarmsChange { readonly type: "alarms"; readonly seq: number; readonly alarms: readonly Alarm[]; }

export type Answer = "yes" | "no" | "too-close";

/** How a unit of an army list fares, beside its bases on the table. What is left out, or null, stays as it was. */
export interface ArmyCorrection {
  readonly do: "army";
  /** the unit of the list, or the entry of a single miniature */ readonly unit: string;
  readonly is_in_reserve: boolean | null;
  /** of which unit of the list; empty: of none */ readonly inside: string | null;
  /** wounds or boxes as a player writes them */ readonly damage: string | null;
  readonly is_activated: boolean | null;
  readonly note: string | null;
}

export type ArmyCorrectionGiven = Optional<ArmyCorrection, "is_in_reserve" | "inside" | "damage" | "is_activated" | "note">;

/** An army list that was laid out: whose, of which game, and what of it is open or was not understood. */
export interface ArmyList {
  readonly side: string;
  readonly name: string | null;
  readonly game: string | null;
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open" | null;
  readonly miniatures: number;
  readonly questions: readonly ListQuestion[];
  readonly remarks: readonly string[];
}

export interface ArmyListGiven extends Optional<Omit<ArmyList, "questions">, "name" | "game" | "edition" | "remarks"> { readonly questions?: readonly ListQuestionGiven[]; }

/** What a list costs, and what of it is destroyed: units of which nobody is left. */
export interface ArmyPoints { readonly side: string; readonly total: number; readonly destroyed: number; }

/** A unit of a list and how it fares; a single miniature is a unit of one. */
export interface ArmyUnit {
  /** its key in corrections `army` */ readonly unit: string;
  readonly side: string | null;
  readonly name: string;
  readonly count: number;
  readonly casualties: number;
  /** nobody of it is left */ readonly is_destroyed: boolean;
  /** as its list says; null: it says nothing */ readonly points: number | null;
  readonly state: UnitState;
}

/** The phone missed something. */
export interface AskSnapshot { readonly type: "snapshot"; }

/** A size that a base may have, and how likely that is. */
export interface BaseAlternative { readonly base: RoundBase | RectBase | OvalBase; readonly probability: number; }

/** A base stands here that the camera missed, or the one that it calls `id` is of this size and stands here. */
export interface BaseCorrection {
  readonly do: "base";
  readonly at_mm: readonly [number, number];
  /** of a measured miniature, which is changed; else what the added one is called */ readonly id: string;
  readonly base: RoundBase | RectBase | OvalBase;
  /** of an oval or a rectangle: where its depth runs, anticlockwise from +x, or the other way */
  readonly turn_deg: number | null;
  /** how exactly the place is pointed at, per axis */ readonly sigma_mm: number;
  readonly seen_mm: readonly [number, number] | null;
  readonly seen_base: RoundBase | RectBase | OvalBase | null;
  readonly measured_id: string | null;
  readonly is_over: boolean;
}

export interface BaseCorrectionGiven extends Optional<Omit<BaseCorrection, "base" | "seen_base">, "turn_deg" | "sigma_mm" | "seen_mm" | "measured_id" | "is_over"> {
  readonly base: RoundBaseGiven | RectBaseGiven | OvalBaseGiven;
  readonly seen_base?: RoundBaseGiven | RectBaseGiven | OvalBaseGiven | null;
}

/** All that the judge's page shows besides the table. */
export interface Bench {
  /** the server's clock, seconds since 1970 */ readonly now_s: number;
  readonly title: string;
  readonly clocks: ClocksView | null;
  readonly rulings: readonly RulingSummary[];
  readonly production: Production;
  /** what is on air or waits to be resolved */ readonly on_air: OnAirPreview | null;
  readonly scoreboard: Scoreboard;
  /** players may measure everything at earlier moments */ readonly is_past_open: boolean;
  /** what is not as it should be with the server itself */ readonly alarms: readonly Alarm[];
  /** whom players asked about last, the oldest first; no journal has it */ readonly asked: readonly Moment[];
}

/** How often the light is black for a look, and for how long. */
export interface Blink { readonly every_ms: number; readonly black_ms: number; }

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
  /** height of the body of each, where it is told */ readonly body_mm: number | null;
  readonly sigma: Sigma;
}

export interface BlockGiven extends Optional<Omit<Block, "base" | "profile" | "sigma">, "type" | "gap_mm" | "body_mm"> {
  readonly base: RoundBaseGiven | RectBaseGiven | OvalBaseGiven;
  readonly profile?: ProfileGiven;
  readonly sigma?: SigmaGiven;
}

/** All that an overlay shows; it comes whole each time something changes, so that nothing can be missed. */
export interface Board {
  readonly now_s: number;
  readonly title: string;
  readonly production: Production;
  /** what was put on air lately, the oldest first */ readonly items: readonly OnAirItem[];
  readonly clocks: ClocksView | null;
  readonly scoreboard: Scoreboard;
  /** why this game is not what the table wrote */ readonly forged: string | null;
}

/** One rulebook, with the bases, kinds of terrain and scenarios it knows, and the settings it is played by. */
export interface Book {
  readonly id: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open";
  readonly book: string;
  readonly bases: readonly (RoundBase | RectBase | OvalBase)[];
  readonly terrain: readonly ("rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable")[];
  readonly scenarios: readonly string[];
  readonly settings: readonly Setting[];
  /** the setting that chooses many at once */ readonly preset_key: string | null;
  /** which rulebook written as data this is */ readonly written: BookStamp | null;
  readonly author: string | null;
  readonly about: string | null;
}

/** Which written book, unmistakably: `sha256` is that of its file. */
export interface BookStamp { readonly name: string; readonly version: string; readonly sha256: string; }

/** A call with its history. Times by the hub's clock; the wait begins when the hub first heard of it. */
export interface Call {
  readonly id: number;
  readonly table: number;
  readonly line: number;
  readonly by: string;
  readonly verdict: string | null;
  readonly called_s: number;
  readonly state: "waiting" | "taken" | "ruled" | "appealed" | "closed";
  readonly judge: string | null;
  readonly taken_s: number | null;
  /** the first, and beside it the head judge's on appeal */ readonly rulings: readonly HallRuling[];
  /** why it is appealed */ readonly appeal: string | null;
  readonly closed_s: number | null;
  /** the time extension that was given */ readonly given_s: number;
}

/** What is in dispute, in the words of the verdict, when the player attached one. */
export interface CallRequest { readonly verdict?: string | null; }

/** Whether a judge can be called here, was called, and what the hall said last about it. */
export interface CallStatus { readonly in_hall: boolean; readonly is_open: boolean; readonly says: string | null; }

/** Intrinsics in OpenCV's convention, integer coordinates at pixel centres. */
export interface Camera {
  readonly version: 1;
  readonly image_size: readonly [number, number];
  readonly model: "pinhole2" | "brown" | "rational" | "fisheye";
  readonly K: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
  readonly dist: readonly number[];
  readonly covariance: readonly (readonly number[])[];
  readonly rms_px: number;
  /** RMS of views that the fit did not see */ readonly heldout_px: number | null;
  /** the same on the board, in millimetres */ readonly heldout_mm: number | null;
  /** names of the views that were used */ readonly views: readonly string[];
}

/** A camera that this computer sees. */
export interface CameraChoice { readonly source: string; readonly name: string; }

/** What the camera sends, and how surely it knows the table. */
export interface CameraHealth {
  /** that were looked at */ readonly frames_per_s: number;
  readonly size_px: readonly [number, number];
  /** of the sharpest picture so far; less: out of focus, or moved */ readonly sharpness: number;
  /** mean grey level */ readonly brightness: number;
  readonly exposure: "good" | "dark" | "bright";
  /** what the lens's calibration leaves, on views that it did not see */ readonly calibration_px: number;
  /** how far the table's worst corner may be off by the pose */ readonly table_sigma_mm: number | null;
}

/** `camera_from_table`: x_camera = R x_table + t. */
export interface CameraPose {
  readonly version: 1;
  /** R of camera_from_table */
  readonly rotation: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
  readonly translation_mm: readonly [number, number, number];
  readonly covariance: readonly (readonly number[])[];
  readonly rms_px: number;
  /** the same residual on the table */ readonly rms_mm: number;
  /** ids of the fiducials that were seen */ readonly markers: readonly number[];
  /** other places that it was found by: the mat's corners */
  readonly held_mm: readonly (readonly [number, number, number])[];
  /** size of the table that it was found by */ readonly table_mm: readonly [number, number] | null;
  /** where the camera's centre is, in the table frame */ readonly centre_mm: readonly [number, number, number];
  /** ids that two prints in sight share: neither was used */ readonly twice: readonly number[];
  /** ids in sight that the layout does not hold */ readonly strangers: readonly number[];
}

/** Whether what the camera could not confirm here is a base. As one it stands as `id` until it is moved or measured; else it is shown no more as long as it lies here. */
export interface CandidateCorrection {
  readonly do: "candidate";
  /** where it is shown */ readonly at_mm: readonly [number, number];
  readonly is_base: boolean;
  /** what it is called from now on, where it is a base */ readonly id: string | null;
}

export type CandidateCorrectionGiven = Optional<CandidateCorrection, "id">;

/** One of this entry is lost: this base, or one that nobody has named. */
export interface Casualty { readonly entry: string; readonly id?: string | null; }

/** A self-check that was asked for has been made. */
export interface CheckDone { readonly type: "check"; readonly seq: number; readonly check: SelfCheck; }

export type ClientMessage = AskSnapshot | WantPictures;

/** What one clock shows; it counts down from there while it runs. */
export interface ClockView {
  readonly player: "player-a" | "player-b";
  readonly left_s: number;
  readonly runs: boolean;
  readonly is_next: boolean;
  /** its flag has fallen */ readonly has_run_out: boolean;
}

/** The clocks, whole, as they stand now; null: there are none. A clock that runs goes on from there. */
export interface ClocksChange { readonly type: "clocks"; readonly seq: number; readonly clocks: ClocksView | null; }

/** Both clocks at an instant. */
export interface ClocksView {
  readonly total_s: number;
  /** what each turn ended gains; null: nothing */ readonly increment_s: number | null;
  readonly players: readonly ClockView[];
  readonly stop: Stop | null;
  readonly ruled_s: number;
  readonly extensions: readonly Extension[];
  /** what ran while the server was away, and may be given back */ readonly outage: Outage | null;
}

/** Every base on the table stands in the state: the table is complete. */
export interface CompletionCorrection {
  readonly do: "complete";
  /** who stood on the table; the server notes it */ readonly seen_ids: readonly string[];
}

export type CompletionCorrectionGiven = Optional<CompletionCorrection, "seen_ids">;

/** The text of a list that a player has looked through: lines neither understood nor mended are left out. */
export interface ConfirmedList {
  readonly text: string;
  readonly mends?: readonly LineMend[];
  /** whose list it is */ readonly side: string;
  /** as the file is called */ readonly name?: string;
}

/** Whether these two touch, as seen by eye; ends when either moves. */
export interface ContactCorrection {
  readonly do: "contact";
  readonly a: string;
  readonly b: string;
  readonly is_touching: boolean;
  /** where the named ones stood; the server notes it, and it ends with a move */
  readonly seen_mm: Readonly<Record<string, readonly [number, number]>>;
}

export type ContactCorrectionGiven = Optional<ContactCorrection, "is_touching" | "seen_mm">;

/** A picture that was taken for the page; `table_mm` is what is known of the table's size. */
export interface CornerImage {
  readonly version: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly table_mm: readonly [number, number] | null;
  /** the size stands in the layout and cannot be chosen */ readonly is_table_sure: boolean;
  /** what lies beyond the table's last known edge, and a hand's breadth, is black */ readonly is_edged: boolean;
  /** whether this seat may look at all that the camera sees */ readonly may_show_room: boolean;
}

/** A corner of the table. */
export interface CornerMark {
  /** how exactly it is pointed at, per axis */ readonly sigma_px: number;
  readonly kind: "corner";
  readonly corner: "near-left" | "near-right" | "far-right" | "far-left";
  readonly at_px: readonly [number, number];
}

export type CornerMarkGiven = Optional<CornerMark, "sigma_px">;

export type Correction = MiniatureCorrectionGiven | PlacementCorrectionGiven | RemovalCorrection | ContactCorrectionGiven | TableCorrectionGiven | TerrainRejection | CandidateCorrectionGiven | BaseCorrectionGiven | AbsenceCorrectionGiven | ArmyCorrectionGiven | CompletionCorrectionGiven | CorrectionGroupGiven;

/** All of these, in their order, as one step. */
export interface CorrectionGroup {
  readonly do: "several";
  readonly corrections: readonly (MiniatureCorrection | PlacementCorrection | RemovalCorrection | ContactCorrection | TableCorrection | TerrainRejection | CandidateCorrection | BaseCorrection | AbsenceCorrection | ArmyCorrection | CompletionCorrection)[];
}

export interface CorrectionGroupGiven extends Omit<CorrectionGroup, "corrections"> {
  readonly corrections: readonly (MiniatureCorrectionGiven | PlacementCorrectionGiven | RemovalCorrection | ContactCorrectionGiven | TableCorrectionGiven | TerrainRejection | CandidateCorrectionGiven | BaseCorrectionGiven | AbsenceCorrectionGiven | ArmyCorrectionGiven | CompletionCorrectionGiven)[];
}

/** A correction with its number, when and by which seat it was made, and whether it was taken back. */
export interface CorrectionStep {
  readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly says: string;
  readonly is_undone: boolean;
  /** the newest line of the journal that made it, took it back or let it hold again */ readonly changed_n: number;
  /** who wrote that line */ readonly changed_by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  /** the other player or the judge, who agreed to it; null: nobody */
  readonly agreed_by: "player-a" | "player-b" | "judge" | "viewer" | "overlay" | null;
  /** whether the other player had a seat then: what the table is played by is one player's word */
  readonly has_opponent: boolean;
  readonly correction: MiniatureCorrection | PlacementCorrection | RemovalCorrection | ContactCorrection | TableCorrection | TerrainRejection | CandidateCorrection | BaseCorrection | AbsenceCorrection | ArmyCorrection | CompletionCorrection | CorrectionGroup;
}

/** A size of which another number is seen than is expected; `left` have stood here and left the table since. */
export interface CountMismatch {
  readonly base: RoundBase | RectBase | OvalBase;
  readonly expected: number;
  readonly seen: number;
  readonly left: number;
}

/** What a phone signed: that it saw this head, signed by that key of the table. */
export interface Countersignature {
  /** number and hash of the newest line */ readonly head: string;
  /** the table's public key */ readonly table_key: string;
  /** the phone's public key: 32 bytes, of P-256 the 65 of the whole point */ readonly key: string;
  readonly algorithm: "ed25519" | "ecdsa-p256";
  /** 64 bytes, of P-256 r and s */ readonly signature: string;
}

/** What has been announced; it opens the licences to measure. */
export interface Declaration {
  readonly what: "charge" | "slam" | "trample" | "throw" | "ranged-attack" | "melee-attack" | "push" | "power-attack" | "spell" | "ability" | "move" | "check";
  readonly by: string;
  readonly target: string | null;
  readonly weapon: string | null;
  readonly range_in: number | null;
  readonly heading_deg: number | null;
  readonly participants: readonly string[];
}

export type DeclarationGiven = Optional<Declaration, "target" | "weapon" | "range_in" | "heading_deg" | "participants">;

/** One charge, cast or attack of this turn. */
export interface Deed { readonly what: string; readonly by: string; readonly target: string | null; }

export type DeedGiven = Optional<Deed, "target">;

/** Places on the rim of a disc of known size, wherever it lies: an objective marker, a token, a base's foot. */
export interface DiscMark {
  /** how exactly it is pointed at, per axis */ readonly sigma_px: number;
  readonly kind: "disc";
  readonly diameter_mm: number;
  /** of the rim over the table */ readonly height_mm: number;
  readonly at_px: readonly (readonly [number, number])[];
}

export type DiscMarkGiven = Optional<DiscMark, "sigma_px" | "height_mm">;

/** An open dispute, with what each has done. */
export interface Dispute {
  /** the question as its verdict repeats it */ readonly query: Readonly<Record<string, JsonValue>>;
  readonly a: string;
  readonly b: string;
  /** the question, with A and B for the two */ readonly title: string;
  readonly yes: string;
  readonly no: string;
  /** the distance that decides, where a tape can be laid */ readonly limit_mm: number | null;
  /** its line of the journal */ readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  /** which answer each would agree to */ readonly claims: Readonly<Record<string, "yes" | "no">>;
  /** what each rolled; after a tie both roll again */ readonly dice: Readonly<Record<string, readonly number[]>>;
  /** what each read on the tape */ readonly tapes_in: Readonly<Record<string, number>>;
  readonly is_judge_called: boolean;
}

/** The dispute that is open, whole; null: it has ended. */
export interface DisputeChange { readonly type: "dispute"; readonly seq: number; readonly dispute: Dispute | null; }

/** What one player does about it; `agree` says which answer, `tape` what was read. */
export interface DisputeDeed {
  readonly how: "agree" | "roll" | "tape" | "judge" | "put-away";
  readonly answer?: "yes" | "no" | null;
  readonly tape_in?: number | null;
}

/** What is disputed, and whether anybody holds a judge's seat who could be called. */
export interface DisputeView { readonly dispute: Dispute | null; readonly has_judge: boolean; }

/** Where a table's judge's page opens, its code included. */
export interface Doorway {
  readonly url: string;
  /** a host that the table named and that is not its own: look first */ readonly asks_about: string | null;
}

/** A base that players look at: whether it is one, of which size, or where it stands. */
export interface DoubtfulBase {
  readonly doubt: "unconfirmed" | "size" | "by-hand";
  /** of the miniature; null: nothing stands there so far */ readonly id: string | null;
  readonly name: string;
  readonly base: RoundBase | RectBase | OvalBase;
  readonly at_mm: readonly [number, number];
  /** that it is a base, or of this size */ readonly probability: number;
  readonly sizes: readonly BaseAlternative[];
  /** the picture that shows it, with the part of it */ readonly picture: string | null;
  readonly crop: PictureCrop | null;
}

/** The outline of a piece of terrain or an effect. */
export interface DrawnArea {
  readonly id: string;
  readonly kind: string;
  readonly outline_mm: readonly (readonly [number, number])[];
}

/** What may be a base and nobody has confirmed or dismissed. */
export interface DrawnCandidate {
  /** what answers call it */ readonly name: string;
  readonly base: RoundBase | RectBase | OvalBase;
  readonly at_mm: readonly [number, number];
  readonly turn_deg: number;
  readonly probability: number;
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
  /** the unit that is asked about instead of it */ readonly unit: string | null;
  /** the size of the book that a base of no such size is taken for; nobody told it */
  readonly guessed_size_mm: number | null;
  /** of a unit: how many stand in it */ readonly count: number | null;
  /** of a unit in ranks: how many stand side by side in its front rank */ readonly files: number | null;
}

/** The table as it is drawn. */
export interface DrawnTable {
  readonly state_id: string;
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open";
  /** false: only what is licensed is measured, and no length is drawn */ readonly is_measuring_free: boolean;
  readonly size: TableSize;
  /** key and choice of all that the table has chosen where the rulebook leaves a choice */
  readonly house_rules: readonly (readonly [string, string])[];
  readonly miniatures: readonly DrawnMiniature[];
  /** whether whole units are asked about, and not each of their members */ readonly plays_units: boolean;
  /** units that are asked about as one body */ readonly units: readonly DrawnMiniature[];
  readonly areas: readonly DrawnArea[];
  readonly unconfirmed: readonly DrawnCandidate[];
  /** whether both players called it complete */ readonly is_complete: boolean;
  /** bases that are expected and stand nowhere */ readonly missing: number;
  /** null: nobody knows, as what was measured could not be kept */ readonly rest: Rest | null;
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

export type EffectGiven = Optional<Effect, "polygon_mm" | "centre_mm" | "diameter_mm" | "line_mm" | "thickness_mm" | "sigma_mm" | "name" | "by" | "side" | "on" | "radius_in" | "ground" | "grants" | "blocks_sight" | "hazard" | "counts_source" | "heading_deg">;

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
  /** between the two places, straight */ readonly distance_mm: number | null;
  /** of that distance */ readonly sigma_mm: number | null;
  /** where it was seen in between; empty when a hand hid it */ readonly path: readonly Waypoint[];
  /** at least so far along the path, straight where it was not seen */ readonly travelled_mm: number | null;
  /** when it was seen to be in a hand, if it was, before that */ readonly lifted_s: number | null;
  /** that it is these miniatures to which it happened */ readonly confidence: number | null;
  /** of an unsure line, and of the line that settles it */ readonly question: string | null;
  readonly places_mm: readonly (readonly [number, number])[];
  readonly namings: readonly Naming[];
  readonly renamed: Readonly<Record<string, string>> | null;
  readonly since_s: number | null;
  readonly detail: string | null;
}

/** Files beside the journal, each named by the SHA-256 of what is in it. */
export interface Evidence {
  readonly crop: string | null;
  readonly table: string | null;
  readonly overlay: string;
  readonly facts: string;
}

/** An expected miniature, those on the table that bear its name, and those of its base that bear none. */
export interface ExpectedMatch {
  readonly expected: ExpectedMiniature;
  readonly named: readonly string[];
  readonly may_be: readonly string[];
}

/** A miniature that will stand on the table, or several alike. */
export interface ExpectedMiniature {
  readonly name: string;
  readonly side: string | null;
  readonly unit: string | null;
  readonly type: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly role: readonly ("commander" | "officer" | "standard" | "musician" | "champion" | "gunner" | "general" | "battle-standard" | "character" | "wizard" | "marshal")[];
  /** null: the list does not tell, so it may be any */ readonly base: RoundBase | RectBase | OvalBase | null;
  readonly front_arc_deg: 180 | 360 | null;
  readonly profile: Profile;
  readonly count: number;
  /** of an army list: which of its entries */ readonly entry: string | null;
  readonly unit_name: string | null;
  /** command range of the unit */ readonly command_in: number | null;
  /** where its numbers were read */ readonly card: string | null;
  /** of the whole unit, as its list says */ readonly points: number | null;
}

export interface ExpectedMiniatureGiven extends Optional<Omit<ExpectedMiniature, "base" | "profile">, "side" | "unit" | "type" | "role" | "front_arc_deg" | "count" | "entry" | "unit_name" | "command_in" | "card" | "points"> {
  /** null: the list does not tell, so it may be any */
  readonly base?: RoundBaseGiven | RectBaseGiven | OvalBaseGiven | null;
  readonly profile?: ProfileGiven;
}

/** Time that was given, to whom and why; `player` null: the round as a whole was made longer. */
export interface Extension {
  readonly at_s: number;
  readonly player: "player-a" | "player-b" | null;
  readonly by_s: number;
  readonly note: string;
}

/** Another way it may face, and how likely that is. */
export interface FacingAlternative { readonly facing_deg: number; readonly probability: number; }

/** A reading of the book under which the answer would change. */
export interface Flip { readonly house_rule: string; readonly reading: string; readonly answer: Answer; }

/** The heartbeat. */
export interface FreshChange { readonly type: "fresh"; readonly seq: number; readonly fresh: Freshness; }

/** How old the newest look at the table is, and whether it can be trusted just now. */
export interface Freshness {
  /** null: nothing seen yet, or a state written by hand */ readonly age_s: number | null;
  readonly hand: boolean;
  /** lifted, and neither put down nor gone yet */ readonly in_hand: readonly string[];
  readonly is_settled: boolean;
  readonly is_visible: boolean;
  readonly source: "starting" | "playing" | "still" | "ended" | "lost";
  /** covered by something; they are taken to stand where they stood */ readonly hidden: readonly string[];
  /** null: no camera, or nothing of it is known yet */ readonly camera: CameraHealth | null;
  /** sizes of which more or fewer are seen than are expected */ readonly amiss: readonly CountMismatch[];
  /** a projector draws on the table */ readonly is_lit: boolean;
}

/** How a game ended: who won, and the points of each. */
export interface GameResult {
  readonly winner: "player-a" | "player-b" | "draw";
  readonly points_a: number;
  readonly points_b: number;
}

/** Bases that are likely by what players said of others on this table, to be confirmed together. */
export interface GapSheet {
  readonly picture: string;
  readonly likely: readonly SizedOutline[];
  /** places all of them in one step; null: none is likely */ readonly correction: CorrectionGroup | null;
}

/** Where a miniature is thought of as standing; the doubt of its place stays what it is. */
export interface Ghost {
  readonly at_mm: readonly [number, number];
  /** which way it would look; as it looks now when left out */ readonly facing_deg: number | null;
}

export type GhostGiven = Optional<Ghost, "facing_deg">;

/** What happens in the hall besides its tables. */
export interface HallAffairs {
  readonly calls: readonly Call[];
  readonly rounds: readonly RoundView[];
  readonly penalties: readonly Penalty[];
  readonly settings: HallSettings;
  /** of each player who has one, the next step of the ladder */
  readonly next_penalties: Readonly<Record<string, string>>;
  readonly players: readonly SwissPlayer[];
  readonly standings: readonly Standing[];
}

/** What differs from the hall before; `affairs` and `alarms` null: they stay. */
export interface HallPatch {
  readonly type: "patch";
  readonly now_s: number;
  readonly tables: readonly HallTable[];
  readonly affairs: HallAffairs | null;
  readonly alarms: readonly Alarm[] | null;
}

/** What a judge of the hall decided on a call. */
export interface HallRuling {
  readonly by: string;
  readonly at_s: number;
  readonly said: string;
  readonly reason: string;
}

/** Who I am in the hall; null: nobody yet. */
export interface HallSeatStatus {
  readonly seat: "organiser" | "judge" | "stream" | "spectator" | null;
  readonly name: string | null;
  readonly is_head: boolean;
}

/** What holds for the event until the organiser changes it. */
export interface HallSettings {
  readonly round_minutes: number;
  /** each player's clock; 0: tables are played without */ readonly clock_minutes: number;
  /** the mildest first: a ladder */ readonly penalties: readonly string[];
  /** how late spectators see a table */ readonly delay_s: number;
  /** the table that the stream's overlay follows */ readonly featured: number | null;
  /** with it players check in; null: closed */ readonly check_in: string | null;
  /** column of a pairing file -> what it is */ readonly columns: Readonly<Record<string, string>>;
}

/** A table of the hall from afar. */
export interface HallTable {
  readonly number: number;
  /** the newest line of its journal that has arrived */ readonly line: number;
  /** when that line was written, by the table's clock */ readonly at_s: number | null;
  /** when the table was last heard of, by the hub's clock; null: never */ readonly heard_s: number | null;
  readonly clocks: ClocksView | null;
  /** when the clocks showed that, by the hub's clock */ readonly shown_s: number;
  readonly rulings: readonly TableRuling[];
  readonly round: number | null;
  readonly players: Readonly<Record<string, string>>;
  readonly summary: TableSummary | null;
  /** why the hub takes nothing from it */ readonly trouble: string | null;
  /** whether its judge's page can be opened from here */ readonly has_door: boolean;
}

/** All that the judges' page of the hall shows. */
export interface HallView {
  readonly calls: readonly Call[];
  readonly rounds: readonly RoundView[];
  readonly penalties: readonly Penalty[];
  readonly settings: HallSettings;
  /** of each player who has one, the next step of the ladder */
  readonly next_penalties: Readonly<Record<string, string>>;
  readonly players: readonly SwissPlayer[];
  readonly standings: readonly Standing[];
  readonly type: "whole";
  /** the hub's clock, seconds since 1970 */ readonly now_s: number;
  readonly event: string;
  readonly tables: readonly HallTable[];
  /** what is not as it should be with this hub itself */ readonly alarms: readonly Alarm[];
}

/** The first word: whom the phone speaks to, and as whom. A snapshot follows; neither side minds unknown types. */
export interface Hello {
  readonly type: "hello";
  readonly version: 1;
  readonly title: string;
  readonly seat: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly rights: readonly Right[];
  /** the table is seen in photographs that phones send */ readonly by_photograph: boolean;
  /** verdicts may be kept with their evidence */ readonly keeps_evidence: boolean;
  /** a kept game is looked at again: nothing of it changes */ readonly is_replay: boolean;
  /** the key that signs this table's journal, in words; null: nobody */ readonly table_key: string | null;
  /** the device took its seat by a code */ readonly has_joined: boolean;
}

/** What was read of a file of pairings; `round` is the newest of `rounds`. */
export interface ImportedRound {
  readonly rounds: readonly number[];
  readonly round: number;
  readonly pairings: number;
  /** columns that mean nothing here */ readonly ignored: readonly string[];
}

/** A code to hand out; `path` is what a QR code shows behind the server's address. */
export interface Invitation {
  readonly opens: "players" | "judge" | "viewer" | "overlay";
  readonly code: string;
  readonly path: string;
}

export type JsonValue = unknown;

/** Which parts of the table as it is now to keep. */
export interface Keep { readonly parts?: readonly ("terrain" | "rules" | "expected")[]; }

/** Terrain of another day, or of this. */
export interface KeptTerrain {
  /** letters, digits, blanks */ readonly name: string;
  readonly pieces: number;
}

/** A verdict that somebody at the table keeps with its evidence; `n` is its line of the journal. */
export interface KeptVerdict {
  readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly about: RulingSubject;
  /** name of A then */ readonly a: string;
  /** name of B then */ readonly b: string;
  readonly line: Line;
  readonly evidence: Evidence;
  /** what was said of the two and of the table, and who agreed */ readonly told: readonly RecordedFact[];
}

/** A kind that it may be. */
export interface KindGuess {
  readonly kind: "rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable";
  readonly probability: number;
}

/** A length that is known, from a print or the catalogue, and the same length as the camera measures it. */
export interface LengthComparison {
  readonly what: string;
  readonly known_mm: number;
  readonly measured_mm: number;
  readonly sigma_mm: number;
  readonly is_fine: boolean;
}

/** All that the page needs but what is on air; it comes whole each time something changes. */
export interface LightBoard {
  readonly settings: LightSettings;
  /** null: to be calibrated */ readonly projector: Projector | null;
  /** how far light may fall beside its place, at worst */ readonly sigma_mm: number;
  /** why nothing is shown */ readonly dark: "uncalibrated" | "moved" | "hand" | "key" | null;
  readonly pattern: ShownPattern | null;
  readonly blink: Blink;
  /** spots by which the camera tells lit from black */ readonly marks_mm: readonly (readonly [number, number])[];
  /** their radius */ readonly mark_mm: number;
  /** width and depth: no light falls beyond the table's edge */ readonly table_mm: readonly [number, number];
  readonly surfaces: readonly Surface[];
  readonly table: DrawnTable | null;
  readonly laid: SetLight;
}

/** How much is shown, and how brightly. */
export interface LightSettings {
  /** of the projector's white */ readonly level: number;
  /** dark while a hand is over the table */ readonly off_under_hands: boolean;
  /** outlines of terrain, zones and objectives */ readonly areas: boolean;
  /** clocks and score along the table's long edges */ readonly edges: boolean;
  /** nothing is shown until somebody wants light again */ readonly is_black: boolean;
}

/** One line of the sheet. `title` has A and B for the two, and goes on with the length that `turns_on` names. */
export interface Line {
  readonly slot: string;
  /** what the player told that decides here */ readonly turns_on: "range" | "reach" | "speed" | null;
  /** what a player is about to do who asks; null: whatever it is */
  readonly topic: "see" | "shoot" | "charge" | "melee" | null;
  /** whether it is B that would do it */ readonly is_of_b: boolean;
  /** whether a no means that the rules forbid it */ readonly permits: boolean;
  /** whether it holds or fails by so much that nobody would argue */ readonly is_plain: boolean;
  /** that length in inches; null: nobody knows it, or none decides */ readonly length_in: number | null;
  readonly title: string;
  readonly yes: string;
  readonly no: string;
  /** the answer in a word or a number; null: still being worked out */ readonly headline: string | null;
  /** what stands behind the headline, such as the modifiers of an attack */ readonly note: string | null;
  /** null: still being worked out */ readonly verdict: Verdict | null;
  /** what it rests on by one player's word alone */ readonly told: readonly ToldFact[];
  /** what the judge ruled, while it holds */ readonly ruling: LineRuling | null;
}

/** A line that was not understood, or was read as a unit by no known layout; and what it would be as a unit. */
export interface LineDoubt {
  readonly line: number;
  readonly text: string;
  /** whether it is laid as a unit when nobody says otherwise */ readonly is_unit: boolean;
  /** as the unit would be called; empty: the line has no words for it */ readonly name: string;
  readonly count: number;
}

/** Two or more places along a line over the table: a fold of the board, a seam of its tiles. */
export interface LineMark {
  /** how exactly it is pointed at, per axis */ readonly sigma_px: number;
  readonly kind: "line";
  /** of a line from near to far */ readonly x_mm: number | null;
  /** of a line from left to right */ readonly y_mm: number | null;
  readonly at_px: readonly (readonly [number, number])[];
}

export type LineMarkGiven = Optional<LineMark, "sigma_px" | "x_mm" | "y_mm">;

/** A line is this unit, or none and left out. */
export interface LineMend {
  /** of the text, from 1 */ readonly line: number;
  /** of the unit; null: the line is left out */ readonly name?: string | null;
  readonly count?: number;
}

/** What a judge ruled about a line. It lies over the referee's answer, which stays beneath. */
export interface LineRuling {
  /** its line of the journal */ readonly n: number;
  /** which ruling of the game it is, from 1 */ readonly number: number;
  readonly at_s: number;
  /** what stands, in a word or a few */ readonly said: string;
  /** what stands, where it is one of the line's two answers */ readonly answer: "yes" | "no" | null;
  readonly decision: "accepted" | "overruled" | "rolled";
  readonly reason: string;
}

/** What a player says to a question of a list. */
export interface ListAnswer {
  readonly entry: string;
  readonly asks: "card" | "count" | "base";
  readonly choice: string;
}

/** The lists, their entries and units, and what does not go together. */
export interface ListNaming {
  readonly lists: readonly ArmyList[];
  readonly entries: readonly NamingEntry[];
  readonly units: readonly ArmyUnit[];
  /** of each side whose list tells of points */ readonly points: readonly ArmyPoints[];
  readonly notes: readonly string[];
}

/** What a list leaves open and nobody guesses: which card, how many, which base. */
export interface ListQuestion {
  readonly entry: string;
  readonly asks: "card" | "count" | "base";
  readonly says: string;
  readonly choices: readonly string[];
}

export type ListQuestionGiven = Optional<ListQuestion, "choices">;

/** How a text was read, before anything is laid. */
export interface ListReading {
  /** what is asked about its lines; null: nothing */ readonly says: string | null;
  /** share of its lines */ readonly understood: number;
  /** in the lines that are beyond doubt */ readonly miniatures: number;
  readonly doubts: readonly LineDoubt[];
}

/** The text of a list, and what a player says of its lines. */
export interface ListText { readonly text: string; readonly mends?: readonly LineMend[]; }

/** What a unit may do: go by `steps`, charge another, or flee from it. */
export interface Manoeuvre {
  /** melee reach of those without a card; 0.5 when left out */ readonly reach_in?: number | null;
  /** speed of those without a card; 6 when left out */ readonly speed_in?: number | null;
  /** which way the players say that miniatures look */ readonly facings_deg?: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */ readonly ghosts?: Readonly<Record<string, GhostGiven>>;
  readonly who: string;
  readonly do: "move" | "march" | "charge" | "flee";
  /** of a move or a march, in their order */ readonly steps?: readonly StepGiven[];
  /** whom it charges, or from whom it flees */ readonly other?: string | null;
  /** how far it flees, as rolled */ readonly roll_in?: number | null;
}

/** Where the marks put the table in the photograph. */
export interface MarkedPose {
  readonly lens: "kept" | "exif" | "usual";
  /** one sigma of a place at the nearest corner, both axes together */ readonly near_mm: number;
  /** the same at the farthest corner */ readonly far_mm: number;
  /** of each mark, in its sigmas */ readonly misses: readonly number[];
  /** the table's edge as the pose puts it into the picture */
  readonly outline_px: readonly (readonly [number, number])[];
  /** what makes measuring in it doubtful, and what to do */ readonly warnings: readonly string[];
  readonly status: SetupStatus | null;
}

/** The game that the hall has paired here; `agreed` once both players say the same. */
export interface Match {
  readonly round: number;
  /** of the round, now; below nothing once its time is over */ readonly left_s: number | null;
  readonly players: Readonly<Record<string, string>>;
  readonly told: Readonly<Record<string, GameResult>>;
  readonly agreed: GameResult | null;
}

/** A length on the table with its own doubt. */
export interface MeasuredLength { readonly name: string; readonly value_mm: number; readonly sigma_mm: number; }

export interface MeleeWeapon {
  readonly name: string;
  readonly reach_in: number;
  readonly location: string | null;
  readonly rules: readonly ("open-fist" | "shield" | "buckler" | "mount" | "gunner-only" | "locked" | "crippled" | "spear" | "pike" | "lance" | "volley-fire" | "multiple-shots" | "move-or-fire" | "quick-to-fire" | "slow-to-fire" | "sniper" | "indirect")[];
}

export type MeleeWeaponGiven = Optional<MeleeWeapon, "reach_in" | "location" | "rules">;

/** One candidate of a question about many. */
export interface Member {
  readonly id: string;
  /** None where what decides has not been told */ readonly answer: Answer | null;
  readonly probability: number | null;
  readonly margin_mm: number | null;
  readonly sigma_mm: number | null;
}

/** What this one phone said made no sense; carries no `seq`, since nothing changed. */
export interface MessageRefused { readonly type: "refused"; readonly problem: Problem; }

/** What these miniatures are. What is left out, or null, stays as it was. */
export interface MiniatureCorrection {
  readonly do: "miniature";
  readonly ids: readonly string[];
  readonly name: string | null;
  readonly side: string | null;
  /** one that is not there yet is made */ readonly unit: string | null;
  readonly type: "warcaster" | "warlock" | "warjack" | "warbeast" | "battle-engine" | "solo" | "trooper" | "infantry" | "monstrous-infantry" | "cavalry" | "monstrous-cavalry" | "swarm" | "monstrous-beast" | "war-beast" | "monster" | "chariot" | "war-machine" | "shrine" | null;
  readonly role: readonly ("commander" | "officer" | "standard" | "musician" | "champion" | "gunner" | "general" | "battle-standard" | "character" | "wizard" | "marshal")[] | null;
  readonly base: RoundBase | RectBase | OvalBase | null;
  readonly profile: Profile | null;
  readonly status: readonly ("knocked-down" | "stationary" | "inert" | "wild" | "autonomous" | "frenzied" | "fleeing" | "cowering" | "solid" | "shield-wall" | "out-of-formation" | "cannot-attack" | "disabled" | "crippled-movement" | "movement-barred" | "hidden" | "stupid" | "removed")[] | null;
  readonly front_arc_deg: 180 | 360 | null;
  /** which way it looks; ends when it moves */ readonly facing_deg: number | null;
  /** where the named ones stood; the server notes it, and it ends with a move */
  readonly seen_mm: Readonly<Record<string, readonly [number, number]>>;
}

export interface MiniatureCorrectionGiven extends Optional<Omit<MiniatureCorrection, "base" | "profile">, "name" | "side" | "unit" | "type" | "role" | "status" | "front_arc_deg" | "facing_deg" | "seen_mm"> {
  readonly base?: RoundBaseGiven | RectBaseGiven | OvalBaseGiven | null;
  readonly profile?: ProfileGiven | null;
}

/** One miniature, and what a camera cannot know. */
export interface MiniatureQuestion {
  /** melee reach of those without a card; 0.5 when left out */ readonly reach_in?: number | null;
  /** speed of those without a card; 6 when left out */ readonly speed_in?: number | null;
  /** which way the players say that miniatures look */ readonly facings_deg?: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */ readonly ghosts?: Readonly<Record<string, GhostGiven>>;
  readonly who: string;
  /** one more ring to draw, this far from the base */ readonly ring_in?: number | null;
  /** whether to tell whom it sees as well */ readonly sees?: boolean;
}

/** What is around one miniature; the others are ordered by distance. */
export interface MiniatureSheet {
  readonly state_id: string;
  readonly who: string;
  /** whether every threat is answered and none will follow */ readonly is_whole: boolean;
  readonly reach_in: number;
  readonly speed_in: number;
  /** enemies of whom no card tells how far they go or strike: that is supposed */ readonly cards_missing: number;
  /** why distances may not be measured now, and what would allow it */ readonly refused: string | null;
  /** its front arc, asked about the nearest other; null: nobody to ask about */ readonly front: Verdict | null;
  /** what its turn leaves it and what bars the rest; null: no book is */ readonly turn: Verdict | null;
  readonly rings: readonly Ring[];
  readonly others: readonly OtherMiniature[];
  /** what holds on the table by one player's word alone */ readonly told: readonly ToldFact[];
}

/** A line of the journal in a few words. */
export interface Moment {
  readonly n: number;
  /** seconds since 1970 */ readonly at_s: number;
  readonly type: string;
  /** the seat whose deed it was, or who had placed the base that is measured; null: the camera saw it */
  readonly by: string | null;
  /** seconds into the recording */ readonly t_s: number | null;
  readonly event: string | null;
  readonly ids: readonly string[];
  /** of a move: how far, straight */ readonly distance_mm: number | null;
  /** of a move: at least so far along its path */ readonly travelled_mm: number | null;
  /** of a correction: what it told; of a dispute: the question, A and B being `ids`; of what was asked: its topic */
  readonly says: string | null;
}

/** One way to say who stands at the places in question, in their order, and how likely it is. */
export interface Naming { readonly ids: readonly (string | null)[]; readonly probability: number; }

/** These are that entry. */
export interface NamingChoice { readonly entry: string; readonly ids: readonly string[]; }

/** Several entries as one step. */
export interface NamingChoices { readonly choices: readonly NamingChoice[]; }

/** An entry of a list: who bears its name, who left the table with it, and who is proposed to be it. */
export interface NamingEntry {
  readonly expected: ExpectedMiniature;
  readonly named: readonly string[];
  /** bore the name and are on the table no more */ readonly fallen: readonly string[];
  readonly proposed: readonly string[];
  /** who left the table, or was told to be lost */ readonly casualties: number;
  /** the newest step that told a casualty, to take it back */ readonly casualty_step: number | null;
  /** whether no other entry may be those, and they are as many as are missing */ readonly is_sure: boolean;
}

/** The question as its line of the sheet asks it. */
export interface NewDispute {
  /** the question as its verdict repeats it */ readonly query: Readonly<Record<string, JsonValue>>;
  readonly a: string;
  readonly b: string;
  /** the question, with A and B for the two */ readonly title: string;
  readonly yes: string;
  readonly no: string;
  /** the distance that decides, where a tape can be laid */ readonly limit_mm?: number | null;
}

/** A penalty from the organiser's list. */
export interface NewPenalty {
  readonly player: string;
  readonly table?: number | null;
  readonly penalty: string;
  readonly note?: string;
}

/** What the judge decides. `stands` is what holds instead of the verdict, in a few words. */
export interface NewRuling {
  readonly about: RulingSubjectGiven;
  readonly decision: "accepted" | "overruled" | "rolled";
  readonly stands?: string | null;
  readonly reason?: string;
  /** show it on the stream */ readonly on_air?: boolean;
  /** the same key again is the same ruling: it is not written twice */ readonly key?: string | null;
}

/** A player who enters. */
export interface NewSwissPlayer {
  readonly name: string;
  readonly army?: string | null;
  /** file in the hub's folder of lists */ readonly list_file?: string | null;
  /** two of it are not paired where that can be avoided */ readonly team?: string | null;
  /** checked in; once anybody is, only those who are here are paired */ readonly is_here?: boolean;
}

/** A turn of this side begins. */
export interface NewTurn { readonly side: string; }

/** A sentence for the players. */
export interface Notice { readonly type: "notice"; readonly seq: number; readonly text: string; }

/** A flag, marker, treasure or tower; or the terrain piece it is. */
export interface Objective {
  readonly id: string;
  readonly kind: "flag" | "marker" | "treasure" | "tower";
  readonly at_mm: readonly [number, number] | null;
  readonly diameter_mm: number;
  readonly terrain: string | null;
}

export type ObjectiveGiven = Optional<Objective, "at_mm" | "diameter_mm" | "terrain">;

/** Verdicts that were put on air together, with the table they were about. */
export interface OnAirItem {
  readonly id: number;
  /** when it was put on air */ readonly at_s: number;
  /** when the players had settled it, or the judge had ruled */ readonly resolved_at_s: number | null;
  /** when it was taken off air before its time */ readonly off_at_s: number | null;
  /** stays until it is taken off */ readonly stays: boolean;
  readonly a: string | null;
  readonly b: string | null;
  readonly lines: readonly Line[];
  readonly table: DrawnTable;
  /** whether what the camera saw when it was put on air can be fetched */ readonly picture: boolean;
  /** what the judge ruled, in a few words */ readonly ruling: string | null;
}

/** What is on air, or would be, in words: who produces sees it before viewers do. */
export interface OnAirPreview {
  readonly id: number;
  /** when it was asked or put on air */ readonly at_s: number;
  readonly who: readonly string[];
  readonly lines: readonly string[];
  /** it is held back until it is resolved */ readonly waits: boolean;
}

/** What the players of a table dispute, in words with the names of the two. */
export interface OpenDispute {
  readonly asked: string;
  /** since when, by the table's clock, seconds since 1970 */ readonly at_s: number;
  readonly is_judge_called: boolean;
}

/** A door the players agreed on. */
export interface Opening {
  readonly at_mm: readonly [number, number];
  readonly to_mm: readonly [number, number];
  readonly bases_mm: readonly number[];
}

export type OpeningGiven = Optional<Opening, "bases_mm">;

/** A player of a pairing; `army` and `list_file` where the pairings tell them. */
export interface Opponent {
  readonly name: string;
  readonly army: string | null;
  /** file in the hub's folder of lists */ readonly list_file: string | null;
}

export type OpponentGiven = Optional<Opponent, "army" | "list_file">;

/** Another miniature as seen from this one: how far off, and the threats that hold. */
export interface OtherMiniature {
  readonly id: string;
  readonly is_enemy: boolean;
  /** null: may not be measured now */ readonly distance_mm: number | null;
  readonly sigma_mm: number | null;
  readonly lines: readonly Line[];
  /** whether it is seen; null: nobody asked, or not worked out yet */ readonly sight: Verdict | null;
}

/** A table of the hall, and where its server answers. */
export interface OtherTable { readonly name: string; readonly url: string; }

/** A clock ran while the server was away. */
export interface Outage { readonly player: "player-a" | "player-b"; readonly by_s: number; }

/** One of several values that a measuring error parts, and how probable it is. */
export interface Outcome {
  readonly probability: number;
  /** the parts of the value that differ between outcomes */ readonly value: Readonly<Record<string, JsonValue>>;
}

/** An ellipse; `width_mm` is its extent across the facing. */
export interface OvalBase {
  readonly shape: "oval";
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly counts_as_mm: number | null;
}

export type OvalBaseGiven = Optional<OvalBase, "shape" | "counts_as_mm">;

/** A player says by the code that hangs at the desk that they are here. */
export interface OwnCheckIn { readonly name: string; readonly code: string; }

/** Two miniatures, and what a camera cannot know of them: how long their weapons are, which way plain rims face. */
export interface Pair {
  readonly a: string;
  readonly b: string;
  /** melee reach of both; null: as on the card, else 0.5 */ readonly reach_in: number | null;
  /** speed of both; null: as on the card, else 6 */ readonly speed_in: number | null;
  /** the range and the distance to ask about, in inches */ readonly range_in: number;
  /** which way the players say that miniatures look */ readonly facings_deg: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */ readonly ghosts: Readonly<Record<string, Ghost>>;
}

export interface PairGiven extends Optional<Omit<Pair, "ghosts">, "reach_in" | "speed_in" | "range_in" | "facings_deg"> {
  /** where miniatures are thought of as standing */ readonly ghosts?: Readonly<Record<string, GhostGiven>>;
}

/** Two who play each other, or one who has a bye: at no table, without an opponent. */
export interface Pairing {
  readonly round: number;
  readonly table: number | null;
  readonly a: Opponent;
  readonly b: Opponent | null;
  /** what each player entered at the table */ readonly told: Readonly<Record<string, GameResult>>;
  readonly result: GameResult | null;
  /** `both players`, or the judge's name */ readonly confirmed_by: string | null;
}

/** Who plays whom from now on; without a table and an opponent: a bye. */
export interface PairingChange {
  readonly table?: number | null;
  readonly a: OpponentGiven;
  readonly b?: OpponentGiven | null;
}

/** Pairings in place of those that their players and tables had; `dropped` are players who are paired no more. */
export interface PairingChanges { readonly pairings?: readonly PairingChange[]; readonly dropped?: readonly string[]; }

/** A penalty that was given; `withdrawn` tells why it holds no more. */
export interface Penalty {
  readonly player: string;
  readonly table: number | null;
  readonly penalty: string;
  readonly note: string;
  readonly id: number;
  readonly round: number | null;
  readonly by: string;
  readonly at_s: number;
  readonly withdrawn: string | null;
}

/** What a person points at in the photograph of a game. */
export interface PhotographMarks {
  /** of the photograph */ readonly version: number;
  readonly marks: readonly (CornerMarkGiven | PointMarkGiven | SideMarkGiven | LineMarkGiven | DiscMarkGiven)[];
}

/** What a photograph came to. */
export interface PhotographResult { readonly state_id: string; readonly miniatures: number; }

/** A picture that may be tapped on; `name` means this one whatever is seen later. */
export interface PictureAtHand {
  readonly name: string;
  readonly size_px: readonly [number, number];
  readonly table_mm: readonly [number, number];
  /** from the table's plane to pixels of the picture, as far as it is flat */
  readonly px_from_mm: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
}

/** There is a newer picture to fetch. */
export interface PictureChange { readonly type: "picture"; readonly seq: number; readonly version: number; }

/** A part of a picture, in its own pixels, and the table under them. */
export interface PictureCrop {
  readonly left_px: number;
  readonly top_px: number;
  readonly width_px: number;
  readonly height_px: number;
  /** homography from pixels of the whole picture to the table at the height of the ground here */
  readonly mm_from_px: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
}

/** A picture in the list: which pages it shows, numbered from 1, and what is to say of it. */
export interface PictureNote {
  readonly name: string;
  readonly by: "phone" | "camera";
  readonly pages: readonly number[];
  readonly says: string;
}

/** What a person makes of a proposed piece; without a kind it is left out. */
export interface PieceChoice {
  readonly kind: "rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable" | null;
  /** top above the table; null: unknown */ readonly height_mm: number | null;
}

export type PieceChoiceGiven = Optional<PieceChoice, "kind" | "height_mm">;

/** These things lie on the table; one with an id that is there already takes its place. */
export interface PlacementCorrection {
  readonly do: "lay";
  readonly terrain: readonly Terrain[];
  readonly effects: readonly Effect[];
  readonly objectives: readonly Objective[];
  readonly zones: readonly Zone[];
  readonly units: readonly Unit[];
}

export interface PlacementCorrectionGiven extends Omit<PlacementCorrection, "terrain" | "effects" | "objectives" | "zones" | "units"> {
  readonly terrain?: readonly TerrainGiven[];
  readonly effects?: readonly EffectGiven[];
  readonly objectives?: readonly ObjectiveGiven[];
  readonly zones?: readonly ZoneGiven[];
  readonly units?: readonly UnitGiven[];
}

/** A player's army list in a few words. */
export interface PlayerList {
  readonly side: string;
  readonly name: string | null;
  readonly miniatures: number;
  readonly entries: readonly string[];
}

/** What a player asks in one sentence, such as whether A may shoot B: yes where each of its lines is. */
export interface PlayerQuestion {
  readonly topic: "see" | "shoot" | "charge" | "melee";
  /** whether it is B that would do it */ readonly is_of_b: boolean;
  /** its lines; the first always stands on the sheet */ readonly slots: readonly string[];
}

/** A place of the table that is known: an objective, the corner of a tile. */
export interface PointMark {
  /** how exactly it is pointed at, per axis */ readonly sigma_px: number;
  readonly kind: "point";
  readonly at_mm: readonly [number, number];
  readonly at_px: readonly [number, number];
}

export type PointMarkGiven = Optional<PointMark, "sigma_px">;

export interface Pose {
  readonly at_mm: readonly [number, number];
  readonly facing_deg: number | null;
  readonly elevation_mm: number | null;
}

export type PoseGiven = Optional<Pose, "facing_deg" | "elevation_mm">;

/** How a probability was come by: that of the share of tables, as measured, on which the exact rule says yes. */
export interface ProbabilityEstimate {
  /** a contact that was told, margins linear in the errors, or tables redrawn and counted */
  readonly method: "told" | "first-order" | "redrawn";
  /** it lies between this */ readonly low: number;
  /** and this, two standard deviations either way */ readonly high: number;
  /** redrawn tables as sure as this; None where none were counted */ readonly draws: number | null;
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

/** How the stream is fed, until somebody says otherwise. */
export interface Production {
  /** asked: whatever players ask goes on air; pushed: only what judge or producer puts there */
  readonly feed: "asked" | "pushed";
  /** no verdict is shown before it is called resolved */ readonly hide_until_resolved: boolean;
  /** how long a verdict stays on air */ readonly stays_s: number;
}

export type ProductionGiven = Optional<Production, "feed" | "hide_until_resolved" | "stays_s">;

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
  readonly abilities: readonly ("stealth" | "eyeless-sight" | "incorporeal" | "ethereal" | "flight" | "fly" | "hover" | "pathfinder" | "strider" | "amphibious" | "aquatic" | "arc-node" | "commander" | "officer" | "jack-marshal" | "battlegroup-commander" | "standard-bearer" | "gunfighter" | "assault" | "parry" | "massive" | "combined-melee-attack" | "combined-ranged-attack" | "cavalry" | "light-cavalry" | "ride-by" | "advance-deployment" | "ambush" | "scouts" | "vanguard" | "ambushers" | "terror" | "fear" | "abomination" | "fearless" | "construct" | "stubborn" | "expendable" | "immunity-psychology" | "unbreakable" | "towering" | "sentient" | "mixed-unit" | "skirmishers" | "fast-cavalry" | "swiftstride" | "barding" | "random-movement" | "frenzy" | "stupidity" | "impact-hits" | "stomp" | "breath-weapon")[];
  /** where these were read; no rule asks */ readonly source: string | null;
}

export interface ProfileGiven extends Optional<Omit<Profile, "melee" | "ranged" | "spells">, "spd_in" | "spd_bonus_in" | "spd_penalty_in" | "strength" | "defence" | "cmd_in" | "control_stat" | "bs" | "ld" | "wounds" | "unit_strength" | "abilities" | "source"> {
  readonly melee?: readonly MeleeWeaponGiven[];
  readonly ranged?: readonly RangedWeaponGiven[];
  readonly spells?: readonly SpellGiven[];
}

/** Where a projector's light falls. `covariance` is that of (f, cx, cy, k1, k2, turn, t): px, rad and mm. */
export interface Projector {
  readonly lens: Camera;
  readonly pose: CameraPose;
  readonly covariance: readonly (readonly number[])[];
  readonly rms_mm: number;
  readonly dots: number;
}

/** What the table's key signed last: the text `tableside head KEY N:HASH`. */
export interface Proof {
  /** the oldest first, the last one signs */ readonly keys: readonly TableKeyStep[];
  /** number and hash of the newest line that is signed; null: none is */ readonly head: string | null;
  readonly key: string | null;
  readonly signature: string | null;
  readonly witnesses: readonly ShownWitness[];
  /** whether the asked head is a line of this journal; null: none was asked */ readonly holds: boolean | null;
  /** what is wrong with this journal; null: it is what the table wrote */ readonly forged: string | null;
}

/** What may be terrain, a template or a token and is not laid yet. */
export interface Proposals {
  readonly terrain: readonly ProposedTerrain[];
  /** flat and round: templates of the sizes there are, tokens */ readonly discs: readonly ProposedDisc[];
  readonly is_hand_in_the_way: boolean;
}

/** A flat disc lies there that is no base: a template of a known size, or a token as large as it was measured. */
export interface ProposedDisc {
  readonly what: "template" | "token";
  readonly id: string;
  readonly centre_mm: readonly [number, number];
  readonly diameter_mm: number;
  /** of the centre, per axis */ readonly sigma_mm: number;
  /** 0: one of the sizes there are */ readonly diameter_sigma_mm: number;
}

/** Where the board seems to lie: marks to be agreed to as they are, or dragged. */
export interface ProposedMarks {
  readonly marks: readonly (CornerMark | PointMark | SideMark | LineMark | DiscMark)[];
  readonly outline_px: readonly (readonly [number, number])[];
}

/** A side, and who looks as if on it. */
export interface ProposedSide { readonly name: string; readonly ids: readonly string[]; }

/** Two sides as they look, or none; `unsure` look like either. */
export interface ProposedSides {
  readonly sides: readonly ProposedSide[];
  readonly unsure: readonly string[];
  readonly says: string;
}

/** A piece of terrain may lie there. What is missing of the kinds' probabilities to 1 is that of any other. */
export interface ProposedTerrain {
  readonly what: "terrain";
  readonly id: string;
  readonly polygon_mm: readonly (readonly [number, number])[];
  /** of a place on the outline, across it */ readonly sigma_mm: number;
  /** likeliest first; none: nothing tells what it is */ readonly kinds: readonly KindGuess[];
  /** top above the table, seen from several sides; null: unknown */ readonly height_mm: number | null;
  readonly height_sigma_mm: number | null;
}

/** The newest round that has begun, with its pairings; null: none has. */
export interface PublicHall {
  readonly now_s: number;
  readonly event: string;
  readonly round: Round | null;
  readonly pairings: readonly Pairing[];
  readonly featured: number | null;
  readonly featured_address: string | null;
  readonly delay_s: number;
  /** of all who play, before the first round too */ readonly standings: readonly Standing[];
  readonly alarms: readonly Alarm[];
}

export interface RangedWeapon {
  readonly name: string;
  /** range, or least and most */ readonly rng_in: number | readonly [number, number] | null;
  readonly rof: number | null;
  readonly aoe_in: number | null;
  readonly spray_in: number | null;
  readonly template: string | null;
  readonly location: string | null;
  readonly rules: readonly ("open-fist" | "shield" | "buckler" | "mount" | "gunner-only" | "locked" | "crippled" | "spear" | "pike" | "lance" | "volley-fire" | "multiple-shots" | "move-or-fire" | "quick-to-fire" | "slow-to-fire" | "sniper" | "indirect")[];
}

export type RangedWeaponGiven = Optional<RangedWeapon, "rng_in" | "rof" | "aoe_in" | "spray_in" | "template" | "location" | "rules">;

/** One rule that decided, in our words, and what it did here. */
export interface Reason { readonly source: Source; readonly says: string; readonly effect: string | null; }

/** What somebody said that no camera saw, for the record. */
export interface RecordedFact {
  /** the step, by which it is agreed to or taken back */ readonly n: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly kind: "facing" | "card" | "state" | "contact" | "thing" | "removal" | "base" | "rules";
  /** of whom, of which things, or which settings of the table */ readonly ids: readonly string[];
  /** the other player or the judge; null: nobody agreed */
  readonly agreed_by: "player-a" | "player-b" | "judge" | "viewer" | "overlay" | null;
}

/** A rectangle; `width_mm` is its front edge. */
export interface RectBase {
  readonly shape: "rect";
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly counts_as_mm: number | null;
}

export type RectBaseGiven = Optional<RectBase, "shape" | "counts_as_mm">;

/** One base of a ranked unit: rank and file from 0, from the front and from its own left. */
export interface RegimentMember {
  readonly rank: number;
  readonly file: number;
  readonly at_mm: readonly [number, number];
  /** of the place, per axis */ readonly sigma_mm: number;
  /** its foot, where the picture shows it */ readonly outline_px: readonly (readonly [number, number])[];
  /** whether its rim shows; else it stands where the others put it */ readonly is_seen: boolean;
}

/** A ranked unit that is pointed at, and what it is called. */
export interface RegimentRequest {
  /** front edge first, in table millimetres */ readonly corners_mm?: readonly (readonly [number, number])[];
  /** or in pixels of the picture */ readonly corners_px?: readonly (readonly [number, number])[];
  readonly base: RoundBaseGiven | RectBaseGiven | OvalBaseGiven;
  /** how many are in it, as its list says */ readonly count: number;
  /** how many stand in its front rank; null: as its front edge is wide */ readonly files?: number | null;
  /** how exactly each place is pointed at, per axis */ readonly sigma_mm?: number;
  /** its name on the table; one that is not there yet is made */ readonly unit?: string | null;
  readonly side?: string | null;
}

/** A ranked unit as it was measured, and the correction by which all of it stands on the table in one step. */
export interface RegimentSheet {
  readonly base: RoundBase | RectBase | OvalBase;
  readonly files: number;
  readonly facing_deg: number;
  readonly members: readonly RegimentMember[];
  /** whether rims led the block; else it stands where the hand placed it */ readonly is_measured: boolean;
  readonly picture: string;
  /** how many of its members show their rims */ readonly seen_count: number;
  readonly correction: CorrectionGroup;
}

/** These are not on the table: terrain that was removed, an effect that ended, a cup taken for a base. */
export interface RemovalCorrection { readonly do: "take-away"; readonly ids: readonly string[]; }

/** When the table came to the rest in which it was measured: all that is answered about it is of that moment. */
export interface Rest {
  /** the journal's line of it */ readonly n: number;
  /** seconds since 1970 */ readonly at_s: number;
  /** whether its picture is kept, to be fetched by its number */ readonly is_pictured: boolean;
}

/** Where the journal ends now: who keeps it notices later whether lines were taken off the end. */
export interface ResultSlip {
  readonly title: string;
  /** N:HASH, as `tableside verify --head` takes it */ readonly head: string;
  readonly n: number;
  /** when the newest line was written, seconds since 1970 */ readonly at_s: number;
  readonly rulings: number;
  /** the key that signs this table's journal, in words */ readonly key: string | null;
  /** who countersigned it, and the words of their keys */ readonly witnesses: readonly string[];
}

/** What a seat may do. */
export type Right = "watch" | "ask" | "correct" | "mind" | "invite" | "rule" | "air";

/** All that is within a length of the base; the verdict's witness is the ring, its members say who is inside. */
export interface Ring {
  readonly slot: "reach" | "walk" | "charge" | "command" | "control" | "named" | "told";
  /** what the written book calls this length */ readonly name: string | null;
  readonly length_in: number;
  /** whether a length in it stands on no card */ readonly is_supposed: boolean;
  readonly verdict: Verdict;
}

/** The roll call of a table. It ends with the correction `complete`, which the other player agrees to. */
export interface RollCallSheet {
  readonly sides: readonly SideCount[];
  readonly missing: number;
  /** what players say of the missing, before they call the table complete */ readonly asks: string | null;
  /** the most doubtful first */ readonly doubtful: readonly DoubtfulBase[];
  readonly is_complete: boolean;
  /** of the correction that calls it complete, holding or waiting */ readonly step: number | null;
  /** who called it */ readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay" | null;
  /** for the other player, who has not agreed yet */ readonly is_waiting: boolean;
}

/** Who is expected, and the lists that told so. */
export interface Roster {
  readonly expected: readonly ExpectedMiniatureGiven[];
  readonly lists?: readonly ArmyListGiven[];
}

/** A round of the event. Times by the hub's clock. */
export interface Round {
  readonly number: number;
  readonly state: "ready" | "running" | "over";
  /** how long it lasts; null: not begun */ readonly minutes: number | null;
  readonly started_s: number | null;
  readonly ended_s: number | null;
  /** pairings that were changed by hand */ readonly changes: readonly RoundChange[];
}

/** A disc. */
export interface RoundBase {
  readonly shape: "round";
  readonly diameter_mm: number;
  /** size in comparisons, if not the plastic's */ readonly counts_as_mm: number | null;
}

export type RoundBaseGiven = Optional<RoundBase, "shape" | "counts_as_mm">;

/** That pairings of a round were changed by hand: when, by the hub's clock, by whom, and what was said of it. */
export interface RoundChange { readonly at_s: number; readonly by: string; readonly says: string; }

/** A round with all its pairings. */
export interface RoundView { readonly round: Round; readonly pairings: readonly Pairing[]; }

/** A ruling as it is kept; it is asked for by its `number`, from 1 in a game. `n` is its line of the journal. */
export interface Ruling {
  readonly n: number;
  readonly number: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly decision: "accepted" | "overruled" | "rolled";
  /** what holds instead of the verdict, or what a roll decided */ readonly stands: string | null;
  readonly reason: string;
  readonly about: RulingSubject;
  /** name of A then */ readonly a: string;
  /** name of B then */ readonly b: string;
  readonly line: Line;
  /** camera and tape, where a tape replaced the camera */ readonly compared: TapeComparison | null;
  /** why the judge took it back */ readonly withdrawn: string | null;
  /** what moved, so that it does not hold any more */ readonly ends: string | null;
  /** files beside the journal; null: none could be kept */ readonly evidence: Evidence | null;
  /** what was said of the two and of the table, and who agreed */ readonly told: readonly RecordedFact[];
}

/** The verdict a ruling is about: a line of a pair's sheet, now or at an earlier moment, by camera or by tape. */
export interface RulingSubject {
  /** the moment of the table; null: now */ readonly at: number | null;
  readonly pair: Pair;
  readonly slot: string;
  readonly tape: TapeReading | null;
}

export interface RulingSubjectGiven extends Optional<Omit<RulingSubject, "pair" | "tape">, "at"> { readonly pair: PairGiven; readonly tape?: TapeReadingGiven | null; }

/** A ruling on a list. It lies over the referee's answer while `ends` and `withdrawn` are null. */
export interface RulingSummary {
  /** its line of the journal */ readonly n: number;
  /** which ruling of the game it is, from 1, by which it is asked for */ readonly number: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly slot: string;
  readonly said: string;
  readonly reason: string;
  readonly title: string;
  readonly headline: string | null;
  readonly a: string;
  readonly b: string;
  readonly ids: readonly [string, string];
  readonly withdrawn: string | null;
  /** what moved, so that it does not hold any more; null: it holds */ readonly ends: string | null;
  /** players at the table who have not tapped that they saw it */
  readonly waits_for: readonly ("player-a" | "player-b" | "judge" | "viewer" | "overlay")[];
}

/** A judge ruled, or a ruling ended or was seen; the newest, the oldest of them first. */
export interface RulingsChange {
  readonly type: "rulings";
  readonly seq: number;
  readonly rulings: readonly RulingSummary[];
}

/** The printed scenario, and what has been scored of it. */
export interface Scenario {
  readonly name: string | null;
  readonly points: Readonly<Record<string, number>>;
  readonly scored: readonly string[];
}

export type ScenarioGiven = Optional<Scenario, "name" | "points" | "scored">;

/** How the game stands; `n` is the line of the journal that says so. */
export interface Score {
  readonly n: number;
  /** who said it */ readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly round: number | null;
  readonly points: Readonly<Record<string, number>>;
}

/** Who plays, and how the game stands; null: nobody has said. */
export interface Scoreboard {
  readonly players: Readonly<Record<string, SeatedPlayer>>;
  readonly score: Score | null;
}

/** Who plays and how the game stands, whole. */
export interface ScoreboardChange { readonly type: "scoreboard"; readonly seq: number; readonly scoreboard: Scoreboard; }

/** How many devices hold each seat, and the codes that the asker may hand out. */
export interface SeatOverview {
  readonly devices: Readonly<Record<string, number>>;
  readonly invitations: readonly Invitation[];
}

/** Who I am at this table. `token` is told once, to who joins: `Authorization: Bearer TOKEN`. */
export interface SeatStatus {
  readonly seat: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly rights: readonly Right[];
  readonly has_joined: boolean;
  readonly token: string | null;
  /** the key that signs this table's journal, in words; note it down */ readonly table_key: string | null;
}

/** Who plays in a seat; `n` is the line of the journal that says so. */
export interface SeatedPlayer {
  readonly n: number;
  /** who said it */ readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly name: string;
  readonly side: string | null;
  readonly edge: "near" | "far" | null;
}

/** Whether the table can be judged by this camera, and what to mend when it cannot. */
export interface SelfCheck {
  readonly is_fit: boolean;
  /** fit to judge, or the first thing to mend */ readonly says: string;
  /** what to do, the worst first */ readonly mend: readonly string[];
  readonly compared: readonly LengthComparison[];
  /** how far places may be off, at the table's worst corner */ readonly table_sigma_mm: number | null;
}

export type ServerMessage = Hello | Snapshot | TableChange | PictureChange | FreshChange | Trouble | TableEvent | Notice | CheckDone | StepsChange | RulingsChange | ClocksChange | ScoreboardChange | AlarmsChange | SettledChange | DisputeChange | MessageRefused;

/** Shapes that somebody lays on the table as light: a ring, the path of a ghost, a template, a line of arrival. */
export interface SetLight {
  readonly shapes: readonly Witness[];
  /** how surely they are known: edges are as soft as that */ readonly sigma_mm: number;
  /** they are what is too close to call: dotted */ readonly is_close: boolean;
}

/** One thing that a table chooses, in plain words; `readings` is empty where it is a number. */
export interface Setting {
  readonly key: string;
  readonly decides: string;
  readonly default: string;
  /** by the name of a preset that chooses otherwise, what it chooses */
  readonly presets: Readonly<Record<string, string>>;
  readonly readings: Readonly<Record<string, string>>;
  /** what it is a number of */ readonly number: string | null;
  /** the largest number */ readonly most: number | null;
}

/** What the players settled and still holds, whole. */
export interface SettledChange {
  readonly type: "settled";
  readonly seq: number;
  readonly settled: readonly Settlement[];
}

/** A settled question; it holds until somebody it asks about moves. */
export interface Settlement {
  /** its line of the journal */ readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  /** the question as its verdict repeats it */ readonly query: Readonly<Record<string, JsonValue>>;
  readonly how: "agreed" | "rolled" | "taped" | "judge-called";
  readonly answer: Answer | null;
  /** what the shared die shows */ readonly die: number | null;
  /** what each player rolled */ readonly dice: Readonly<Record<string, number>>;
  /** what each player read on the tape */ readonly tapes_in: Readonly<Record<string, number>>;
}

/** What is chosen anew; what is left out stays. */
export interface SetupChoice {
  readonly eye?: "camera" | "phone" | "recording" | "photograph" | null;
  readonly source?: string | null;
  readonly table_mm?: readonly [number, number] | null;
  readonly ruler_mm?: number | null;
  /** two blank sheets of it lie there in place of the pages */ readonly paper?: "a4" | "letter" | null;
  readonly edition?: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open" | null;
}

/** What came of the pictures, in a sentence and in figures. */
export interface SetupResult {
  readonly says: string;
  readonly middle_mm: number;
  readonly corners_mm: number;
  readonly table_mm: readonly [number, number];
  readonly remarks: readonly string[];
  readonly by: "pages" | "sheets" | "marks";
}

/** The table is being opened; the page goes on to `path` once the server answers there again. */
export interface SetupStarted { readonly path: string; }

/** The set-up as it stands. */
export interface SetupStatus {
  readonly name: string;
  readonly eye: "camera" | "phone" | "recording" | "photograph" | null;
  readonly source: string | null;
  readonly table_mm: readonly [number, number] | null;
  readonly ruler_mm: number | null;
  readonly paper: "a4" | "letter" | null;
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open";
  readonly pictures: readonly PictureNote[];
  /** from which eighths around the table it was photographed, from near on */ readonly ring: readonly boolean[];
  /** what to do next, in a sentence */ readonly wants: string;
  /** why the pictures do not come to a table yet */ readonly trouble: string | null;
  readonly result: SetupResult | null;
  /** this camera was set up before: one look at the laid pages will do */ readonly is_lens_known: boolean;
}

/** A setup in a few words. */
export interface SetupSummary {
  /** letters, digits, blanks */ readonly name: string;
  readonly parts: readonly ("terrain" | "rules" | "expected")[];
  readonly pieces: number;
}

/** All lines for a pair that matter. `reach_in` and `speed_in` are what was supposed; null: each by its own card. */
export interface Sheet {
  readonly state_id: string;
  /** whether every line is answered and none will follow */ readonly is_whole: boolean;
  /** whether at most what takes longest is still under way, such as a charge */ readonly is_readable: boolean;
  readonly a: string;
  readonly b: string;
  readonly reach_in: number | null;
  readonly speed_in: number | null;
  readonly range_in: number;
  /** the numbers of each, and where they were read */ readonly cards: readonly string[];
  readonly lines: readonly Line[];
  /** what lines answer together, the likeliest first */ readonly questions: readonly PlayerQuestion[];
}

/** Of each sheet the corner at the table's corner, then the opposite one: near left sheet first, px. */
export interface SheetTaps {
  /** of the picture they were tapped in */ readonly version: number;
  readonly taps_px: readonly [readonly [number, number], readonly [number, number], readonly [number, number], readonly [number, number]];
}

/** One picture of the calibration, in the page's own pixels; integers at pixel centres. */
export interface ShownPattern {
  /** to be named when it is on the wall */ readonly number: number;
  readonly is_white: boolean;
  readonly dots_px: readonly (readonly [number, number])[];
  readonly radius_px: number;
}

/** Who else signed how far this journal had come. */
export interface ShownWitness {
  readonly by: string;
  readonly key: string;
  readonly key_words: string;
  readonly head: string;
  readonly at_s: number;
}

/** A player, where he stands and who his friends are. */
export interface Side {
  readonly id: string;
  readonly edge: "near" | "far" | "left" | "right" | "corner-near-left" | "corner-near-right" | "corner-far-left" | "corner-far-right" | null;
  readonly allies: readonly string[];
  readonly first: boolean;
}

/** The bases of one side; null: of those that nobody gave a side yet. */
export interface SideCount {
  readonly side: string | null;
  /** null: no list and no number tells */ readonly expected: number | null;
  readonly standing: number;
  /** casualties and who is in reserve, as seen or told: they are not missing */ readonly away: number;
  readonly missing: number;
  /** as far as the sizes are known */ readonly sizes: readonly SizeCount[];
  /** such as "Mara 31 of 36, two away: missing one 50 mm, two 30 mm" */ readonly says: string;
}

export type SideGiven = Optional<Side, "edge" | "allies" | "first">;

/** Two or more places along a side of the table, wherever on it. */
export interface SideMark {
  /** how exactly it is pointed at, per axis */ readonly sigma_px: number;
  readonly kind: "side";
  readonly side: "near" | "right" | "far" | "left";
  readonly at_px: readonly (readonly [number, number])[];
}

export type SideMarkGiven = Optional<SideMark, "sigma_px">;

/** Standard deviations; `at_mm` is per axis. Zero means exact. */
export interface Sigma { readonly at_mm: number; readonly facing_deg: number; readonly elevation_mm: number; }

export type SigmaGiven = Optional<Sigma, "at_mm" | "facing_deg" | "elevation_mm">;

/** What the phone's key is called, to be noted down. */
export interface SignedAs { readonly key_words: string; }

/** How many of one size are expected, stand there and are missing. */
export interface SizeCount {
  readonly base: RoundBase | RectBase | OvalBase;
  readonly expected: number;
  readonly standing: number;
  readonly missing: number;
}

/** A base of one size at the tapped place: how likely that is, and where its outline lies. */
export interface SizedOutline {
  readonly base: RoundBase | RectBase | OvalBase;
  /** of this size, of all that were tried */ readonly probability: number;
  /** whether a rim led the outline; else it stands where the hand placed it */ readonly is_measured: boolean;
  readonly at_mm: readonly [number, number];
  /** of the middle of its foot */ readonly at_px: readonly [number, number];
  /** where its depth runs, or the other way; null: it is round, or unknown */ readonly turn_deg: number | null;
  /** of the place, per axis */ readonly sigma_mm: number;
  /** its footprint, a closed polygon */ readonly outline_mm: readonly (readonly [number, number])[];
  /** as the camera sees it: the hull of its foot and its upper rim */
  readonly outline_px: readonly (readonly [number, number])[];
}

/** Everything a phone shows, at once. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly seq: number;
  readonly title: string;
  readonly table: DrawnTable | null;
  /** version of the table picture; 0: there is none */ readonly picture: number;
  readonly fresh: Freshness;
  readonly problem: Problem | null;
  /** the newest self-check */ readonly check: SelfCheck | null;
  /** the newest corrections, the oldest first */ readonly steps: readonly StepSummary[];
  /** what is not as it should be with the server itself */ readonly alarms: readonly Alarm[];
  /** what the players settled and still holds */ readonly settled: readonly Settlement[];
  /** the question that is disputed; null: none is */ readonly dispute: Dispute | null;
  /** the newest rulings, the oldest of them first */ readonly rulings: readonly RulingSummary[];
  /** as they stand now; null: there are none */ readonly clocks: ClocksView | null;
  readonly scoreboard: Scoreboard;
}

/** Where a rule stands; never its words. */
export interface Source { readonly book: string; readonly section: string; readonly page: number | null; }

/** A table as anybody may watch it, late by `delay_s`. */
export interface SpectatedTable {
  readonly number: number;
  readonly line: number;
  readonly round: number | null;
  readonly players: Readonly<Record<string, string>>;
  readonly table: DrawnTable | null;
  readonly clocks: ClocksView | null;
  readonly shown_s: number;
  readonly delay_s: number;
  /** what is not as it should be with the hub itself */ readonly alarms: readonly Alarm[];
}

export interface Spell {
  readonly name: string;
  readonly rng_in: number | string | null;
  readonly aoe_in: number | string | null;
  readonly offensive: boolean;
  readonly type: "missile" | "direct-damage" | "hex" | "augment" | "template" | "vortex" | "line" | null;
}

export type SpellGiven = Optional<Spell, "rng_in" | "aoe_in" | "offensive" | "type">;

/** A player's place. Who has the same place is level by every tie-break. */
export interface Standing {
  readonly place: number;
  readonly name: string;
  readonly points: number;
  /** strength of schedule: the mean of the opponents' points a round */ readonly strength: number;
  readonly game_points: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly byes: number;
  readonly has_dropped: boolean;
}

/** How strong the unit was when something began. */
export interface StartingStrength { readonly models: number | null; readonly strength: number | null; }

export type StartingStrengthGiven = Optional<StartingStrength, "models" | "strength">;

export interface StartingStrengths {
  readonly battle: StartingStrength | null;
  readonly turn: StartingStrength | null;
  readonly phase: StartingStrength | null;
}

export interface StartingStrengthsGiven extends Omit<StartingStrengths, "battle" | "turn" | "phase"> {
  readonly battle?: StartingStrengthGiven | null;
  readonly turn?: StartingStrengthGiven | null;
  readonly phase?: StartingStrengthGiven | null;
}

/** A manoeuvre of a ranked unit: what it does, by how many inches or degrees. */
export interface Step {
  readonly do: "forward" | "backward" | "left" | "right" | "wheel-left" | "wheel-right" | "pivot";
  /** how far, in inches; of steps that go somewhere */ readonly by_in: number | null;
  /** by how many degrees; of wheels and pivots */ readonly by_deg: number | null;
}

export type StepGiven = Optional<Step, "by_in" | "by_deg">;

/** A correction in a few words; the whole of it is one GET away. */
export interface StepSummary {
  readonly n: number;
  readonly at_s: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly says: string;
  readonly is_undone: boolean;
  readonly changed_n: number;
  readonly changed_by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly agreed_by: "player-a" | "player-b" | "judge" | "viewer" | "overlay" | null;
  /** it tells by one player's word what decides answers */ readonly is_open: boolean;
}

/** Somebody corrected the table, or took a correction back; the newest, the oldest of them first. */
export interface StepsChange { readonly type: "steps"; readonly seq: number; readonly steps: readonly StepSummary[]; }

/** Nobody's clock runs, since then and for this reason. */
export interface Stop { readonly since_s: number; readonly why: string; }

/** Raised ground, and how high light falls on it. */
export interface Surface { readonly outline_mm: readonly (readonly [number, number])[]; readonly z_mm: number; }

/** A player of the event: from which round on, and after which no more; null: to the end. */
export interface SwissPlayer {
  readonly name: string;
  readonly army: string | null;
  /** file in the hub's folder of lists */ readonly list_file: string | null;
  /** two of it are not paired where that can be avoided */ readonly team: string | null;
  /** checked in; once anybody is, only those who are here are paired */ readonly is_here: boolean;
  readonly joined: number;
  /** the last round that was played; 0: none */ readonly dropped: number | null;
}

/** A condition near its threshold: by how much it is met, and what is found where it turns. */
export interface SwitchFlip {
  /** in words, such as "whether t touches c1" */ readonly whether: string;
  /** by how much it is met; negative where it is not */ readonly margin_mm: number;
  readonly sigma_mm: number;
  /** that it turns */ readonly probability: number;
  /** on the exact table on which it alone has turned */ readonly answer: Answer | null;
  /** what of the value is another there */ readonly value: Readonly<Record<string, JsonValue>>;
  /** what decides there, to be drawn dotted */ readonly witness: readonly Witness[];
}

/** What differs from the table before: miniatures that are new or changed, and ids that are gone. */
export interface TableChange {
  readonly type: "change";
  readonly seq: number;
  readonly state_id: string;
  readonly changed: readonly DrawnMiniature[];
  readonly gone: readonly string[];
  /** null: as before */ readonly units: readonly DrawnMiniature[] | null;
  /** null: as before */ readonly areas: readonly DrawnArea[] | null;
  /** null: as before */ readonly unconfirmed: readonly DrawnCandidate[] | null;
  /** of the table as it is now */ readonly is_complete: boolean;
  /** of the table as it is now */ readonly missing: number;
  /** of the table as it is now */ readonly rest: Rest | null;
}

/** What the whole table is played by. What is left out, or null, stays as it was. */
export interface TableCorrection {
  readonly do: "table";
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open" | null;
  readonly house_rules: Readonly<Record<string, string>> | null;
  readonly scenario: Scenario | null;
  readonly sides: readonly Side[] | null;
  readonly turn: Turn | null;
  readonly contact_tolerance_mm: number | null;
  readonly still_tolerance_mm: number | null;
  readonly facing_tolerance_deg: number | null;
}

export interface TableCorrectionGiven extends Optional<Omit<TableCorrection, "scenario" | "sides" | "turn">, "edition" | "house_rules" | "contact_tolerance_mm" | "still_tolerance_mm" | "facing_tolerance_deg"> {
  readonly scenario?: ScenarioGiven | null;
  readonly sides?: readonly SideGiven[] | null;
  readonly turn?: TurnGiven | null;
}

/** An event on the table. */
export interface TableEvent { readonly type: "event"; readonly seq: number; readonly event: EventLine; }

/** A key of this table, and the signature of `tableside key KEY` by the key before it; null: it is the first. */
export interface TableKeyStep { readonly key: string; readonly key_words: string; readonly signature: string | null; }

/** A ruling that was made at the table, in words. */
export interface TableRuling {
  readonly line: number;
  readonly at_s: number;
  readonly said: string;
  readonly about: string;
  readonly reason: string;
  readonly is_withdrawn: boolean;
}

/** What a judge sees of a table from afar, besides its cell: the table as it is, and the lists of its players. */
export interface TableSheet { readonly table: DrawnTable | null; readonly lists: readonly PlayerList[]; }

export interface TableSize { readonly width_mm: number; readonly depth_mm: number; }

/** A table from afar. */
export interface TableSummary {
  readonly title: string;
  /** null: nothing has been seen yet */
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open" | null;
  readonly scenario: string | null;
  readonly turn: Turn | null;
  readonly miniatures: number;
  readonly fresh: Freshness;
  readonly problem: Problem | null;
  /** how many devices hold each seat */ readonly devices: Readonly<Record<string, number>>;
  /** what each is called */ readonly players: Readonly<Record<string, string>>;
  /** as they stood when this was asked */ readonly clocks: ClocksView | null;
  /** what the players dispute; null: nothing */ readonly question: OpenDispute | null;
}

/** The tables a judge looks after. */
export interface Tables { readonly tables: readonly OtherTable[]; }

/** A person points at the middle of a base, or at places of its rim, or drags its outline there. */
export interface Tap {
  /** the middle of the base, in table millimetres */ readonly at_mm?: readonly [number, number] | null;
  /** or in pixels of the picture, where its foot stands */ readonly at_px?: readonly [number, number] | null;
  /** three or more places on the rim that is in sight, with or without it */
  readonly rim_px?: readonly (readonly [number, number])[];
  /** its size; left out: every size in play that it may be */
  readonly base?: RoundBaseGiven | RectBaseGiven | OvalBaseGiven | null;
  /** of an oval or a rectangle, where its depth runs, as it was twisted; left out: any */
  readonly turn_deg?: number | null;
  /** how exactly each place is pointed at, per axis */ readonly sigma_mm?: number;
}

/** What the taps make: how surely places are known, and whether that will do. */
export interface TapAssessment {
  readonly fit: "fit" | "rough" | "unfit";
  readonly says: string;
  /** one sigma, both axes together, at the worst place of the table */ readonly worst_mm: number;
  /** the same, RMS over the table */ readonly usual_mm: number;
  readonly notes: readonly string[];
  /** the table's rim as the pose puts it into the picture */
  readonly outline_px: readonly (readonly [number, number])[];
  /** as what it was kept */ readonly kept: string | null;
}

/** What stands at a tapped place, likeliest size first; `picture` names the picture that was measured in. */
export interface TapMeasurement {
  readonly picture: string;
  readonly size_px: readonly [number, number];
  readonly at_mm: readonly [number, number];
  readonly at_px: readonly [number, number];
  readonly candidates: readonly SizedOutline[];
  readonly crop: PictureCrop;
  /** the miniature whose base covers the place on the table as it is */ readonly miniature: string | null;
}

/** A picture to be tapped in: of two sheets, or of the whole table. */
export interface TapPicture {
  readonly version: number;
  readonly width_px: number;
  readonly height_px: number;
  /** photographs of the same moment that are kept beside it */ readonly joined: number;
  /** null: no board of this size is clear in it */ readonly proposed: ProposedMarks | null;
}

/** What the camera had measured where the tape was laid, and whether the two can both be right. */
export interface TapeComparison {
  readonly camera: MeasuredLength;
  readonly tape_mm: number;
  /** how well the tape is read; 0: the judge's word ends the doubt */ readonly tape_sigma_mm: number;
  readonly can_both_be_right: boolean;
}

/** How far apart a judge measured two bases, rim to rim, as well as a tape can tell. */
export interface TapeReading {
  readonly a: string;
  readonly b: string;
  readonly value_in: number;
  /** the judge's word ends the doubt; else a tape is good to 1.6 mm */ readonly is_exact: boolean;
}

export type TapeReadingGiven = Optional<TapeReading, "is_exact">;

/** The pair's sheet by the tape, with camera and tape side by side. */
export interface TapeSheet { readonly sheet: Sheet; readonly compared: TapeComparison | null; }

/** The mat's corners in a picture: near left, near right, far right, far left. */
export interface Taps {
  /** of the picture they were tapped in */ readonly version: number;
  readonly corners_px: readonly [readonly [number, number], readonly [number, number], readonly [number, number], readonly [number, number]];
  readonly table_mm: readonly [number, number];
  /** hang the camera there: write the pose file, or place the live table */ readonly keep?: boolean;
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
  /** top above the table */ readonly height_mm: number | null;
  readonly bottom_mm: number;
  /** ground under a base that stands there */ readonly surface_mm: number | null;
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

export interface TerrainGiven extends Optional<Omit<Terrain, "openings">, "polygon_mm" | "centre_mm" | "diameter_mm" | "line_mm" | "thickness_mm" | "sigma_mm" | "height_mm" | "bottom_mm" | "surface_mm" | "ground" | "grants" | "blocks_sight" | "elevates" | "level" | "stand_on" | "sheer" | "floors" | "material" | "complex" | "sections" | "radius_in" | "effect" | "secret"> { readonly openings?: readonly OpeningGiven[]; }

/** A proposed piece, and what was made of it so far. */
export interface TerrainPiece {
  readonly proposed: ProposedTerrain;
  /** null: nobody has tapped yet */ readonly choice: PieceChoice | null;
}

/** There is no terrain within this outline, whatever the picture suggests: it is proposed no more. */
export interface TerrainRejection { readonly do: "reject"; readonly polygon_mm: readonly (readonly [number, number])[]; }

/** The terrain of the table that is being set up. */
export interface TerrainStatus {
  /** null: none was proposed yet */ readonly pieces: readonly TerrainPiece[] | null;
  /** that the chosen edition knows */
  readonly kinds: readonly ("rough" | "forest" | "hill" | "platform" | "rubble" | "ruin" | "obstacle" | "linear-obstacle" | "wall" | "fence" | "hedge" | "obstruction" | "terraced-obstruction" | "building" | "structure" | "trench" | "shallow-water" | "water" | "deep-water" | "river" | "marsh" | "scree" | "acid-bath" | "burning-earth" | "monument" | "impassable")[];
  /** pictures by which terrain can be proposed */ readonly views: number;
  /** version of the picture of the table from above */ readonly look: number | null;
  /** the terrain that the game begins with */ readonly laid: string | null;
  readonly shelf: readonly KeptTerrain[];
  readonly table_mm: readonly [number, number] | null;
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

export interface ThisTurnGiven extends Optional<Omit<ThisTurn, "start" | "steps">, "path_mm" | "moved" | "charged" | "charge_failed" | "charge_side" | "forfeited" | "attacked" | "shot" | "cast" | "stood_up" | "rallied" | "joined" | "tested" | "engaged_before" | "entered" | "knocked_down_in"> {
  readonly start?: PoseGiven | UnitPoseGiven | null;
  readonly steps?: readonly StepGiven[] | null;
}

/** What a player said of these miniatures or things, in a step that nobody has agreed to yet. */
export interface ToldFact {
  /** the step, by which it is agreed to or taken back */ readonly n: number;
  readonly by: "player-a" | "player-b" | "judge" | "viewer" | "overlay";
  readonly kind: "facing" | "card" | "state" | "contact" | "thing" | "removal" | "base" | "rules";
  /** of whom, of which things, or which settings of the table */ readonly ids: readonly string[];
}

/** A movement tray seen: it groups, and is never measured. */
export interface Tray {
  readonly at_mm: readonly [number, number];
  readonly width_mm: number;
  readonly depth_mm: number;
  readonly facing_deg: number;
}

/** Something is wrong; null: it is over. */
export interface Trouble { readonly type: "trouble"; readonly seq: number; readonly problem: Problem | null; }

export interface Turn {
  readonly round: number | null;
  readonly active: string | null;
  readonly phase: "set-up" | "maintenance" | "control" | "activation" | "charge" | "compulsory" | "movement" | "magic" | "shooting" | "combat" | null;
  readonly activating: string | null;
  readonly declared: Declaration | null;
  readonly log: readonly Deed[];
}

export interface TurnGiven extends Optional<Omit<Turn, "declared" | "log">, "round" | "active" | "phase" | "activating"> { readonly declared?: DeclarationGiven | null; readonly log?: readonly DeedGiven[]; }

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
  readonly started: StartingStrengths | null;
  readonly worth: number;
  readonly block: Block | null;
  readonly tray: Tray | null;
  readonly this_turn: ThisTurn;
}

export interface UnitGiven extends Optional<Omit<Unit, "started" | "block" | "this_turn">, "name" | "side" | "formation" | "commander" | "command_in" | "standard" | "musician" | "champion" | "spacing_in" | "orders" | "worth" | "tray"> {
  readonly started?: StartingStrengthsGiven | null;
  readonly block?: BlockGiven | null;
  readonly this_turn?: ThisTurnGiven;
}

/** The pose of a ranked unit: the middle of its front edge and where it looks. */
export interface UnitPose {
  readonly front_mm: readonly [number, number];
  readonly facing_deg: number;
  readonly files: number | null;
}

export type UnitPoseGiven = Optional<UnitPose, "files">;

/** What players told of a unit, beside its miniatures on the table. */
export interface UnitState {
  readonly is_in_reserve: boolean;
  /** of which unit of the list; empty: of none */ readonly inside: string;
  /** wounds or boxes as a player writes them */ readonly damage: string;
  /** this turn */ readonly is_activated: boolean;
  readonly note: string;
}

/** The referee's whole answer. `probability` is that of the condition being met. */
export interface Verdict {
  readonly version: 1;
  readonly kind: string;
  readonly edition: "warmachine-prime" | "hordes-mk2" | "warmachine-mk1" | "warhammer-9" | "open";
  /** the rulebook written as data that decided, if one did */ readonly book: BookStamp | null;
  readonly status: "decided" | "measured" | "unknown" | "refused";
  readonly answer: Answer | null;
  readonly probability: number | null;
  /** how the probability was come by; None: no doubt */ readonly estimate: ProbabilityEstimate | null;
  readonly margin_mm: number | null;
  readonly margin_deg: number | null;
  readonly sigma_mm: number | null;
  readonly sigma_deg: number | null;
  /** nothing can flip this answer; the margin reads 1000 */ readonly capped: boolean;
  /** the margin is exactly zero, and the book's word on zero decided */ readonly at_edge: boolean;
  readonly value: Readonly<Record<string, JsonValue>>;
  readonly measured: readonly MeasuredLength[];
  readonly members: readonly Member[];
  readonly witness: readonly Witness[];
  readonly blockers: readonly string[];
  readonly because: readonly Reason[];
  readonly house_rules: Readonly<Record<string, string>>;
  readonly flips_under: readonly Flip[];
  /** conditions so near that a measuring error may turn them */ readonly flips_if: readonly SwitchFlip[];
  /** where errors part the value: each, the likeliest first */ readonly outcomes: readonly Outcome[];
  /** what to supply, when the answer is unknown */ readonly needs: readonly string[];
  /** what would make a refused question answerable */ readonly unlock: string | null;
  readonly advice: string | null;
  readonly state_id: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** A line of a pair's sheet, now or at an earlier moment, that is worth keeping. */
export interface VerdictChoice {
  /** the moment of the table; null: now */ readonly at?: number | null;
  readonly pair: PairGiven;
  readonly slot: string;
}

/** Whether the phone is being looked at. */
export interface WantPictures { readonly type: "pictures"; readonly wanted: boolean; }

/** Where a miniature was seen while it was moved, as if it stood on the table there. */
export interface Waypoint {
  readonly t_s: number;
  readonly at_mm: readonly [number, number];
  readonly sigma_mm: number;
}

/** A way that one miniature may take, from where it stands. */
export interface WhatIfMove {
  /** melee reach of those without a card; 0.5 when left out */ readonly reach_in?: number | null;
  /** speed of those without a card; 6 when left out */ readonly speed_in?: number | null;
  /** which way the players say that miniatures look */ readonly facings_deg?: Readonly<Record<string, number>>;
  /** where miniatures are thought of as standing */ readonly ghosts?: Readonly<Record<string, GhostGiven>>;
  readonly who: string;
  /** points of the base centre, after where it stands */ readonly path_mm: readonly (readonly [number, number])[];
  /** how it looks at the end */ readonly facing_deg?: number | null;
  readonly manner?: "advance" | "run";
}

/** The referee's word on a way: the move, and where free strikes fall on it when there are any. */
export interface WhatIfMoveResult {
  readonly state_id: string;
  readonly who: string;
  readonly reach_in: number;
  readonly speed_in: number;
  readonly lines: readonly Line[];
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

export type ZoneGiven = Optional<Zone, "polygon_mm" | "centre_mm" | "diameter_mm" | "line_mm" | "thickness_mm" | "sigma_mm" | "side">;
