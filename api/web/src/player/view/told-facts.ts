/** Told facts: what a line rests on by one player's word, and the tap by which the other agrees. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { listNames } from "../event-text";
import { mayCorrect, type NewsAnswer, type State } from "../state";
import type { Line, ToldFact } from "../../shared/types.gen";
import { SAY } from "../../shared/strings";

/** "if it faces so: said by Player A", in a few words for the closed line; nothing where it rests on nobody's word. */
export function toldMark({ told }: Line): TemplateResult | typeof nothing {
  const first = told[0];
  return first ? html`<small class="said-by">${SAY.ifTold[first.kind]}: ${SAY.saidBy(SAY.seat[first.by])}</small>` : nothing;
}

/** Each fact with its buttons, in the opened line. */
export function toldFacts({ told }: Pick<Line, "told">, state: State, actions: Actions): TemplateResult | typeof nothing {
  return html`${told.map((fact) => entry(fact, state, actions))}`;
}

function entry(fact: ToldFact, state: State, actions: Actions): TemplateResult {
  const isMine = fact.by === state.seat;
  const takeBack = html`<button class="mend" @click=${() => void actions.corrections.settle({ how: "undo", n: fact.n })}>${SAY.undo}</button>`;
  return html`<div class="told-fact"><p><b>${SAY.ifTold[fact.kind]}</b> ${listNames(state, fact.ids)}: ${SAY.saidBy(SAY.seat[fact.by])}</p>
    ${!mayCorrect(state) ? nothing : isMine
      ? html`<small>${SAY.waitsForAgreement}</small>${takeBack}`
      : html`<button class="mend" @click=${() => void actions.corrections.settle({ how: "agree", n: fact.n })}>${SAY.agree}</button>${takeBack}`}</div>`;
}

/** The one tap that answers the news. */
export function newsButton(answer: NewsAnswer, actions: Actions): TemplateResult {
  return html`<button class="mend" @click=${() => actions.corrections.answerNews(answer)}>${SAY[answer.how]}</button>`;
}
