/** Wheel handles at the front corners of a unit that manoeuvres. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Actions } from "../actions";
import { scaleOf, type Frame } from "../../shared/geometry";
import type { State } from "../state";
import { isMove } from "../unit-manoeuvre";
import { draggedCorner, wheelCorners, wheelTo, type WheelCorners } from "../unit-wheel";
import { gripOf } from "./drag-handle";
import { SAY } from "../../shared/strings";

const FINGER_PX = 22;
const DOT_PX = 7;

/** In table millimetres. */
export function wheelHandles(state: State, frame: Frame, actions: Actions): SVGTemplateResult | typeof nothing {
  if (!state.manoeuvre || !isMove(state.manoeuvre)) return nothing;
  return svg`${wheelCorners(state).map((corners) => handle(corners, frame, actions))}`;
}

function handle(corners: WheelCorners, frame: Frame, actions: Actions): SVGTemplateResult {
  const [x, y] = draggedCorner(corners);
  const grip = gripOf([x, y], frame, (to) => actions.manoeuvre.wheel(corners.side, wheelTo(corners, to)));
  const scale = scaleOf(frame);
  return svg`<g class="grip wheel" role="button" tabindex="0" aria-label=${corners.side === "wheel-left" ? SAY.dragWheelLeft : SAY.dragWheelRight}
      @pointerdown=${grip.down} @pointermove=${grip.move} @pointerup=${grip.up} @pointercancel=${grip.up} @click=${grip.click} @keydown=${grip.key}>
    <circle class="hold" cx=${x} cy=${y} r=${FINGER_PX / scale} /><circle class="knob" cx=${x} cy=${y} r=${DOT_PX / scale} /></g>`;
}
