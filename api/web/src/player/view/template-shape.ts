/** Template shape as it lies on the table. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Actions } from "../actions";
import { aimPoint, roundRadius_mm, sprayOutline } from "../template-query";
import { scaleOf, type Frame, type Point } from "../../shared/geometry";
import type { State } from "../state";
import { gripOf } from "./drag-handle";
import { points } from "./svg-path";
import { SAY } from "../../shared/strings";

const FINGER_PX = 26;

/** In table millimetres. */
export function templateShape(state: State, frame: Frame, actions: Actions): SVGTemplateResult | typeof nothing {
  const aim = aimPoint(state);
  if (!aim) return nothing;
  const landed = (state.templateVerdict?.value.point_mm ?? null) as Point | null;
  const at = state.template.isMissed && landed ? landed : aim;
  return svg`<g class="laid">
    ${state.template.isMissed && landed ? drift(aim, landed) : nothing}
    ${state.template.shape === "round" ? round(at, roundRadius_mm(state)) : spray(sprayOutline(state))}
    ${landingPoints(state)}${dragHandle(aim, frame, actions)}
  </g>`;
}

function round([x, y]: Point, r: number): SVGTemplateResult {
  return svg`<circle class="casing" cx=${x} cy=${y} r=${r} /><circle class="shape" cx=${x} cy=${y} r=${r} /><path class="middle" d="M${x} ${y}h0" />`;
}

function spray(outline: readonly Point[] | null): SVGTemplateResult | typeof nothing {
  return outline ? svg`<polygon class="casing" points=${points(outline)} /><polygon class="shape" points=${points(outline)} />` : nothing;
}

/** Every point where the dice may send its middle, while they have not been rolled. */
function landingPoints({ template, templateVerdict }: State): SVGTemplateResult | typeof nothing {
  const known = (templateVerdict?.value.points ?? []) as readonly { point_mm: Point }[];
  return template.isMissed ? svg`${known.map(({ point_mm: [x, y] }) => svg`<path class="may" d="M${x} ${y}h0" />`)}` : nothing;
}

/** From where it was aimed at to where it came down. */
function drift(from: Point, to: Point): SVGTemplateResult {
  return svg`<polyline class="drift" points=${points([from, to])} />`;
}

function dragHandle(at: Point, frame: Frame, actions: Actions): SVGTemplateResult {
  const grip = gripOf(at, frame, (place) => actions.template.layAt(place));
  return svg`<g class="grip" role="button" tabindex="0" aria-label=${SAY.templateHere} @pointerdown=${grip.down} @pointermove=${grip.move}
      @pointerup=${grip.up} @pointercancel=${grip.up} @click=${grip.click} @keydown=${grip.key}>
    <circle class="hold" cx=${at[0]} cy=${at[1]} r=${FINGER_PX / scaleOf(frame)} /><path class="cross" d="M${at[0]} ${at[1]}h0" /></g>`;
}
