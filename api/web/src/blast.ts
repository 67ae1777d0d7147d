/** A template on the table: the question it asks, and its outline. */

import { directionTo, radius_mm, toward, type Point } from "./geometry";
import { isMine, miniature, type State } from "./state";

const MM_PER_INCH = 25.4; // templates are named in inches and drawn in millimetres

/** Where a round template lies before anybody rolled. */
export function aimedAt({ blast, table }: State): Point | null {
  return blast.on === null ? blast.at : (table?.miniatures.find((m) => m.id === blast.on)?.at_mm ?? null);
}

export function roundRadius_mm({ blast }: State): number {
  return (blast.size_in * MM_PER_INCH) / 2;
}

/** The outline of the player's spray template from the sprayer's base through where it is aimed. */
export function sprayOutline(state: State): readonly Point[] | null {
  const { near_mm, far_mm } = state.settings;
  const from = miniature(state, state.blast.from);
  const aim = aimedAt(state);
  if (!from || !aim || near_mm === null || far_mm === null) return null;
  const heading = directionTo(from.at_mm, aim);
  const foot = toward(from.at_mm, heading, radius_mm(from));
  const end = toward(foot, heading, state.blast.size_in * MM_PER_INCH);
  return [
    toward(foot, heading + 90, near_mm / 2), toward(foot, heading - 90, near_mm / 2),
    toward(end, heading - 90, far_mm / 2), toward(end, heading + 90, far_mm / 2),
  ];
}

/** The questions that lay the template on everybody but mine, one after the other. */
export function triedOn(state: State): readonly (readonly [string, Record<string, unknown>])[] {
  const others = (state.table?.miniatures ?? []).filter((m) => isMine(state, m) !== true && m.id !== state.blast.from);
  return others.flatMap(({ id }) => {
    const query = blastQuery({ ...state, blast: { ...state.blast, on: id, at: null, isMissed: false } });
    return query ? [[id, query] as const] : [];
  });
}

/** What is asked of the template as it lies; null while something is missing. */
export function blastQuery(state: State): Record<string, unknown> | null {
  return state.blast.shape === "spray" ? sprayQuery(state) : roundQuery(state);
}

function roundQuery({ blast }: State): Record<string, unknown> | null {
  const { on, at, from, size_in: diameter_in, direction, distance } = blast;
  const place = on ?? at;
  if (place === null) return null;
  if (!blast.isMissed) return { kind: "template-hits", at: place, diameter_in, ...(on === null ? {} : { direct: on }) };
  if (from === null) return null;
  const isRolled = direction !== null && distance !== null;
  return { kind: "deviation", origin: from, target: place, diameter_in, dice: isRolled ? { direction, distance } : {} };
}

function sprayQuery(state: State): Record<string, unknown> | null {
  const { from, on, size_in: length_in } = state.blast;
  const outline_mm = sprayOutline(state);
  const aim = aimedAt(state);
  const sprayer = miniature(state, from);
  if (!outline_mm || !aim || !sprayer || from === on) return null;
  const aimed = on === null ? { heading_deg: directionTo(sprayer.at_mm, aim) } : { target: on };
  return { kind: "spray-hits", attacker: from, length_in, outline_mm, ...aimed };
}
