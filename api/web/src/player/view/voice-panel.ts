/** Voice panel: answers aloud, a question by voice, and the table by rows. */

import { html, nothing, type TemplateResult } from "lit";
import { SAY } from "../../shared/strings";
import type { Actions } from "../actions";
import type { State } from "../state";
import { canListen, tableRows, Voice } from "../voice";
import { icon } from "./icons";

/** Where this phone is set up: whether it speaks. */
export function voicePanel(state: State, actions: Actions): TemplateResult {
  const { isSpoken } = state.settings;
  const choice = (wanted: boolean, says: string) => html`<button role="radio" aria-checked=${isSpoken === wanted} @click=${() => actions.changeSettings({ isSpoken: wanted })}>${says}</button>`;
  return html`<h3>${SAY.aloud}</h3>
    ${"speechSynthesis" in window ? html`<div class="chips" role="radiogroup" aria-label=${SAY.aloud}>${choice(true, SAY.aloudOn)}${choice(false, SAY.aloudOff)}</div>` : nothing}
    ${tools(state, actions, nothing)}`;
}

/** Above the answers, where they are said aloud. */
export function voiceBar(state: State, actions: Actions): TemplateResult {
  const again = state.b === null ? nothing : html`<button class="mend" @click=${() => actions.voiceOf(Voice).sayAgain()}>${SAY.sayAgain}</button>`;
  return html`<section class="voice" aria-label=${SAY.aloud}>${tools(state, actions, again)}</section>`;
}

function tools(state: State, actions: Actions, more: unknown): TemplateResult {
  const { heard, isTableRead } = state;
  return html`<div class="toolbar words">
      ${canListen() ? html`<button class="mend" ?disabled=${heard === ""} @click=${() => actions.voiceOf(Voice).listen()}>${icon("mic")}<span>${heard === "" ? SAY.listening : SAY.askByVoice}</span></button>` : nothing}
      ${more}<button class="mend" aria-expanded=${isTableRead} @click=${() => actions.voiceOf(Voice).readTable()}>${SAY.readTable}</button></div>
    ${heard ? html`<p role="status">${SAY.heardNobody(heard)}</p>` : nothing}
    ${isTableRead ? html`<ol class="table-rows">${tableRows(state).map((row) => html`<li>${row}</li>`)}</ol>` : nothing}`;
}
