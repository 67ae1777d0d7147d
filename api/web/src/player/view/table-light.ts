/** Table light: what this phone draws, laid on the table by a projector until another phone lays something else. */

import { html, type TemplateResult } from "lit";
import type { Point } from "../../shared/geometry";
import { SAY } from "../../shared/strings";
import type { SetLight, Verdict, Witness } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { hasMoved, pointsOf } from "../ghost-path";
import { drawnLines, isRingHidden, type State } from "../state";
import { aimPoint, roundRadius_mm, sprayOutline } from "../template-query";
import { icon } from "./icons";

type Shape = Partial<Witness> & Pick<Witness, "type" | "role">;
type Light = Omit<SetLight, "shapes"> & { readonly shapes: readonly Shape[] };

/** Lay what is drawn now in place of what lies there; nothing drawn: take that away. */
export function lightButton(state: State, actions: Actions): TemplateResult {
  const light = lightOf(state);
  const says = light.shapes.length > 0 ? SAY.layLight : SAY.takeLight;
  return html`<button class="round lamp" @click=${() => actions.layLight(light)} aria-label=${says} title=${says}>${icon("lamp")}</button>`;
}

/** A template, the path of a ghost, what decides between two, or the rings around one: what the phone shows first. */
function lightOf(state: State): Light {
  const { tool, path, a, b, around, sheet } = state;
  if (tool === "blast") return surely(templateShapes(state));
  if (tool === "move" && path && hasMoved(state, path)) return surely([{ type: "polyline", role: "path", points_mm: pointsOf(state, path) }]);
  const line = b !== null && sheet?.a === a && sheet.b === b ? drawnLines(state)[0] : undefined;
  if (line) return { shapes: line.verdict.witness.filter(({ role }) => role !== "arc"), sigma_mm: line.verdict.sigma_mm ?? 0, is_close: line.verdict.answer === "too-close" };
  const rings = b === null && around?.who === a ? around.rings.filter((ring) => !isRingHidden(ring, state)).map(({ verdict }) => verdict) : [];
  return { ...surely(rings.flatMap(circlesOf)), sigma_mm: Math.max(0, ...rings.map(({ sigma_mm }) => sigma_mm ?? 0)) };
}

function surely(shapes: readonly Shape[]): Light {
  return { shapes, sigma_mm: 0, is_close: false };
}

function circlesOf({ witness }: Verdict): Witness[] {
  return witness.filter(({ type }) => type === "circle");
}

function templateShapes(state: State): Shape[] {
  const landed = state.template.isMissed ? ((state.templateVerdict?.value.point_mm ?? null) as Point | null) : null;
  const centre_mm = landed ?? aimPoint(state);
  if (state.template.shape === "round") return centre_mm ? [{ type: "circle", role: "hit", centre_mm, radius_mm: roundRadius_mm(state) }] : [];
  const points_mm = sprayOutline(state);
  return points_mm ? [{ type: "polygon", role: "hit", points_mm }] : [];
}
