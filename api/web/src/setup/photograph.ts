/** Photograph of a game: what is marked in it, what is to be marked next, and where that puts the table. */

import { fetchPicture, type GripHandlers, type PictureStage, type Place } from "../shared/picture-stage";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { MarkedPose, PhotographMarks, TapPicture } from "../shared/types.gen";
import { request } from "./request";
import type { State } from "./state";
import { PHOTO, WORDS } from "./strings";

export const CORNERS = ["near-left", "near-right", "far-right", "far-left"] as const;
export const SIDES = ["near", "right", "far", "left"] as const;
/** Discs of known size that lie on many tables, mm: markers of 40 mm, and of 3 and 2 inches. */
export const DISCS_MM = [40, 76.2, 50.8] as const;
const OF_A_SIDE = 2;
const OF_A_DISC = 3;
/** A corner tells of two directions, a side of two, a rim of what its size leaves: fewer than so many make a rough pose. */
const ENOUGH = 8;
const OFF_SIGMAS = 3;
/** How far a finger comes down beside what it means, and a grip that is dragged under the loupe, in pixels of the screen. */
const FINGER_PX = 5;
const DRAGGED_PX = 1.5;
const LEAST_SIGMA_PX = 2;
const MOST_SIGMA_PX = 100;

export type Target =
  | { readonly kind: "corner"; readonly name: (typeof CORNERS)[number] }
  | { readonly kind: "side"; readonly name: (typeof SIDES)[number] }
  | { readonly kind: "disc"; readonly diameter_mm: number; readonly number: number };

export interface Pin {
  readonly of: Target;
  readonly place: Place;
  /** how exactly it is pointed at */
  readonly sigma_px: number;
}

export interface Photograph {
  readonly picture: TapPicture;
  readonly pins: readonly Pin[];
  /** what `pins` was before each change */
  readonly before: readonly (readonly Pin[])[];
  readonly hidden: readonly Target[];
  readonly disc: Target | null;
  /** rims of discs in the picture, once one is asked for */
  readonly rims: readonly (readonly Place[])[];
  readonly picked: number | null;
  readonly pose: MarkedPose | null;
}

export class PhotographActions {
  #newest = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly stage: PictureStage,
  ) {}

  /** `isBeside`: of the same moment as the one that is marked, which both tell of from now on. */
  async open(file: File, isBeside: boolean): Promise<void> {
    this.store.set({ busy: WORDS.sending, problems: [] });
    try {
      const picture = await request<TapPicture>("POST", `/photograph?name=${encodeURIComponent(file.name)}&another_view=${isBeside}`, file);
      this.stage.show(await fetchPicture(`api/v1/setup/photograph/${picture.version}.jpg`));
      this.store.set({ busy: null, photograph: { picture, pins: [], before: [], hidden: [], disc: null, rims: [], picked: null, pose: null } });
    } catch (wrong) {
      this.store.set({ busy: null, problems: [problemOf(wrong)] });
    }
  }

  readonly grips: GripHandlers = {
    tap: (place) => {
      const photograph = this.store.state.photograph;
      const of = photograph && targetOf(photograph);
      const rim = of?.kind === "disc" && photograph?.rims.find((places) => isWithin(place, places));
      if (of && rim) this.#setPins([...photograph.pins.filter((pin) => !isSame(pin.of, of)), ...thirdsOf(rim).map((at): Pin => ({ of, place: at, sigma_px: LEAST_SIGMA_PX }))]);
      else if (of) this.#setPins([...photograph.pins, { of, place, sigma_px: this.#sigma(FINGER_PX) }]);
    },
    pick: (picked) => this.#change({ picked }),
    drag: (picked, place) => this.#change({ picked, pins: this.#moved(picked, place) }),
    drop: (number, from) => this.#setPins(this.#pins(), this.#moved(number, from)),
  };

  /** What is asked for is not in the picture, or something stands before it. */
  skip(): void {
    const photograph = this.store.state.photograph;
    const of = photograph && targetOf(photograph);
    if (!of) return;
    if (of.kind === "disc") this.#change({ disc: null });
    else this.#change({ hidden: [...photograph.hidden, of] });
  }

  /** The board lies where it is proposed. */
  accept(): void {
    this.#setPins((this.store.state.photograph?.picture.proposed?.marks ?? []).flatMap(pinsOf));
  }

  /** It does not: whoever says so marks it. */
  reject(): void {
    const { picture } = this.store.state.photograph as Photograph;
    this.#change({ picture: { ...picture, proposed: null } });
  }

  /** Mark a disc of this size next; what may be one is shown. */
  async addDisc(diameter_mm: number): Promise<void> {
    const number = this.#pins().filter(({ of }) => of.kind === "disc").length;
    this.#change({ disc: { kind: "disc", diameter_mm, number } });
    const { picture, rims } = this.store.state.photograph as Photograph;
    if (rims.length === 0) this.#change({ rims: await request<readonly (readonly Place[])[]>("GET", `/photograph/${picture.version}/discs`) });
  }

  undo(): void {
    const { before } = this.store.state.photograph ?? { before: [] };
    const pins = before.at(-1);
    if (!pins) return;
    this.#change({ pins, before: before.slice(0, -1), picked: null });
    void this.#solve();
  }

  #pins(): readonly Pin[] {
    return this.store.state.photograph?.pins ?? [];
  }

  #moved(number: number, place: Place): readonly Pin[] {
    return this.#pins().map((pin, i) => (i === number ? { ...pin, place, sigma_px: this.#sigma(DRAGGED_PX) } : pin));
  }

  /** The closer the picture is looked at, the better. */
  #sigma(screen_px: number): number {
    return Math.min(MOST_SIGMA_PX, Math.max(LEAST_SIGMA_PX, screen_px / this.stage.scale));
  }

  #change(changes: Partial<Photograph>): void {
    const { photograph } = this.store.state;
    if (photograph) this.store.set({ photograph: { ...photograph, ...changes } });
  }

  #setPins(pins: readonly Pin[], was = this.#pins()): void {
    const photograph = this.store.state.photograph;
    if (!photograph) return;
    const disc = photograph.disc !== null && pins.filter(({ of }) => isSame(of, photograph.disc)).length >= OF_A_DISC ? null : photograph.disc;
    this.#change({ pins, before: [...photograph.before, was], disc, picked: null });
    void this.#solve();
  }

  /** Where what is marked puts the table; what comes late is of an older question. */
  async #solve(): Promise<void> {
    const photograph = this.store.state.photograph;
    const marks = wholeMarks(photograph?.pins ?? []).map(markOf);
    const turn = ++this.#newest;
    if (!photograph || marks.reduce((sum, mark) => sum + (mark.kind === "disc" ? mark.at_px.length - 2 : 2), 0) < ENOUGH) return this.#change({ pose: null });
    this.store.set({ busy: PHOTO.solving, problems: [] });
    try {
      const pose = await request<MarkedPose>("POST", "/photograph/marks", { version: photograph.picture.version, marks } satisfies PhotographMarks);
      if (turn !== this.#newest) return;
      this.#change({ pose });
      this.store.set({ busy: null, status: pose.status ?? this.store.state.status });
    } catch (wrong) {
      if (turn !== this.#newest) return;
      this.#change({ pose: null });
      const isAsking = this.store.state.photograph !== null && targetOf(this.store.state.photograph) !== null;
      this.store.set({ busy: null, problems: isAsking ? [] : [problemOf(wrong)] }); // what is asked for next may mend it
    }
  }
}

