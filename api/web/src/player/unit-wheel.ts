/** Wheel of a unit by its front corners: a corner that is dragged turns the unit about the other one. */

import { pointToward, type Point } from "../shared/geometry";
import type { ManoeuvrePlan, State } from "./state";
import type { DrawnMiniature, Step } from "../shared/types.gen";

const MM_PER_INCH = 25.4; // steps are told in inches
const LEAST_DEG = 0.5;
const MOST_DEG = 180;

export type WheelSide = "wheel-left" | "wheel-right";

/** The front edge of a unit: its middle, and where it looks. */
interface FrontPose {
  readonly front_mm: Point;
  readonly facing_deg: number;
}

/** The corner that is dragged, and the one it turns about, before the wheel began. */
export interface WheelCorners {
  readonly side: WheelSide;
  readonly about_mm: Point;
  readonly from_mm: Point;
  readonly by_deg: number;
}

/** Both front corners of the unit that manoeuvres, as it would stand after its steps. */
export function wheelCorners(state: State): readonly WheelCorners[] {
  const { manoeuvre, table } = state;
  const body = table?.units.find((unit) => unit.id === manoeuvre?.who);
  if (!manoeuvre || !body || body.base.shape !== "rect" || body.facing_deg === null) return [];
  return (["wheel-left", "wheel-right"] as const).map((side) => cornersOf(body, manoeuvre, side));
}

/** Where the dragged corner is now. */
export function draggedCorner({ side, about_mm, from_mm, by_deg }: WheelCorners): Point {
  const turn = side === "wheel-left" ? by_deg : -by_deg;
  return pointToward(about_mm, headingTo(about_mm, from_mm) + turn, Math.hypot(from_mm[0] - about_mm[0], from_mm[1] - about_mm[1]));
}

/** The wheel that brings the corner nearest to here, in degrees to a tenth; 0 where it would turn the other way. */
export function wheelTo({ side, about_mm, from_mm }: WheelCorners, to: Point): number {
  const turned = ((headingTo(about_mm, to) - headingTo(about_mm, from_mm) + 540) % 360) - 180;
  const by = side === "wheel-left" ? turned : -turned;
  return by < LEAST_DEG ? 0 : Math.min(MOST_DEG, Math.round(10 * by) / 10);
}

/** The steps with this wheel last; a wheel to the same side that is last already is this one. */
export function withWheel(steps: readonly Step[], side: WheelSide, by_deg: number): readonly Step[] {
  const before = steps.at(-1)?.do === side ? steps.slice(0, -1) : steps;
  return by_deg === 0 ? before : [...before, { do: side, by_in: null, by_deg }];
}

function cornersOf(body: DrawnMiniature, { steps }: ManoeuvrePlan, side: WheelSide): WheelCorners {
  const last = steps.at(-1);
  const by_deg = last?.do === side ? (last.by_deg ?? 0) : 0;
  const before = withWheel(steps, side, 0).reduce((pose, step) => poseAfter(pose, step, body), poseOf(body));
  const corner = (left: boolean) => pointToward(before.front_mm, before.facing_deg + (left ? 90 : -90), widthOf(body) / 2);
  const isLeft = side === "wheel-left";
  return { side, by_deg, about_mm: corner(isLeft), from_mm: corner(!isLeft) };
}

function poseOf(body: DrawnMiniature): FrontPose {
  return { front_mm: pointToward(body.at_mm, body.facing_deg ?? 0, depthOf(body) / 2), facing_deg: body.facing_deg ?? 0 };
}

function poseAfter({ front_mm, facing_deg }: FrontPose, step: Step, body: DrawnMiniature): FrontPose {
  const [mm, deg] = [(step.by_in ?? 0) * MM_PER_INCH, step.by_deg ?? 0];
  const sideways = { forward: 0, backward: 180, left: 90, right: -90 } as const;
  if (step.do in sideways) {
    return { front_mm: pointToward(front_mm, facing_deg + sideways[step.do as keyof typeof sideways], mm), facing_deg };
  }
  const turn = step.do === "wheel-right" ? -deg : deg;
  const about = step.do === "pivot"
    ? pointToward(front_mm, facing_deg + 180, depthOf(body) / 2)
    : pointToward(front_mm, facing_deg + (step.do === "wheel-left" ? 90 : -90), widthOf(body) / 2);
  const away_mm = Math.hypot(front_mm[0] - about[0], front_mm[1] - about[1]);
  return { front_mm: pointToward(about, headingTo(about, front_mm) + turn, away_mm), facing_deg: facing_deg + turn };
}

function headingTo(from: Point, to: Point): number {
  return (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
}

function widthOf({ base }: DrawnMiniature): number {
  return base.shape === "round" ? base.diameter_mm : base.width_mm;
}

function depthOf({ base }: DrawnMiniature): number {
  return base.shape === "round" ? base.diameter_mm : base.depth_mm;
}
