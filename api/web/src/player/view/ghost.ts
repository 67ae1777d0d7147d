/** Ghost: where a miniature would go, the path there, and what is illegal about it. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Actions } from "../actions";
import { inches, isAnswered, toneOf } from "../../shared/format";
import { radius_mm, scaleOf, type Frame, type Point } from "../../shared/geometry";
import { miniature, type State, type MovePath } from "../state";
import { facingAtEnd, hasMoved, isCourseOf, length_mm, pointsOf } from "../ghost-path";
import { footprint, tag } from "./base-marker";
import type { LabelLayout } from "./label-layout";
import { gripOf } from "./drag-handle";
import { points } from "./svg-path";
import { SAY } from "../../shared/strings";

const FINGER_PX = 26;

/** In table millimetres. */
export function ghost(state: State, path: MovePath, frame: Frame, actions: Actions): SVGTemplateResult | typeof nothing {
  const m = miniature(state, path.who);
  if (!m) return nothing;
  const there = { ...m, at_mm: path.at, facing_deg: facingAtEnd(state, path), facing_alternatives: [] };
  const grip = gripOf(path.at, frame, (place) => actions.ghost.moveTo(place));
  return svg`<g class="ghost ${moodOf(state)}">
    ${hasMoved(state, path) ? lane(pointsOf(state, path), 2 * radius_mm(m)) : nothing}
    ${strikes(state)}${violation(state)}
    <g class="grip base" role="button" tabindex="0" aria-label=${SAY.ghost(m.name)} @pointerdown=${grip.down} @pointermove=${grip.move}
        @pointerup=${grip.up} @pointercancel=${grip.up} @click=${grip.click} @keydown=${grip.key}>
      <circle class="hold" cx=${path.at[0]} cy=${path.at[1]} r=${Math.max(radius_mm(m), FINGER_PX / scaleOf(frame))} />
      ${footprint(there, scaleOf(frame))}
    </g>
  </g>`;
}

/** How far it went, beside it, in screen pixels; nothing where that may not be measured. */
export function ghostTag(state: State, path: MovePath, frame: Frame, layout: LabelLayout): SVGTemplateResult | typeof nothing {
  const m = miniature(state, path.who);
  if (!m || !hasMoved(state, path) || !state.table?.is_measuring_free) return nothing;
  return tag({ ...m, at_mm: path.at }, frame, inches(length_mm(pointsOf(state, path))), `way ${moodOf(state)}`, layout);
}

function moodOf(state: State): string {
  const { course, path } = state;
  const line = path && isCourseOf(state, path) ? course?.lines[0] : undefined;
  return line && isAnswered(line) ? toneOf(line) : "told";
}

/** The lane its base sweeps, the middle of it, and its corners. */
function lane(through: readonly Point[], wide_mm: number): SVGTemplateResult {
  return svg`<polyline class="lane" points=${points(through)} stroke-width=${wide_mm} />
    <polyline class="casing" points=${points(through)} /><polyline class="stroke" points=${points(through)} />
    ${through.slice(1, -1).map(([x, y]) => svg`<path class="corner" d="M${x} ${y}h0" />`)}`;
}

function violation({ course }: State): SVGTemplateResult | typeof nothing {
  const wrong = course?.lines[0]?.verdict?.value.violation as { at_mm?: Point } | null | undefined;
  if (!wrong?.at_mm) return nothing;
  return svg`<path class="wrong" d="M${wrong.at_mm[0]} ${wrong.at_mm[1]}h0" />`;
}

/** Where each free strike falls, and who strikes. */
function strikes(state: State): SVGTemplateResult | typeof nothing {
  const verdict = state.course?.lines.find((line) => line.slot === "strikes")?.verdict;
  const by_id = (verdict?.value.by_id ?? {}) as Record<string, { at_mm?: Point | null }>;
  const wrong = Object.entries(by_id).filter(([, one]) => one.at_mm);
  return svg`${wrong.map(([id, { at_mm }]) => {
    const from = miniature(state, id)?.at_mm;
    if (!from || !at_mm) return nothing;
    const [x, y] = at_mm;
    return svg`<path class="strike" d="M${from[0]} ${from[1]}L${x} ${y}" /><path class="struck" d="M${x} ${y}h0" />`;
  })}`;
}
