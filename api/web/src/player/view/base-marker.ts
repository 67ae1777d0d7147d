/** Base marker: outline, facing, uncertainty, and the letter of a picked one. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import type { Actions } from "../actions";
import { onScreen, radius_mm, scaleOf, pointToward, type Frame, type Point } from "../../shared/geometry";
import { cursorOf } from "../table-cursor";
import type { State } from "../state";
import { sideClass } from "../../shared/entities";
import type { DrawnMiniature } from "../../shared/types.gen";
import { directionAway, leaderLine, textWidth, type LabelLayout } from "./label-layout";
import { points } from "./svg-path";
import { describeSize, facingText } from "../event-text";

const TICK_PX = 6;
const TICK_MM = 7;
const MOST_OF_RIM = 0.6;
const LETTER_PX = 11;
const TEXT_PX = 13;

export function base(
  m: DrawnMiniature,
  frame: Frame,
  state: State,
  more: string,
  actions: Actions,
): SVGTemplateResult {
  const role = roleOf(m.id, state, more);
  const unsure = m.facing_deg === null ? "no-facing" : "";
  const kind = state.table?.units.includes(m) ? "unit" : "";
  const onKey = (event: KeyboardEvent) => {
    if (actions.cursor.go(m.id, event.key)) event.preventDefault();
    else press(event, () => actions.pick(m.id));
  };
  return svg`<g class="base ${kind} ${role} ${unsure} ${state.table ? sideClass(m, state.table) : ""}" data-id=${m.id} role="button" tabindex=${m.id === cursorOf(state) ? 0 : -1} @keydown=${onKey} @focus=${() => actions.cursor.note(m.id)}
      aria-label="${m.name}${m.side === null ? "" : `, ${m.side}`}, ${describeSize(m)}, ${facingText(m)}" aria-pressed=${role === "a" || role === "b"}>
    ${footprint(m, scaleOf(frame))}
  </g>`;
}

/** One of a unit that is tapped, named and drawn as one body elsewhere. */
export function member(m: DrawnMiniature, unit: string, state: State, more: string): SVGTemplateResult {
  return svg`<g class="base member ${roleOf(unit, state, more)} ${state.table ? sideClass(m, state.table) : ""}" data-id=${m.id} aria-hidden="true">${outlineOnly(m)}</g>`;
}

/** Its outline alone: which way it looks is drawn of its unit. */
export function outlineOnly(m: DrawnMiniature): SVGTemplateResult {
  return svg`${outline(m, "casing")}${outline(m, "rim")}${outline(m, "ticks")}`;
}

function roleOf(id: string, state: State, more: string): string {
  const isPicked = state.tool === "ask" || state.tool === "move";
  return isPicked && id === state.a ? "a" : isPicked && id === state.b ? "b" : more;
}

/** What is drawn of a base, in table millimetres. */
export function footprint(m: DrawnMiniature, scale: number): SVGTemplateResult {
  return svg`${halo(m)}${outline(m, "casing")}${outline(m, "rim")}${outline(m, "ticks")}${facings(m, scale)}`;
}

function press(event: KeyboardEvent, act: () => void): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  act();
}

/** A ring two standard deviations to either side of the rim, in true size. */
function halo(m: DrawnMiniature): SVGTemplateResult | typeof nothing {
  if (m.sigma_mm === 0 || m.base.shape !== "round") return nothing;
  const [x, y] = m.at_mm;
  return svg`<circle class="halo" cx=${x} cy=${y} r=${m.base.diameter_mm / 2} stroke-width=${4 * m.sigma_mm} />`;
}

/** The shape of a base, in table millimetres. */
export function outline(m: Pick<DrawnMiniature, "at_mm" | "base" | "facing_deg" | "facing_alternatives">, name: string): SVGTemplateResult {
  const [x, y] = m.at_mm;
  if (m.base.shape === "round") return svg`<circle class=${name} cx=${x} cy=${y} r=${m.base.diameter_mm / 2} />`;
  const turn = `rotate(${m.facing_deg ?? m.facing_alternatives[0]?.facing_deg ?? 0} ${x} ${y})`;
  const [across, deep] = [m.base.width_mm / 2, m.base.depth_mm / 2];
  // An unturned base looks along +x, so its width lies along y.
  return m.base.shape === "oval"
    ? svg`<ellipse class=${name} cx=${x} cy=${y} rx=${deep} ry=${across} transform=${turn} />`
    : svg`<rect class=${name} x=${x - deep} y=${y - across} width=${2 * deep} height=${2 * across} transform=${turn} />`;
}

function facings(m: DrawnMiniature, scale: number): SVGTemplateResult {
  const likely = m.facing_deg === null ? nothing : arrow(m, m.facing_deg, scale, "facing");
  return svg`${m.facing_alternatives.map((other) => arrow(m, other.facing_deg, scale, "facing maybe"))}${likely}`;
}

/** An arrowhead on the rim, a few pixels long where the base leaves room for that. */
function arrow(m: DrawnMiniature, facing_deg: number, scale: number, name: string): SVGTemplateResult {
  const rim = m.base.shape === "round" ? m.base.diameter_mm / 2 : m.base.depth_mm / 2;
  const length = Math.min(Math.max(TICK_MM, TICK_PX / scale), MOST_OF_RIM * rim);
  const foot = pointToward(m.at_mm, facing_deg, rim - length / 3);
  const corners: Point[] = [
    pointToward(foot, facing_deg + 90, length * 0.75),
    pointToward(foot, facing_deg, length * 1.33),
    pointToward(foot, facing_deg - 90, length * 0.75),
  ];
  return svg`<polygon class=${name} points=${points(corners)} />`;
}

/** The letter or name beside a base, in screen pixels; on the far side of the `other` first, between whom the answers are drawn; nothing where there is no room. */
export function tag(m: DrawnMiniature, frame: Frame, text: string, role: string, layout: LabelLayout, other: DrawnMiniature | null = null): SVGTemplateResult | typeof nothing {
  const [at, radius] = [onScreen(frame, m.at_mm), radius_mm(m) * scaleOf(frame)];
  const half = Math.max(2 * LETTER_PX, textWidth(text, TEXT_PX) + 14) / 2;
  const first_deg = other === null ? -90 : directionAway(onScreen(frame, other.at_mm), at);
  const place = layout.beside({ at, radius, first_deg }, half, LETTER_PX);
  if (place === null) return nothing;
  return svg`${leaderLine(place)}<g class="tag ${role}" transform="translate(${place.x} ${place.y})" aria-hidden="true">
    <rect x=${-half} y=${-LETTER_PX} width=${2 * half} height=${2 * LETTER_PX} rx=${LETTER_PX} />
    <text dy="0.35em">${text}</text>
  </g>`;
}
