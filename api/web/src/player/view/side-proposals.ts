/** Side proposals, each base a button that changes its side. */

import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { membersOf } from "../unit-manoeuvre";
import { everyone } from "../../shared/entities";
import type { SideAssignment, State } from "../state";
import type { DrawnMiniature } from "../../shared/types.gen";
import { icon } from "./icons";
import { sizeOf } from "../event-text";
import { SAY } from "../../shared/strings";

export function sideProposals(state: State, assignment: SideAssignment, actions: Actions): TemplateResult {
  return html`<header class="pair"><h2>${SAY.proposeSides}</h2>
      <button class="round" @click=${() => actions.sides.close()} aria-label=${SAY.leaveSides}>${icon("clear")}</button></header>
    <p class="soft">${assignment.says}</p>
    <div class="toolbar words"><button class="mend strong" @click=${() => void actions.sides.confirmSides()}>${SAY.theseSides}</button></div>
    <ul>${repeat(everyone(state.table), (m) => m.id, (m) => entry(m, state, assignment, actions))}</ul>`;
}

function entry(m: DrawnMiniature, state: State, assignment: SideAssignment, actions: Actions): TemplateResult {
  const side = sideOf(m.id, state, assignment);
  return html`<li><button class="entry ${toneOf(side, assignment)}" data-id=${m.id} @click=${() => actions.sides.cycleSide(m.id)}>
    <span>${m.name}</span><small>${side ?? SAY.neitherSide} · ${sizeOf(m)}</small></button></li>`;
}

/** The side proposed for a base, or for a unit by its first member. */
export function sideOf(id: string, state: State, { of }: SideAssignment): string | null {
  return of[id] ?? of[membersOf(state, id)[0]?.id ?? ""] ?? null;
}

/** How a base of this side is drawn. */
export function toneOf(side: string | null, { names }: SideAssignment): string {
  return side === null ? "maybe" : side === names[0] ? "one" : "two";
}
