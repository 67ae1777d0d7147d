/** Outline editor: a piece of terrain as it is drawn, with a handle at each corner. */

import { svg, type SVGTemplateResult } from "lit";
import type { Actions } from "../actions";
import { scaleOf, type Frame } from "../../shared/geometry";
import type { TerrainDrawing } from "../state";
import { gripOf } from "./drag-handle";
import { points } from "./svg-path";
import { SAY } from "../../shared/strings";

const FINGER_PX = 22;

/** In table millimetres. */
export function drawing(piece: TerrainDrawing, frame: Frame, actions: Actions): SVGTemplateResult {
  return svg`<g class="drawing"><polygon class="casing" points=${points(piece.corners)} /><polygon class="shape" points=${points(piece.corners)} />
    ${piece.corners.map((corner, i) => {
      const grip = gripOf(corner, frame, (to) => actions.corrections.moveCorner(i, to));
      return svg`<g class="grip" role="button" tabindex="0" aria-label=${SAY.cornerOf(i + 1)} @pointerdown=${grip.down} @pointermove=${grip.move}
          @pointerup=${grip.up} @pointercancel=${grip.up} @click=${grip.click} @keydown=${grip.key}>
        <circle class="hold" cx=${corner[0]} cy=${corner[1]} r=${FINGER_PX / scaleOf(frame)} />
        <path class="cross" d="M${corner[0]} ${corner[1]}h0" /></g>`;
    })}</g>`;
}
