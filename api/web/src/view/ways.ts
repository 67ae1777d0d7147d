/** Which of several ways somebody looks: each is drawn with its probability, and one tap says which it is. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { onScreen, radius_mm, scaleOf, toward, type Frame, type Point } from "../geometry";
import { miniature, type Size, type State } from "../state";
import type { DrawnMiniature, FacingAlternative } from "../types.gen";
import { SAY } from "./words";

const SHAFT_PX = 30;
const PILL_PX = 24; // the least that a finger is asked to meet
const HALF_PX = 23;

/** Every way that the camera leaves open, the likeliest first; none where it is sure, or where players have told. */
function waysOf(m: DrawnMiniature, { told_deg }: State): readonly FacingAlternative[] {
  const others = m.facing_alternatives;
  if (others.length === 0 || m.id in told_deg) return [];
  const rest = 1 - others.reduce((sum, one) => sum + one.probability, 0);
  const likely = m.facing_deg === null ? [] : [{ facing_deg: m.facing_deg, probability: rest }];
  return [...likely, ...others].sort((one, other) => other.probability - one.probability);
}

/** Those of the two of whom it may be told; a ghost looks as the player turns it. */
function open(state: State): readonly (readonly [string, DrawnMiniature])[] {
  const named = [["A", state.tool === "ask" ? state.a : null], ["B", state.b]] as const;
  return named.flatMap(([letter, id]) => {
    const m = state.tool === "ask" || state.tool === "move" ? miniature(state, id) : null;
    return m && waysOf(m, state).length > 0 ? [[letter, m] as const] : [];
  });
}

function share({ probability }: FacingAlternative): string {
  return `${Math.round(100 * probability)} %`;
}

/** A button for each way, with its arrow as it lies on the screen. */
export function ways(state: State, actions: Actions): TemplateResult | typeof nothing {
  return html`${open(state).map(([letter, m]) => html`<div class="ways" role="group" aria-label=${SAY.looks(letter)}>
    <p><b class="letter ${letter.toLowerCase()}">${letter}</b> ${SAY.looksWhere}</p>
    <div class="chips">${waysOf(m, state).map((way) => choice(letter, m, way, state, actions))}</div></div>`)}`;
}

function choice(letter: string, m: DrawnMiniature, way: FacingAlternative, { isTurned }: State, actions: Actions): TemplateResult {
  const turn = (isTurned ? 180 : 0) - way.facing_deg;
  return html`<button aria-label=${SAY.looksSo(letter, Math.round(way.facing_deg), share(way))} @click=${() => void actions.looks(m.id, way.facing_deg)}>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path transform="rotate(${turn} 12 12)" d="M3 12h17M13.5 5.5L20 12l-6.5 6.5"/></svg>
    ${share(way)}</button>`;
}

/** The same on the table, in screen pixels: an arrow for each way, and how likely it is. */
export function wayArrows(state: State, frame: Frame, actions: Actions): SVGTemplateResult {
  return svg`${open(state).map(([letter, m]) => waysOf(m, state).map((way) => arrow(letter, m, way, state, frame, actions)))}`;
}

/** The nearest place where a pill is wholly on the stage. */
function within({ width_px, height_px }: Size, [x, y]: Point): Point {
  const kept = (at: number, room: number, size: number) => Math.max(room, Math.min(size - room, at));
  return [kept(x, HALF_PX + 2, width_px), kept(y, PILL_PX / 2 + 2, height_px)];
}

/** The list says the same to who does not see it. */
function arrow(letter: string, m: DrawnMiniature, way: FacingAlternative, { stage }: State, frame: Frame, actions: Actions): SVGTemplateResult {
  const rim = radius_mm(m);
  const out = (px: number) => onScreen(frame, toward(m.at_mm, way.facing_deg, rim + px / scaleOf(frame)));
  const [[x0, y0], [x1, y1], [x, y]] = [out(4), out(SHAFT_PX), within(stage, out(SHAFT_PX + HALF_PX + 2))];
  const turn = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  const tell = (event: Event) => {
    event.stopPropagation(); // else the tap would pick who stands behind it
    void actions.looks(m.id, way.facing_deg);
  };
  const line = `M${x0} ${y0}L${x1} ${y1}`;
  const head = svg`<path class="head" d="M-9 -7L3 0L-9 7z" transform="translate(${x1} ${y1}) rotate(${turn})" />`;
  return svg`<g class="way ${letter.toLowerCase()}" aria-hidden="true" @click=${tell}>
    <path class="casing" d=${line} /><path class="stroke" d=${line} />${head}
    <g transform="translate(${x} ${y})"><rect x=${-HALF_PX} y=${-PILL_PX / 2} width=${2 * HALF_PX} height=${PILL_PX} rx=${PILL_PX / 2} />
      <text dy="0.35em">${share(way)}</text></g></g>`;
}
