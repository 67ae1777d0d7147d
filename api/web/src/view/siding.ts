/** The sides as they look, each base a button that changes its side. */

import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { membersOf } from "../drill";
import { everyone } from "../everyone";
import type { Siding, State } from "../state";
import type { DrawnMiniature } from "../types.gen";
import { icon } from "./icons";
import { sizeOf } from "./news";
import { SAY } from "./words";

export function siding(state: State, shown: Siding, actions: Actions): TemplateResult {
  return html`<header class="pair"><h2>${SAY.sidesByLook}</h2>
      <button class="round" @click=${() => actions.sides.leave()} aria-label=${SAY.leaveSides}>${icon("clear")}</button></header>
    <p class="soft">${shown.says}</p>
    <div class="toolbar words"><button class="mend strong" @click=${() => void actions.sides.confirm()}>${SAY.theseSides}</button></div>
    <ul>${repeat(everyone(state.table), (m) => m.id, (m) => entry(m, state, shown, actions))}</ul>`;
}

function entry(m: DrawnMiniature, state: State, shown: Siding, actions: Actions): TemplateResult {
  const side = sideOf(m.id, state, shown);
  return html`<li><button class="entry ${toneOf(side, shown)}" data-id=${m.id} @click=${() => actions.sides.turn(m.id)}>
    <span>${m.name}</span><small>${side ?? SAY.neitherSide} · ${sizeOf(m)}</small></button></li>`;
}

/** The side proposed for a base, or for a unit by its first member. */
export function sideOf(id: string, state: State, { of }: Siding): string | null {
  return of[id] ?? of[membersOf(state, id)[0]?.id ?? ""] ?? null;
}

/** How a base of this side is drawn. */
export function toneOf(side: string | null, { names }: Siding): string {
  return side === null ? "maybe" : side === names[0] ? "one" : "two";
}
