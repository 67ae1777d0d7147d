/** A template as it lies on the table. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Actions } from "../actions";
import { aimedAt, roundRadius_mm, sprayOutline } from "../blast";
import { scaleOf, type Frame, type Point } from "../geometry";
import type { State } from "../state";
import { gripOf } from "./grip";
import { points } from "./path";
import { SAY } from "./words";

const FINGER_PX = 26;

/** In table millimetres. */
export function laid(state: State, frame: Frame, actions: Actions): SVGTemplateResult | typeof nothing {
  const aim = aimedAt(state);
  if (!aim) return nothing;
  const landed = (state.blastVerdict?.value.point_mm ?? null) as Point | null;
  const at = state.blast.isMissed && landed ? landed : aim;
  return svg`<g class="laid">
    ${state.blast.isMissed && landed ? drift(aim, landed) : nothing}
    ${state.blast.shape === "round" ? round(at, roundRadius_mm(state)) : spray(sprayOutline(state))}
    ${mayLand(state)}${hold(aim, frame, actions)}
  </g>`;
}

function round([x, y]: Point, r: number): SVGTemplateResult {
  return svg`<circle class="casing" cx=${x} cy=${y} r=${r} /><circle class="shape" cx=${x} cy=${y} r=${r} /><path class="middle" d="M${x} ${y}h0" />`;
}

function spray(outline: readonly Point[] | null): SVGTemplateResult | typeof nothing {
  return outline ? svg`<polygon class="casing" points=${points(outline)} /><polygon class="shape" points=${points(outline)} />` : nothing;
}

/** Every point where the dice may send its middle, while they have not been rolled. */
function mayLand({ blast, blastVerdict }: State): SVGTemplateResult | typeof nothing {
  const known = (blastVerdict?.value.points ?? []) as readonly { point_mm: Point }[];
  return blast.isMissed ? svg`${known.map(({ point_mm: [x, y] }) => svg`<path class="may" d="M${x} ${y}h0" />`)}` : nothing;
}

/** From where it was aimed at to where it came down. */
function drift(from: Point, to: Point): SVGTemplateResult {
  return svg`<polyline class="drift" points=${points([from, to])} />`;
}

function hold(at: Point, frame: Frame, actions: Actions): SVGTemplateResult {
  const grip = gripOf(at, frame, (place) => actions.template.at(place));
  return svg`<g class="grip" role="button" tabindex="0" aria-label=${SAY.templateHere} @pointerdown=${grip.down} @pointermove=${grip.move}
      @pointerup=${grip.up} @pointercancel=${grip.up} @click=${grip.click} @keydown=${grip.key}>
    <circle class="hold" cx=${at[0]} cy=${at[1]} r=${FINGER_PX / scaleOf(frame)} /><path class="cross" d="M${at[0]} ${at[1]}h0" /></g>`;
}
