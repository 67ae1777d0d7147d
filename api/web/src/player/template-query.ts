/** Template query: the question a template on the table asks, and its outline. */

import { directionTo, radius_mm, pointToward, type Point } from "../shared/geometry";
import { isMine, miniature, type State } from "./state";

const MM_PER_INCH = 25.4; // templates are named in inches and drawn in millimetres

/** Where a round template lies before anybody rolled. */
export function aimPoint({ template, table }: State): Point | null {
  return template.on === null ? template.at : (table?.miniatures.find((m) => m.id === template.on)?.at_mm ?? null);
}

export function roundRadius_mm({ template }: State): number {
  return (template.size_in * MM_PER_INCH) / 2;
}

/** Whether the template lies off the table, wholly or with a part of it; null: it lies on it, or nowhere. */
export function offTable(state: State): "wholly" | "partly" | null {
  const landed = state.template.isMissed ? ((state.templateVerdict?.value.point_mm ?? null) as Point | null) : aimPoint(state);
  const corners = state.template.shape === "spray" ? sprayOutline(state) : landed && cornersAround(landed, roundRadius_mm(state));
  const size = state.table?.size;
  if (!size || !corners) return null;
  const isOn = ([x, y]: Point) => x >= 0 && y >= 0 && x <= size.width_mm && y <= size.depth_mm;
  if (state.template.shape === "round" && landed && !isOn(landed)) return "wholly";
  return corners.every(isOn) ? null : "partly";
}

function cornersAround([x, y]: Point, r: number): readonly Point[] {
  return [[x - r, y], [x + r, y], [x, y - r], [x, y + r]];
}

/** The outline of the player's spray template from the sprayer's base through where it is aimed. */
export function sprayOutline(state: State): readonly Point[] | null {
  const { near_mm, far_mm } = state.settings;
  const from = miniature(state, state.template.from);
  const aim = aimPoint(state);
  if (!from || !aim || near_mm === null || far_mm === null) return null;
  const heading = directionTo(from.at_mm, aim);
  const foot = pointToward(from.at_mm, heading, radius_mm(from));
  const end = pointToward(foot, heading, state.template.size_in * MM_PER_INCH);
  return [
    pointToward(foot, heading + 90, near_mm / 2), pointToward(foot, heading - 90, near_mm / 2),
    pointToward(end, heading - 90, far_mm / 2), pointToward(end, heading + 90, far_mm / 2),
  ];
}

/** The questions that lay the template on everybody but mine, one after the other. */
export function targetQueries(state: State): readonly (readonly [string, Record<string, unknown>])[] {
  const others = (state.table?.miniatures ?? []).filter((m) => isMine(state, m) !== true && m.id !== state.template.from);
  return others.flatMap(({ id }) => {
    const query = templateQuery({ ...state, template: { ...state.template, on: id, at: null, isMissed: false } });
    return query ? [[id, query] as const] : [];
  });
}

/** What is asked of the template as it lies; null while something is missing. */
export function templateQuery(state: State): Record<string, unknown> | null {
  return state.template.shape === "spray" ? sprayQuery(state) : roundQuery(state);
}

function roundQuery({ template }: State): Record<string, unknown> | null {
  const { on, at, from, size_in: diameter_in, direction, distance } = template;
  const place = on ?? at;
  if (place === null) return null;
  if (!template.isMissed) return { kind: "template-hits", at: place, diameter_in, ...(on === null ? {} : { direct: on }) };
  if (from === null) return null;
  const isRolled = direction !== null && distance !== null;
  return { kind: "deviation", origin: from, target: place, diameter_in, dice: isRolled ? { direction, distance } : {} };
}

function sprayQuery(state: State): Record<string, unknown> | null {
  const { from, on, size_in: length_in } = state.template;
  const outline_mm = sprayOutline(state);
  const aim = aimPoint(state);
  const sprayer = miniature(state, from);
  if (!outline_mm || !aim || !sprayer || from === on) return null;
  const aimed = on === null ? { heading_deg: directionTo(sprayer.at_mm, aim) } : { target: on };
  return { kind: "spray-hits", attacker: from, length_in, outline_mm, ...aimed };
}
