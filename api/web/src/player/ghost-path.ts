/** Path of a ghost: its legs, its length so far, and how it faces at the end. */

import { directionTo, type Point } from "../shared/geometry";
import { miniature, type State, type MovePath } from "./state";
import type { Ghost, WhatIfMove } from "../shared/types.gen";

const MOVED_MM = 1;
const SAME_MM = 0.01;

/** No way yet: it stands where it stands. */
export function startPath(state: State, id: string): MovePath | null {
  const m = state.table?.plays_units ? null : miniature(state, id);
  return m && { who: id, via: [], at: m.at_mm, facing_deg: null, manner: state.path?.manner ?? "advance" };
}

/** The points it goes over, from where it stands to where it would end. */
export function pointsOf(state: State, path: MovePath): readonly Point[] {
  const m = miniature(state, path.who);
  return m ? [m.at_mm, ...path.via, path.at] : [...path.via, path.at];
}

export function length_mm(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - (points[i]?.[0] ?? x), y - (points[i]?.[1] ?? y)), 0);
}

export function hasMoved(state: State, path: MovePath): boolean {
  return length_mm(pointsOf(state, path)) > MOVED_MM;
}

/** How it looks at the end: as told, else along its last leg, else as it looks now. */
export function facingAtEnd(state: State, path: MovePath): number | null {
  if (path.facing_deg !== null) return path.facing_deg;
  const points = pointsOf(state, path);
  const [from, to] = [points.at(-2), points.at(-1)];
  if (from && to && Math.hypot(to[0] - from[0], to[1] - from[1]) > MOVED_MM) return directionTo(from, to);
  return miniature(state, path.who)?.facing_deg ?? null;
}

export function ghostsOf(state: State): Record<string, Ghost> {
  const { tool, path } = state;
  if (tool !== "move" || path === null || !hasMoved(state, path)) return {};
  return { [path.who]: { at_mm: path.at, facing_deg: facingAtEnd(state, path) } };
}

/** Whether the course that is known is the one of this way, as it goes now. */
export function isCourseOf({ course }: State, path: MovePath): boolean {
  const asked = course?.lines[0]?.verdict?.query;
  const end = (asked?.path_mm as readonly Point[] | undefined)?.at(-1);
  const isSame = course?.who === path.who && (asked?.manner ?? "advance") === path.manner;
  return isSame && end !== undefined && Math.hypot(end[0] - path.at[0], end[1] - path.at[1]) < SAME_MM;
}

/** The question about the way itself; null while nothing would move. */
export function moveQuestion(state: State): WhatIfMove | null {
  const { path } = state;
  if (path === null || !hasMoved(state, path)) return null;
  const path_mm = [...path.via, path.at];
  return {
    who: path.who, path_mm, facing_deg: facingAtEnd(state, path), manner: path.manner,
  };
}
