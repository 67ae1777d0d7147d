/** Label layout: greedy placement of words on the table, none over another and none over a base; farther off, a leader line leads back. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import { onScreen, radius_mm, scaleOf, type Frame, type Point, type Size } from "../../shared/geometry";
import type { DrawnMiniature } from "../../shared/types.gen";

export interface Box {
  readonly x: number;
  readonly y: number;
  /** half its width, and half its height */
  readonly half: number;
  readonly high: number;
}

interface Disc {
  readonly id: string;
  readonly at: Point;
  readonly radius: number;
}

/** What a label belongs to: its middle, and how far from there its edge is. */
export interface Anchor {
  readonly at: Point;
  readonly radius: number;
  /** the direction that is tried first, in degrees on the screen, 0 to the right and 90 down */
  readonly first_deg?: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
  /** from the label to what it belongs to; null: it is right beside it */
  readonly leader: readonly [Point, Point] | null;
}

const GAP_PX = 4;
const TURNS_DEG = [0, 45, -45, 90, -90, 135, -135, 180];
const STEPS_PX = [0, 16, 34, 56, 84, 120];
const BESIDE_PX = 6;
const GRID_PX = 8;
const OVERLAP_PX = 1;
const BUTTON_PX = 53;
/** Two round buttons side by side. */
export const BUTTONS_PX = 2 * BUTTON_PX;

/** Digits of one width are a little wider than those that are measured. */
const DIGITS_SHARE = 1.03;
let pen: CanvasRenderingContext2D | null = null;

/** How wide a bold text is in the page's own font, which every system has another of. */
export function textWidth(text: string, size_px: number): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (pen === null) return text.length * size_px;
  pen.font = `700 ${size_px}px ${getComputedStyle(document.body).fontFamily}`;
  return DIGITS_SHARE * pen.measureText(text).width;
}

export class LabelLayout {
  readonly #boxes: Box[] = [];
  readonly #discs: readonly Disc[];
  readonly #stage: Size;

  constructor(miniatures: readonly DrawnMiniature[], frame: Frame, stage: Size) {
    this.#stage = stage;
    this.#discs = miniatures.map((m) => ({ id: m.id, at: onScreen(frame, m.at_mm), radius: radius_mm(m) * scaleOf(frame) }));
  }

  /** Nothing else is laid in a corner as large as this; without a width, along that whole edge. */
  reserveCorner({ isLeft = false, isTop = false, width_px = this.#stage.width_px, height_px = BUTTON_PX }: Partial<Size & { isLeft: boolean; isTop: boolean }>): void {
    const [half, high] = [width_px / 2, height_px / 2];
    this.reserve({ x: isLeft ? half : this.#stage.width_px - half, y: isTop ? high : this.#stage.height_px - high, half, high });
  }

  /** Nothing else is laid here. */
  reserve(box: Box): void {
    this.#boxes.push(box);
  }

  /** Take the first of these places that is free; null: none is. */
  firstFree(places: Iterable<Point>, half: number, high: number): Point | null {
    for (const [x, y] of places) {
      if (!this.#isFree({ x, y, half, high })) continue;
      this.reserve({ x, y, half, high });
      return [x, y];
    }
    return null;
  }

  /** Take the free place of the whole stage that is nearest to this one; null: there is none. */
  nearestFree([x, y]: Point, half: number, high: number): Point | null {
    const { width_px, height_px } = this.#stage;
    const along = (from: number, to: number) => Array.from({ length: Math.max(0, Math.floor((to - from) / GRID_PX) + 1) }, (_, k) => from + k * GRID_PX);
    const places = along(half, width_px - half).flatMap((across) => along(high, height_px - high).map((down): Point => [across, down]));
    const far = ([px, py]: Point) => Math.hypot(px - x, py - y);
    return this.firstFree(places.sort((p, q) => far(p) - far(q)), half, high);
  }

  /** Beside what it belongs to, else farther off on a leader line, and without `most_px` wherever there is room; null: there is none. */
  beside({ at: [x, y], radius, first_deg = -90 }: Anchor, half: number, high: number, most_px?: number): Place | null {
    for (const step of STEPS_PX.filter((one) => one <= (most_px ?? one))) {
      for (const turn of TURNS_DEG) {
        const angle = ((first_deg + turn) * Math.PI) / 180;
        const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
        const off = radius + GAP_PX + step + reach(half, high, dx, dy);
        const box = { x: x + dx * off, y: y + dy * off, half, high };
        if (!this.#isFree(box)) continue;
        this.reserve(box);
        return { x: box.x, y: box.y, leader: step <= BESIDE_PX ? null : [[box.x, box.y], [x + dx * radius, y + dy * radius]] };
      }
    }
    const free = most_px === undefined ? this.nearestFree([x, y], half, high) : null;
    return free && { x: free[0], y: free[1], leader: [free, [x, y]] };
  }

  #isFree(box: Box): boolean {
    const { width_px, height_px } = this.#stage;
    if (box.x - box.half < 0 || box.x + box.half > width_px || box.y - box.high < 0 || box.y + box.high > height_px) return false;
    if (this.#boxes.some((other) => Math.abs(other.x - box.x) < other.half + box.half && Math.abs(other.y - box.y) < other.high + box.high)) return false;
    return this.#discs.every((disc) => distanceTo(disc.at, box) >= disc.radius - OVERLAP_PX);
  }
}

/** The line from a label that stands off to what it belongs to. */
export function leaderLine({ leader }: Place): SVGTemplateResult | typeof nothing {
  if (leader === null) return nothing;
  const [[x0, y0], [x1, y1]] = leader;
  return svg`<path class="leader" d="M${x0} ${y0}L${x1} ${y1}" aria-hidden="true" />`;
}

/** How far a box reaches in a direction, so that it lies wholly beyond a line across it. */
function reach(half: number, high: number, dx: number, dy: number): number {
  return Math.abs(dx) * half + Math.abs(dy) * high;
}

function distanceTo([x, y]: Point, box: Box): number {
  return Math.hypot(Math.max(0, Math.abs(x - box.x) - box.half), Math.max(0, Math.abs(y - box.y) - box.high));
}

/** The direction on the screen from one point away from another. */
export function directionAway([x0, y0]: Point, [x1, y1]: Point): number {
  return (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
}
