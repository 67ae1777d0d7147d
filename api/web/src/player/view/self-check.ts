/** Self-check before play: known lengths beside measured ones, and what to mend. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import type { LengthComparison, SelfCheck } from "../../shared/types.gen";
import { icon } from "./icons";
import { SAY } from "../../shared/strings";

export function selfCheck(state: State, actions: Actions): TemplateResult {
  return html`<section class="picker check" aria-label=${SAY.selfCheck} data-state=${state.check ? "ready" : "asking"}>
    <header><h2>${state.check ? title(state.check) : SAY.measuring}</h2>
      <button class="round" @click=${() => actions.camera.putCheckAway()} aria-label=${SAY.putAway}>${icon("clear")}</button></header>
    <div class="found">${state.check ? checkResults(state.check) : nothing}
      <button class="mend" ?disabled=${state.isChecking} @click=${() => actions.camera.check()}>${SAY.checkAgain}</button></div>
  </section>`;
}

function title({ is_fit }: SelfCheck): TemplateResult {
  return is_fit ? html`${icon("yes")} ${SAY.fit}` : html`${icon("warn")} ${SAY.unfit}`;
}

function checkResults({ mend, compared, table_sigma_mm }: SelfCheck): TemplateResult {
  return html`${mend.map((what) => html`<p class="todo">${what}</p>`)}
    ${table_sigma_mm === null ? nothing : html`<p>${SAY.placesKnown(table_sigma_mm.toFixed(2))}</p>`}
    ${compared.length ? html`<table><thead><tr><th>${SAY.what}</th><th>${SAY.known}</th><th>${SAY.measuredTo}</th></tr></thead>
      <tbody>${compared.map(row)}</tbody></table>` : nothing}`;
}

function row({ what, known_mm, measured_mm, is_fine }: LengthComparison): TemplateResult {
  return html`<tr class=${is_fine ? "" : "off"}><td>${what}</td><td>${known_mm.toFixed(1)}</td><td>${measured_mm.toFixed(2)} mm</td></tr>`;
}
