/** Facing choices: each facing the camera leaves open with its probability, and one tap says which it is. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { isQuarterTurned, onScreen, radius_mm, scaleOf, pointToward, type Frame, type Point, type Size } from "../../shared/geometry";
import { miniature, type State } from "../state";
import type { LabelLayout } from "./label-layout";
import type { DrawnMiniature, FacingAlternative } from "../../shared/types.gen";
import { SAY } from "../../shared/strings";

const SHAFT_PX = 30;
const PILL_PX = 24; // the least that a finger is asked to meet
const HALF_PX = 23;

/** Every way that the camera leaves open, the likeliest first; none where it is sure, or where players have told. */
function facingsOf(m: DrawnMiniature): readonly FacingAlternative[] {
  const others = m.facing_alternatives;
  if (others.length === 0) return [];
  const rest = 1 - others.reduce((sum, one) => sum + one.probability, 0);
  const likely = m.facing_deg === null ? [] : [{ facing_deg: m.facing_deg, probability: rest }];
  return [...likely, ...others].sort((one, other) => other.probability - one.probability);
}

/** Those of the two of whom it may be told; a ghost looks as the player turns it. */
function openFacings(state: State): readonly (readonly [string, DrawnMiniature])[] {
  const named = [["A", state.tool === "ask" ? state.a : null], ["B", state.b]] as const;
  return named.flatMap(([letter, id]) => {
    const m = state.tool === "ask" || state.tool === "move" ? miniature(state, id) : null;
    return m && facingsOf(m).length > 0 ? [[letter, m] as const] : [];
  });
}

function share({ probability }: FacingAlternative): string {
  return `${Math.round(100 * probability)} %`;
}

/** A button for each way, with its arrow as it lies on the screen. */
export function facingChoices(state: State, actions: Actions): TemplateResult | typeof nothing {
  return html`${openFacings(state).map(([, m]) => html`<div class="ways" role="group" aria-label=${SAY.whichFacing(m.name)}>
    <p>${m.name} ${SAY.facingWord}</p>
    <div class="chips">${facingsOf(m).map((one) => choice(m, one, state, actions))}</div></div>`)}`;
}

function choice(m: DrawnMiniature, one: FacingAlternative, state: State, actions: Actions): TemplateResult {
  const turn = (state.isTurned ? 180 : 0) - (isQuarterTurned(state) ? 90 : 0) - one.facing_deg;
  return html`<button aria-label=${SAY.facingOption(m.name, Math.round(one.facing_deg), share(one))} @click=${() => void actions.tellFacing(m.id, one.facing_deg)}>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path transform="rotate(${turn} 12 12)" d="M3 12h17M13.5 5.5L20 12l-6.5 6.5"/></svg>
    ${share(one)}</button>`;
}

/** The same on the table, in screen pixels: an arrow for each way, and how likely it is. */
export function facingArrows(state: State, frame: Frame, actions: Actions): SVGTemplateResult {
  return svg`${openFacings(state).map(([letter, m]) => facingsOf(m).map((one) => arrow(letter, m, one, state, frame, actions)))}`;
}

/** Nothing else is written over them. */
export function reserveFacingArrows(state: State, frame: Frame, layout: LabelLayout): void {
  for (const [, m] of openFacings(state)) {
    for (const one of facingsOf(m)) {
      const [x, y] = pillPlace(m, one, state.stage, frame);
      layout.reserve({ x, y, half: HALF_PX, high: PILL_PX / 2 });
    }
  }
}

function pillPlace(m: DrawnMiniature, { facing_deg }: FacingAlternative, stage: Size, frame: Frame): Point {
  const out_mm = radius_mm(m) + (SHAFT_PX + HALF_PX + 2) / scaleOf(frame);
  return clampToStage(stage, onScreen(frame, pointToward(m.at_mm, facing_deg, out_mm)));
}

/** The nearest place where a pill is wholly on the stage. */
function clampToStage({ width_px, height_px }: Size, [x, y]: Point): Point {
  const clamp = (at: number, room: number, size: number) => Math.max(room, Math.min(size - room, at));
  return [clamp(x, HALF_PX + 2, width_px), clamp(y, PILL_PX / 2 + 2, height_px)];
}

/** The list says the same to who does not see it. */
function arrow(letter: string, m: DrawnMiniature, one: FacingAlternative, { stage }: State, frame: Frame, actions: Actions): SVGTemplateResult {
  const rim = radius_mm(m);
  const out = (px: number) => onScreen(frame, pointToward(m.at_mm, one.facing_deg, rim + px / scaleOf(frame)));
  const [[x0, y0], [x1, y1], [x, y]] = [out(4), out(SHAFT_PX), pillPlace(m, one, stage, frame)];
  const turn = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  const chooseIt = (event: Event) => {
    event.stopPropagation(); // else the tap would pick who stands behind it
    void actions.tellFacing(m.id, one.facing_deg);
  };
  const line = `M${x0} ${y0}L${x1} ${y1}`;
  const head = svg`<path class="head" d="M-9 -7L3 0L-9 7z" transform="translate(${x1} ${y1}) rotate(${turn})" />`;
  return svg`<g class="way ${letter.toLowerCase()}" aria-hidden="true" @click=${chooseIt}>
    <path class="casing" d=${line} /><path class="stroke" d=${line} />${head}
    <g transform="translate(${x} ${y})"><rect x=${-HALF_PX} y=${-PILL_PX / 2} width=${2 * HALF_PX} height=${PILL_PX} rx=${PILL_PX / 2} />
      <text dy="0.35em">${share(one)}</text></g></g>`;
}
