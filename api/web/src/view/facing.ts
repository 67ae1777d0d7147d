/** Which way a miniature looks, told by the players where the camera cannot see it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { directionTo } from "../geometry";
import { miniature, type State } from "../state";
import type { DrawnMiniature, Verdict } from "../types.gen";
import { SAY } from "./words";

const NUDGE_DEG = 30;

/** The choices for those of the pair whose facing this answer lacks, or whose facing was told. */
export function facings(verdict: Verdict, state: State, actions: Actions): TemplateResult | typeof nothing {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  if (!a || !b) return nothing;
  const isAsked = (m: DrawnMiniature) => m.id in state.told_deg || verdict.needs.includes(`facing_deg of ${m.id}`);
  return html`${isAsked(a) ? choice("A", a, "B", b, state, actions) : nothing}
    ${isAsked(b) ? choice("B", b, "A", a, state, actions) : nothing}`;
}

function choice(
  name: string,
  who: DrawnMiniature,
  otherName: string,
  other: DrawnMiniature,
  state: State,
  actions: Actions,
): TemplateResult {
  const toward = directionTo(who.at_mm, other.at_mm);
  const told = state.told_deg[who.id];
  const turned = (by: number) => actions.face(who.id, (told ?? toward) + by);
  return html`<div class="chips facings" role="group" aria-label=${SAY.looks(name)}>
    <button @click=${() => actions.face(who.id, toward)}>${SAY.looksAt(name, otherName)}</button>
    <button @click=${() => actions.face(who.id, toward + 180)}>${SAY.looksAway(name)}</button>
    <button ?disabled=${told === undefined} @click=${() => turned(NUDGE_DEG)} aria-label=${SAY.turnLeft(name)}>↺</button>
    <button ?disabled=${told === undefined} @click=${() => turned(-NUDGE_DEG)} aria-label=${SAY.turnRight(name)}>↻</button>
    <button ?disabled=${told === undefined} @click=${() => actions.face(who.id, null)} aria-label=${SAY.forget}>✕</button>
  </div>${told === undefined ? nothing : html`<p class="soft">${SAY.holdsUntil(name)}</p>`}`;
}
