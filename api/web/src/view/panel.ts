/** The lower half: whom to pick, then what holds between the two. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { miniature, type State } from "../state";
import type { DrawnMiniature } from "../types.gen";
import { check } from "./check";
import { sheet } from "./sheet";
import { facingOf, sizeOf } from "./words";

export function panel(state: State, actions: Actions): TemplateResult {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  return html`<div class="panel ${state.isTall ? "tall" : ""}">
    ${a && b ? sheet(state, a, b, actions) : state.check || state.isChecking ? check(state, actions) : picker(state, a, actions)}
  </div>`;
}

function picker(state: State, a: DrawnMiniature | null, actions: Actions): TemplateResult {
  const all = state.table?.miniatures ?? [];
  return html`<section class="picker" aria-label="Miniatures">
    <header><h2>${a ? html`<b class="letter a">A</b> ${a.name}` : "Tap a miniature"}</h2>
      <p>${a ? "Now tap the other one." : "Pick two to see what holds between them."}</p>
      ${!a && state.fresh.source === "playing"
        ? html`<button class="mend" @click=${() => actions.check()}>Check the table</button>`
        : nothing}</header>
    <ul>${repeat(all, (m) => m.id, (m) => entry(m, state, actions))}</ul>
    ${state.table && all.length === 0 ? html`<p class="empty">No base has been found yet.</p>` : nothing}
  </section>`;
}

function entry(m: DrawnMiniature, state: State, actions: Actions): TemplateResult {
  const isPicked = m.id === state.a || m.id === state.b;
  return html`<li><button class="entry" aria-pressed=${isPicked} @click=${() => actions.pick(m.id)}>
    <span>${m.name}</span><small>${sizeOf(m)} · ${facingOf(m)}</small>
  </button></li>`;
}
