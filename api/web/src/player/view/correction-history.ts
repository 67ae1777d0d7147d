/** Correction history, newest first; either player takes a step back, and lets it hold again. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import type { State } from "../state";
import type { StepSummary } from "../../shared/types.gen";
import { SAY } from "../../shared/strings";

export function steps(state: State, actions: Actions): TemplateResult {
  if (state.steps.length === 0) return html`<p class="soft">${SAY.noSteps}</p>`;
  return html`<ul class="others">${repeat([...state.steps].reverse(), (step) => step.n, (step, row) => entry(step, row, state, actions))}</ul>`;
}

function entry(step: StepSummary, row: number, state: State, actions: Actions): TemplateResult {
  const by = SAY.seat[step.by];
  const whose = step.is_undone ? SAY.takenBack(by, SAY.seat[step.changed_by]) : step.agreed_by ? SAY.stepAgreed(by, SAY.seat[step.agreed_by]) : by;
  const mayAgree = step.is_open && !step.is_undone && step.by !== state.seat && state.rights.includes("correct");
  return html`<li class="other step ${step.is_undone ? "undone" : ""}">
    <span class="whom"><span>${step.says}</span><small>${whose}</small></span>
    ${mayAgree ? html`<button class="mend" @click=${() => void actions.corrections.agree(step.n)}>${SAY.agree}</button>` : nothing}
    <button class="mend" @click=${() => actions.corrections.toggleStep(step, row)} aria-label=${step.is_undone ? SAY.redoStep(step.says) : SAY.undoStep(step.says)}
      >${step.is_undone ? SAY.redo : SAY.undo}</button></li>`;
}