/** What the next tap marks: the disc that was asked for, the next corner, then two places of each side whose corner is hidden. */
export function targetOf({ disc, pins, hidden }: Photograph): Target | null {
  if (disc) return disc;
  const count = (target: Target) => pins.filter(({ of }) => isSame(of, target)).length;
  const isOpen = (target: Target, most: number) => count(target) < most && !hidden.some((one) => isSame(one, target));
  const corners = CORNERS.map((name): Target => ({ kind: "corner", name }));
  const corner = corners.find((target) => isOpen(target, 1));
  if (corner) return corner;
  const isWhole = (side: number) => count(corners[side] as Target) > 0 && count(corners[(side + 1) % CORNERS.length] as Target) > 0;
  const sides = SIDES.filter((_, side) => !isWhole(side)).map((name): Target => ({ kind: "side", name }));
  return sides.find((target) => isOpen(target, OF_A_SIDE)) ?? null;
}

function isSame(a: Target, b: Target | null): boolean {
  return b !== null && keyOf(a) === keyOf(b);
}

function keyOf(target: Target): string {
  return target.kind === "disc" ? `disc ${target.number}` : `${target.kind} ${target.name}`;
}

/** Of each mark that is whole, its pins: a side of one place says nothing yet. */
function wholeMarks(pins: readonly Pin[]): readonly (readonly Pin[])[] {
  const each = [...new Set(pins.map(({ of }) => keyOf(of)))].map((key) => pins.filter(({ of }) => keyOf(of) === key));
  return each.filter(([pin, ...more]) => more.length + 1 >= { corner: 1, side: OF_A_SIDE, disc: OF_A_DISC }[(pin as Pin).of.kind]);
}

function markOf(pins: readonly Pin[]): PhotographMarks["marks"][number] {
  const [{ of, place }, at_px] = [pins[0] as Pin, pins.map((pin) => pin.place)];
  const sigma_px = Math.max(...pins.map((pin) => pin.sigma_px));
  if (of.kind === "corner") return { kind: "corner", corner: of.name, at_px: place, sigma_px };
  return of.kind === "side" ? { kind: "side", side: of.name, at_px, sigma_px } : { kind: "disc", diameter_mm: of.diameter_mm, at_px, sigma_px };
}

/** The pins of a mark that is proposed. */
function pinsOf(mark: PhotographMarks["marks"][number]): readonly Pin[] {
  const sigma_px = mark.sigma_px ?? LEAST_SIGMA_PX;
  if (mark.kind === "corner") return [{ of: { kind: "corner", name: mark.corner }, place: mark.at_px, sigma_px }];
  return mark.kind === "side" ? mark.at_px.map((place): Pin => ({ of: { kind: "side", name: mark.side }, place, sigma_px })) : [];
}

function isWithin([x, y]: Place, rim: readonly Place[]): boolean {
  const [u, v] = [0, 1].map((axis) => rim.reduce((sum, place) => sum + (place[axis] as number), 0) / rim.length) as [number, number];
  return Math.hypot(x - u, y - v) < Math.max(...rim.map(([a, b]) => Math.hypot(a - u, b - v)));
}

function thirdsOf(rim: readonly Place[]): readonly Place[] {
  return rim.filter((_, i) => i % Math.ceil(rim.length / OF_A_DISC) === 0);
}

/** Whether a mark lies far from where the others put it. */
export function isOff({ pins, pose }: Photograph, pin: Pin): boolean {
  return (pose?.misses[wholeMarks(pins).findIndex((mark) => mark.includes(pin))] ?? 0) > OFF_SIGMAS;
}
