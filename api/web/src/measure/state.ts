/** State of the page on which bases are measured by a tap, held in one value that is replaced, never changed. */

import type { Place } from "../shared/picture-stage";
import type { Regiment } from "./regiment";
import type { DoubtfulBase, DrawnTable, ExpectedMiniature, GapSheet, PictureAtHand, Problem, RollCallSheet, SideCount, SizedOutline, Tap, TapMeasurement } from "../shared/types.gen";

/** A tap that is being measured, until it is confirmed or put away. */
export interface Measuring {
  readonly tap: Tap;
  /** the taps before it, for undo */
  readonly before: readonly Tap[];
  readonly answer: TapMeasurement | null;
  /** which size is meant; a key of `sizeKey` */
  readonly size: string | null;
  /** the outline under the finger, before it is measured there; px */
  readonly shift: Place;
  /** where the finger holds the handle that turns an oval; px */
  readonly handle: Place | null;
}

/** What was told last, to be taken back. */
export interface Told {
  readonly n: number;
  readonly says: string;
  /** the base that may be asked about now */
  readonly id: string | null;
}

export interface State {
  readonly picture: PictureAtHand | null;
  readonly table: DrawnTable | null;
  readonly roll: RollCallSheet | null;
  /** what is likely a base by what was confirmed */
  readonly gaps: GapSheet | null;
  /** the doubtful that were looked at in this roll call; null: none is called */
  readonly called: readonly string[] | null;
  readonly measuring: Measuring | null;
  /** a ranked unit that is pointed at as a whole */
  readonly regiment: Regiment | null;
  /** those of the lists that may be ranked */
  readonly units: readonly ExpectedMiniature[];
  /** the rim's tapped place that is dragged */
  readonly picked: number | null;
  readonly told: Told | null;
  readonly problem: Problem | null;
  readonly busy: string | null;
}

export const start: State = { picture: null, table: null, roll: null, gaps: null, called: null, measuring: null, regiment: null, units: [], picked: null, told: null, problem: null, busy: null };

/** By what a doubtful base is known from one look at the roll to the next. */
export function doubtKey({ id, at_mm }: DoubtfulBase): string {
  return id ?? at_mm.map(Math.round).join(" ");
}

/** Those that nobody has looked at in this roll call, the most doubtful first. */
export function uncalled({ roll, called }: State): readonly DoubtfulBase[] {
  return roll?.doubtful.filter((one) => !called?.includes(doubtKey(one))) ?? [];
}

/** How many of one side and size are missing; base null: of any size. */
export interface Lack {
  readonly side: string | null;
  readonly base: SizedOutline["base"] | null;
  readonly count: number;
}

export function lacksOf({ side, sizes, missing }: SideCount): readonly Lack[] {
  const sized = sizes.filter((size) => size.missing > 0).map((size): Lack => ({ side, base: size.base, count: size.missing }));
  const rest = missing - sized.reduce((sum, { count }) => sum + count, 0);
  return rest > 0 ? [...sized, { side, base: null, count: rest }] : sized;
}

export function sizeKey({ base }: Pick<SizedOutline, "base">): string {
  return base.shape === "round" ? `round ${base.diameter_mm}` : `${base.shape} ${base.width_mm} ${base.depth_mm}`;
}

/** The outline of the size that is meant: the likeliest until somebody says another. */
export function outlineOf({ answer, size }: Measuring): SizedOutline | null {
  return answer?.candidates.find((candidate) => sizeKey(candidate) === size) ?? answer?.candidates[0] ?? null;
}

type Homography = readonly (readonly number[])[];

export function mapPlace(h: Homography, [x, y]: Place): Place {
  const [u, v, w] = h.map(([a = 0, b = 0, c = 0]) => a * x + b * y + c) as [number, number, number];
  return [u / w, v / w];
}
