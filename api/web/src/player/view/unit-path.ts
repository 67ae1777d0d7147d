/** Path of a manoeuvring unit, and its miniatures on it. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Frame } from "../../shared/geometry";
import { scaleOf } from "../../shared/geometry";
import { toneOf, isAnswered } from "../../shared/format";
import { membersUnderway, manoeuvreQuestion } from "../unit-manoeuvre";
import type { State } from "../state";
import { outlineOnly, footprint } from "./base-marker";
import { points } from "./svg-path";

/** In table millimetres. */
export function unitPath(state: State, frame: Frame): SVGTemplateResult | typeof nothing {
  const line = state.course?.who === state.manoeuvre?.who ? state.course?.lines[0] : undefined;
  if (!line || !isAnswered(line) || manoeuvreQuestion(state) === null) return nothing;
  const path = line.verdict.witness.find((one) => one.role === "path" && (one.points_mm?.length ?? 0) > 1 && one.type !== "polygon");
  const through = points(path?.points_mm ?? []);
  return svg`<g class="ghost drilled ${toneOf(line)}" aria-hidden="true">
    ${path ? svg`<polyline class="casing" points=${through} /><polyline class="stroke" points=${through} />` : nothing}
    ${membersUnderway(state).map((m) => (m.unit === null ? footprint(m, scaleOf(frame)) : outlineOnly(m)))}</g>`;
}
