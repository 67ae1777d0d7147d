/** Manoeuvre of a unit as a what-if: its steps, where everybody ends, and how far on its path it is drawn. */

import { pointToward, type Point } from "../shared/geometry";
import type { ManoeuvrePlan, NamingDraft, State } from "./state";
import type { WhatIfMoveResult, DrawnMiniature, Ghost, Manoeuvre, Step, Verdict } from "../shared/types.gen";

/** A piece of a way, as docs/moves.md tells it. */
interface Leg {
  readonly do: "straight" | "turn" | "each";
  readonly from_mm?: Point;
  readonly to_mm?: Point;
  readonly about_mm?: Point;
  readonly by_deg?: number;
  readonly length_mm: number;
}

interface Place {
  readonly at_mm: Point;
  readonly facing_deg: number;
}

/** Nothing yet: it stands where it stands. Null where no units are played. */
export function startManoeuvre(state: State, who: string): ManoeuvrePlan | null {
  return state.table?.plays_units ? { who, do: "move", steps: [], roll_in: null } : null;
}

export function membersOf({ table }: State, id: string): readonly DrawnMiniature[] {
  return (table?.miniatures ?? []).filter((m) => m.unit === id || m.id === id);
}

/** One step more; the same as the last one makes that one longer, and its opposite makes it shorter. */
export function withStep(steps: readonly Step[], step: Step): readonly Step[] {
  const last = steps.at(-1);
  if (last?.do !== step.do) return [...steps, step];
  const sum = (one?: number | null, other?: number | null) => (one == null ? null : one + (other ?? 0));
  return [...steps.slice(0, -1), { do: step.do, by_in: sum(last.by_in, step.by_in), by_deg: sum(last.by_deg, step.by_deg) }];
}

/** The question about it; null while it does nothing. */
export function manoeuvreQuestion(state: State): Manoeuvre | null {
  const { manoeuvre, b } = state;
  if (manoeuvre === null) return null;
  const query = { who: manoeuvre.who, do: manoeuvre.do };
  if (isMove(manoeuvre)) return manoeuvre.steps.length > 0 ? { ...query, steps: manoeuvre.steps } : null;
  return b === null ? null : { ...query, other: b, roll_in: manoeuvre.do === "flee" ? manoeuvre.roll_in : null };
}

export function isMove(manoeuvre: ManoeuvrePlan): boolean {
  return manoeuvre.do === "move" || manoeuvre.do === "march";
}

/** The verdict that tells where everybody ends. */
function manoeuvreVerdict({ course, manoeuvre }: State): Verdict | null {
  return course !== null && course.who === manoeuvre?.who ? (course.lines[0]?.verdict ?? null) : null;
}

/** Whether the course that is known is the one of this manoeuvre, as it goes now. */
export function isCourseOfManoeuvre(state: State): boolean {
  const query = manoeuvreVerdict(state)?.query;
  const { manoeuvre } = state;
  if (!query || !manoeuvre || query.kind !== (isMove(manoeuvre) ? "move" : manoeuvre.do)) return false;
  const stepsKey = (steps: readonly Step[]) => JSON.stringify(steps.map((one) => [one.do, one.by_in ?? null, one.by_deg ?? null]));
  return !isMove(manoeuvre) || stepsKey((query.steps ?? []) as readonly Step[]) === stepsKey(manoeuvre.steps);
}

/** Where everybody ends, by id; nobody where nothing moves. */
export function placesOf(state: State): Readonly<Record<string, Place>> {
  return (manoeuvreVerdict(state)?.value.poses ?? {}) as Record<string, Place>;
}

function legsOf(course: WhatIfMoveResult | null, who: string): readonly Leg[] {
  const paths = (course?.lines[0]?.verdict?.value.paths ?? {}) as Record<string, readonly Leg[]>;
  return paths[who] ?? [];
}

/** Its miniatures are asked about as standing where they end, once that is legal. */
export function ghostsOfManoeuvre(state: State): Record<string, Ghost> {
  const { manoeuvre, tool } = state;
  if (tool !== "move" || manoeuvre === null || manoeuvreQuestion(state) === null || manoeuvreVerdict(state)?.answer === "no") return {};
  const places = placesOf(state);
  const moved = membersOf(state, manoeuvre.who).flatMap(({ id }) => (places[id] ? [[id, places[id]] as const] : []));
  return Object.fromEntries(moved.map(([id, { at_mm, facing_deg }]) => [id, { at_mm, facing_deg }]));
}

/** Its members as they are on the way now, or at its end. */
export function membersUnderway(state: State): readonly DrawnMiniature[] {
  const { manoeuvre, course, playback } = state;
  if (manoeuvre === null) return [];
  const places = placesOf(state);
  const members = membersOf(state, manoeuvre.who).filter((m) => places[m.id]);
  const legs = legsOf(course, manoeuvre.who);
  if (playback >= 1 || legs.length === 0) return members.map((m) => ({ ...m, ...places[m.id] }));
  return members.map((m) => ({ ...m, ...placeAlong(m, places[m.id] as Place, legs, playback) }));
}

/** Where one is that has gone this part of the way. */
function placeAlong(m: DrawnMiniature, end: Place, legs: readonly Leg[], part: number): Place {
  let left = part * legs.reduce((sum, leg) => sum + leg.length_mm, 0);
  let place: Place = { at_mm: m.at_mm, facing_deg: m.facing_deg ?? end.facing_deg };
  for (const leg of legs) {
    if (left <= 0) break;
    place = placeAfterLeg(place, end, leg, Math.min(1, left / (leg.length_mm || 1)));
    left -= leg.length_mm;
  }
  return place;
}

function placeAfterLeg({ at_mm: [x, y], facing_deg }: Place, end: Place, leg: Leg, part: number): Place {
  if (leg.do === "turn" && leg.about_mm) {
    const by = (leg.by_deg ?? 0) * part;
    const [cx, cy] = leg.about_mm;
    const from_deg = (Math.atan2(y - cy, x - cx) * 180) / Math.PI;
    return { at_mm: pointToward(leg.about_mm, from_deg + by, Math.hypot(x - cx, y - cy)), facing_deg: facing_deg + by };
  }
  const [from, to] = leg.do === "straight" ? [leg.from_mm, leg.to_mm] : [[x, y] as Point, end.at_mm];
  if (!from || !to) return { at_mm: [x, y], facing_deg };
  return { at_mm: [x + part * (to[0] - from[0]), y + part * (to[1] - from[1])], facing_deg: leg.do === "each" && part === 1 ? end.facing_deg : facing_deg };
}

/** Whether a base, or all of a unit, is about to be named. */
export function isChosen(state: State, { ids }: NamingDraft, id: string): boolean {
  const members = membersOf(state, id);
  return members.length > 0 && members.every((m) => ids.includes(m.id));
}
