/** The table and this phone: whose it is, which hand holds it, and how well the camera sees. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import { chip } from "./chips";
import { SAY } from "./words";

export function setup(state: State, actions: Actions): TemplateResult {
  return html`<section class="sheet setup" aria-label=${SAY.table}>
    <header class="pair"><h2>${SAY.table}</h2></header>
    <div class="lines">
      <h3>${SAY.iPlay}</h3>
      <div class="chips" role="radiogroup" aria-label=${SAY.iPlay}>
        ${sidesOf(state).map((side) => chip(side, state.settings.mine === side, () => actions.set({ mine: side })))}
        ${chip(SAY.nobody, state.settings.mine === null, () => actions.set({ mine: null }))}
      </div>
      <h3>${SAY.hand}</h3>
      <div class="chips" role="radiogroup" aria-label=${SAY.hand}>
        ${chip(SAY.hands.right, !state.settings.isLeft, () => actions.set({ isLeft: false }))}
        ${chip(SAY.hands.left, state.settings.isLeft, () => actions.set({ isLeft: true }))}
      </div>
      <h3>${SAY.sit}</h3>
      <div class="chips" role="radiogroup" aria-label=${SAY.sit}>
        ${chip(SAY.sits.near, !state.isTurned, () => actions.sit({ isTurned: false }))}
        ${chip(SAY.sits.far, state.isTurned, () => actions.sit({ isTurned: true }))}
      </div>
      <h3>${SAY.camera}</h3>
      ${state.fresh.source === "still" ? html`<p class="soft">${SAY.noCamera}</p>` : camera(actions)}
    </div>
  </section>`;
}

function camera(actions: Actions): TemplateResult | typeof nothing {
  return html`<div class="toolbar words">
    <button class="mend" @click=${() => actions.camera.check()}>${SAY.checkTable}</button>
    <button class="mend" @click=${() => actions.camera.register()}>${SAY.registerAgain}</button>
  </div>`;
}

/** The sides of those on the table, in their order. */
function sidesOf(state: State): readonly string[] {
  const sides = (state.table?.miniatures ?? []).map((m) => m.side).filter((side) => side !== null);
  return [...new Set([...sides, ...(state.settings.mine === null ? [] : [state.settings.mine])])].sort();
}
