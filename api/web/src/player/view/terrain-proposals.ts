/** Terrain proposals of the picture: a list to tap through, and dashed outlines on the table. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import type { State } from "../state";
import { inches } from "../../shared/format";
import { onScreen, outlineOf, type Frame } from "../../shared/geometry";
import type { ProposedDisc, ProposedTerrain } from "../../shared/types.gen";
import { points } from "./svg-path";
import { SAY } from "../../shared/strings";

export function terrainProposals(state: State, actions: Actions): TemplateResult {
  return html`<div class="toolbar words"><button class="mend" @click=${() => {
      actions.showWholeTable(); // what is seen may lie anywhere
      void actions.terrain.fetchProposals();
    }}>${SAY.propose}</button></div>
    ${state.proposals?.length
      ? html`<h3>${SAY.proposed}</h3>
        <ul class="others proposals">${repeat(state.proposals, (one) => one.id, (one, i) => (one.what === "terrain" ? entry(one, i + 1, state, actions) : disc(one, i + 1, actions)))}</ul>`
      : nothing}`;
}

function entry(one: ProposedTerrain, number: number, state: State, actions: Actions): TemplateResult {
  const known = state.books.find((book) => book.id === state.table?.edition)?.terrain ?? [];
  const likely = one.kinds.filter(({ kind }) => known.includes(kind));
  return html`<li class="proposal" data-id=${one.id}>
    <span class="whom"><b class="number">${number}</b> ${nameOf(one)}<small>${SAY.proposedWithin(one.sigma_mm)}</small></span>
    <div class="toolbar words">
      ${likely.slice(0, 2).map(({ kind }) => html`<button class="mend strong" @click=${() => void actions.terrain.layTerrain(one, kind)}>
        ${SAY.layAs(kind.replaceAll("-", " "))}</button>`)}
      <button class="mend" @click=${() => actions.terrain.redrawTerrain(one)}>${SAY.redraw}</button>
      <button class="mend" @click=${() => void actions.terrain.rejectProposal(one)}>${SAY.noTerrain}</button>
    </div></li>`;
}

const DISC_KINDS = { template: ["cloud", "template"], token: ["marker", "area"] } as const;

function disc(one: ProposedDisc, number: number, actions: Actions): TemplateResult {
  return html`<li class="proposal" data-id=${one.id}>
    <span class="whom"><b class="number">${number}</b> ${SAY.someDisc(one.what, inches(one.diameter_mm))}<small>${SAY.placedWithin(one.sigma_mm)}</small></span>
    <div class="toolbar words">
      ${DISC_KINDS[one.what].map((kind) => html`<button class="mend strong" @click=${() => void actions.terrain.layDisc(one, kind)}>${SAY.layAs(kind)}</button>`)}
      <button class="mend" @click=${() => void actions.terrain.rejectProposal(one)}>${SAY.noDisc}</button>
    </div></li>`;
}

function nameOf({ kinds }: ProposedTerrain): string {
  return kinds.length === 0 ? SAY.somePiece : kinds.map(({ kind, probability }) => SAY.maybeKind(kind, probability)).join(", ");
}

function visibleProposals({ tool, section, drawing, proposals }: State): NonNullable<State["proposals"]> {
  return tool !== "table" || section !== "ground" || drawing ? [] : (proposals ?? []);
}

/** Beside each, in screen pixels, the number that it has in the list. */
export function proposedNumbers(state: State, frame: Frame): SVGTemplateResult {
  return svg`${visibleProposals(state).map((one, i) => {
    const places = outlineOf(one).map((place) => onScreen(frame, place));
    const [x, y] = places.reduce((high, place) => (place[1] < high[1] ? place : high));
    return svg`<g class="tag number" transform="translate(${x} ${Math.max(y - 14, 14)})" aria-hidden="true">
      <rect x="-12" y="-11" width="24" height="22" rx="11" /><text dy="0.35em">${i + 1}</text></g>`;
  })}`;
}

/** In table millimetres. */
export function proposedAreas(state: State): SVGTemplateResult {
  return svg`${visibleProposals(state).map((one) => svg`<polygon class="proposed" points=${points(outlineOf(one))} />`)}`;
}
