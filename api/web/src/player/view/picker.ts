/** Picker: everybody on the table, to choose without hitting a base with a finger. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { everyone, sideClass } from "../../shared/entities";
import { goThrough, keepStop, stopOf } from "../../shared/one-stop";
import { isMine, type State } from "../state";
import type { DrawnMiniature } from "../../shared/types.gen";
import { describeSize, facingText } from "../event-text";
import { SAY } from "../../shared/strings";

/** `above`: who looks, where that is told. */
export function picker(title: string, why: string, state: State, actions: Actions, above: TemplateResult | typeof nothing = nothing): TemplateResult {
  const all = everyone(state.table);
  return html`<section class="picker" aria-label=${SAY.miniatures}>
    <header>${above}<h2>${title}</h2><p>${why}</p></header>
    ${entries(all, state, actions)}
    ${state.table && all.length === 0 ? html`<p class="empty">${SAY.noBase}</p>` : nothing}
  </section>`;
}

export function entries(all: readonly DrawnMiniature[], state: State, actions: Actions): TemplateResult {
  return html`<ul @keydown=${goThrough} @focusin=${keepStop}>${repeat(all, (m) => m.id, (m, row) => entry(m, row, state, actions))}</ul>`;
}

function entry(m: DrawnMiniature, row: number, state: State, actions: Actions): TemplateResult {
  const isPicked = m.id === state.a || m.id === state.b;
  return html`<li><button class="entry" tabindex=${stopOf(row)} aria-pressed=${isPicked} @click=${() => actions.pick(m.id)}>
    <span>${sideChip(m, state)}${m.name}</span><small>${sideOf(m, state)}${describeSize(m)}${m.facing_deg === null ? ` · ${facingText(m)}` : ""}</small>
  </button></li>`;
}

function sideOf(m: DrawnMiniature, state: State): string {
  const mine = isMine(state, m);
  if (mine !== null) return `${mine ? SAY.mine : SAY.theirs} · `;
  return m.side ? `${m.side} · ` : "";
}

/** The colour and pattern of its side, before its name. */
export function sideChip(m: Pick<DrawnMiniature, "side">, { table }: Pick<State, "table">): TemplateResult | typeof nothing {
  const paint = table === null ? "" : sideClass(m, table);
  return paint === "" ? nothing : html`<i class="side-chip ${paint}" aria-hidden="true"></i>`;
}
