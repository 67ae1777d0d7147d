/** A way that a miniature may take: its legs, its length so far, and how it looks at the end. */

import { directionTo, type Point } from "./geometry";
import { miniature, type State, type Way } from "./state";
import type { Ghost, Going } from "./types.gen";

const MOVED_MM = 1;
const SAME_MM = 0.01;

/** No way yet: it stands where it stands. */
export function wayFrom(state: State, id: string): Way | null {
  const m = state.table?.plays_units ? null : miniature(state, id);
  return m && { who: id, via: [], at: m.at_mm, facing_deg: null, manner: state.way?.manner ?? "advance" };
}

/** The points it goes over, from where it stands to where it would end. */
export function pointsOf(state: State, way: Way): readonly Point[] {
  const m = miniature(state, way.who);
  return m ? [m.at_mm, ...way.via, way.at] : [...way.via, way.at];
}

export function length_mm(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - (points[i]?.[0] ?? x), y - (points[i]?.[1] ?? y)), 0);
}

export function hasMoved(state: State, way: Way): boolean {
  return length_mm(pointsOf(state, way)) > MOVED_MM;
}

/** How it looks at the end: as told, else along its last leg, else as it looks now. */
export function facingAtEnd(state: State, way: Way): number | null {
  if (way.facing_deg !== null) return way.facing_deg;
  const points = pointsOf(state, way);
  const [from, to] = [points.at(-2), points.at(-1)];
  if (from && to && Math.hypot(to[0] - from[0], to[1] - from[1]) > MOVED_MM) return directionTo(from, to);
  return state.told_deg[way.who] ?? miniature(state, way.who)?.facing_deg ?? null;
}

export function ghostsOf(state: State): Record<string, Ghost> {
  const { tool, way } = state;
  if (tool !== "move" || way === null || !hasMoved(state, way)) return {};
  return { [way.who]: { at_mm: way.at, facing_deg: facingAtEnd(state, way) } };
}

/** Whether the course that is known is the one of this way, as it goes now. */
export function isCourseOf({ course }: State, way: Way): boolean {
  const asked = course?.lines[0]?.verdict?.query;
  const end = (asked?.path_mm as readonly Point[] | undefined)?.at(-1);
  const isSame = course?.who === way.who && (asked?.manner ?? "advance") === way.manner;
  return isSame && end !== undefined && Math.hypot(end[0] - way.at[0], end[1] - way.at[1]) < SAME_MM;
}

/** The question about the way itself; null while nothing would move. */
export function goingOf(state: State): Going | null {
  const { way, reach_in, speed_in, told_deg } = state;
  if (way === null || !hasMoved(state, way)) return null;
  const path_mm = [...way.via, way.at];
  return {
    who: way.who, path_mm, facing_deg: facingAtEnd(state, way), manner: way.manner, reach_in, speed_in, facings_deg: told_deg,
  };
}
