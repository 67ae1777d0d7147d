/** Facts of the pair on the judge's page: which way each looks, and what players told; the judge's word ends it. */

import { html, nothing, type TemplateResult } from "lit";
import { directionTo } from "../../shared/geometry";
import { everyone } from "../../shared/entities";
import type { DrawnMiniature, ToldFact } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { hasRight, nameOf, type State } from "../state";
import { words } from "../strings";

const NUDGE_DEG = 15;

export function pairFacts(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!hasRight(state, "rule") || state.at !== null || !state.sheet) return nothing;
  const [a, b] = [state.a, state.b].map((id) => everyone(state.table).find((m) => m.id === id));
  if (!a || !b) return nothing;
  const told = uniqueFacts(state);
  const isMissing = [a, b].some((m) => m.facing_deg === null);
  return html`<details class="card facts" ?open=${isMissing || told.length > 0}><summary>${words.facts}</summary>
    ${facing("A", a, "B", b, actions)}${facing("B", b, "A", a, actions)}
    ${told.map((fact) => html`<p class="told-fact"><span><b>${words.factOf[fact.kind]}</b> ${fact.ids.map((id) => nameOf(state, id)).join(", ")}: ${words.saidBy(words.seats[fact.by] ?? fact.by)}</span>
      <button class="mend" @click=${() => actions.confirmFact(fact.n)}>${words.itIsSo}</button></p>`)}
    ${state.sheet.cards.map((card) => html`<p class="hint">${card}</p>`)}</details>`;
}

/** What the answers on the sheet rest on by one player's word. */
function uniqueFacts({ sheet }: State): readonly ToldFact[] {
  const all = (sheet?.lines ?? []).flatMap((line) => line.told);
  return all.filter((fact, i) => all.findIndex((one) => one.n === fact.n && one.kind === fact.kind) === i);
}

function facing(letter: string, m: DrawnMiniature, otherLetter: string, other: DrawnMiniature, actions: Actions): TemplateResult {
  const toward = directionTo(m.at_mm, other.at_mm);
  const tell = (deg: number) => () => actions.tellFacing(m.id, deg);
  const known = m.facing_deg;
  return html`<div class="options facings" role="group" aria-label=${words.facingOf(letter)}>
    <span class="hint">${letter} ${known === null ? words.facingUnknown : words.faces(Math.round(known) % 360)}</span>
    ${m.facing_alternatives.map((one) => html`<button @click=${tell(one.facing_deg)} aria-label=${words.facesTo(letter, Math.round(one.facing_deg))}>${arrow(one.facing_deg)} ${Math.round(100 * one.probability)} %</button>`)}
    <button @click=${tell(toward)}>${words.faceToward(letter, otherLetter)}</button>
    <button @click=${tell(toward + 180)}>${words.faceAway(letter)}</button>
    <button @click=${tell((known ?? toward) + NUDGE_DEG)} aria-label=${words.turnLeft(letter)}>↺</button>
    <button @click=${tell((known ?? toward) - NUDGE_DEG)} aria-label=${words.turnRight(letter)}>↻</button></div>`;
}

function arrow(deg: number): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path transform="rotate(${-deg} 12 12)" d="M3 12h17M13.5 5.5L20 12l-6.5 6.5"/></svg>`;
}
