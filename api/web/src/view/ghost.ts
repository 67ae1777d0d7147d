/** The ghost: where a miniature is thought of as going, the way there, and what goes wrong on it. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Actions } from "../actions";
import { inches, isAnswered, mood } from "../format";
import { radius_mm, scaleOf, type Frame, type Point } from "../geometry";
import { miniature, type State, type Way } from "../state";
import { facingAtEnd, hasMoved, isCourseOf, length_mm, pointsOf } from "../way";
import { footprint, tag } from "./base";
import { gripOf } from "./grip";
import { points } from "./path";
import { SAY } from "./words";

const FINGER_PX = 26;

/** In table millimetres. */
export function ghost(state: State, way: Way, frame: Frame, actions: Actions): SVGTemplateResult | typeof nothing {
  const m = miniature(state, way.who);
  if (!m) return nothing;
  const there = { ...m, at_mm: way.at, facing_deg: facingAtEnd(state, way), facing_alternatives: [] };
  const grip = gripOf(way.at, frame, (place) => actions.way.to(place));
  return svg`<g class="ghost ${moodOf(state)}">
    ${hasMoved(state, way) ? path(pointsOf(state, way), 2 * radius_mm(m)) : nothing}
    ${strikes(state)}${violation(state)}
    <g class="grip base" role="button" tabindex="0" aria-label=${SAY.ghost(m.name)} @pointerdown=${grip.down} @pointermove=${grip.move}
        @pointerup=${grip.up} @pointercancel=${grip.up} @click=${grip.click} @keydown=${grip.key}>
      <circle class="hold" cx=${way.at[0]} cy=${way.at[1]} r=${Math.max(radius_mm(m), FINGER_PX / scaleOf(frame))} />
      ${footprint(there, scaleOf(frame))}
    </g>
  </g>`;
}

/** How far it went, beside it, in screen pixels; nothing where that may not be measured. */
export function ghostTag(state: State, way: Way, frame: Frame): SVGTemplateResult | typeof nothing {
  const m = miniature(state, way.who);
  if (!m || !hasMoved(state, way) || !state.table?.is_measuring_free) return nothing;
  return tag({ ...m, at_mm: way.at }, frame, inches(length_mm(pointsOf(state, way))), `way ${moodOf(state)}`);
}

function moodOf(state: State): string {
  const { course, way } = state;
  const line = way && isCourseOf(state, way) ? course?.lines[0] : undefined;
  return line && isAnswered(line) ? mood(line.verdict) : "told";
}

/** The lane its base sweeps, the middle of it, and its corners. */
function path(through: readonly Point[], wide_mm: number): SVGTemplateResult {
  return svg`<polyline class="lane" points=${points(through)} stroke-width=${wide_mm} />
    <polyline class="casing" points=${points(through)} /><polyline class="stroke" points=${points(through)} />
    ${through.slice(1, -1).map(([x, y]) => svg`<path class="corner" d="M${x} ${y}h0" />`)}`;
}

function violation({ course }: State): SVGTemplateResult | typeof nothing {
  const told = course?.lines[0]?.verdict?.value.violation as { at_mm?: Point } | null | undefined;
  if (!told?.at_mm) return nothing;
  return svg`<path class="wrong" d="M${told.at_mm[0]} ${told.at_mm[1]}h0" />`;
}

/** Where each free strike falls, and who strikes. */
function strikes(state: State): SVGTemplateResult | typeof nothing {
  const verdict = state.course?.lines.find((line) => line.slot === "strikes")?.verdict;
  const by_id = (verdict?.value.by_id ?? {}) as Record<string, { at_mm?: Point | null }>;
  const told = Object.entries(by_id).filter(([, one]) => one.at_mm);
  return svg`${told.map(([id, { at_mm }]) => {
    const from = miniature(state, id)?.at_mm;
    if (!from || !at_mm) return nothing;
    const [x, y] = at_mm;
    return svg`<path class="strike" d="M${from[0]} ${from[1]}L${x} ${y}" /><path class="struck" d="M${x} ${y}h0" />`;
  })}`;
}
