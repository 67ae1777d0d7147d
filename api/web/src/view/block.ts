/** A unit that manoeuvres: the line it goes, and its miniatures on it. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Frame } from "../geometry";
import { scaleOf } from "../geometry";
import { mood } from "../format";
import { drilled, manoeuvreOf } from "../drill";
import type { State } from "../state";
import { bare, footprint } from "./base";
import { points } from "./path";

/** In table millimetres. */
export function block(state: State, frame: Frame): SVGTemplateResult | typeof nothing {
  const verdict = state.course?.who === state.drill?.who ? state.course?.lines[0]?.verdict : null;
  if (!verdict || manoeuvreOf(state) === null) return nothing;
  const way = verdict.witness.find((one) => one.role === "path" && (one.points_mm?.length ?? 0) > 1 && one.type !== "polygon");
  const through = points(way?.points_mm ?? []);
  return svg`<g class="ghost drilled ${mood(verdict)}" aria-hidden="true">
    ${way ? svg`<polyline class="casing" points=${through} /><polyline class="stroke" points=${through} />` : nothing}
    ${drilled(state).map((m) => (m.unit === null ? footprint(m, scaleOf(frame)) : bare(m)))}</g>`;
}
