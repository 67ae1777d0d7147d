/** Terrain panel: what lies there, and a piece that is drawn corner by corner on the picture. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import type { TerrainDrawing, State } from "../state";
import type { DrawnArea } from "../../shared/types.gen";
import { chip } from "./chips";
import { icon } from "./icons";
import { terrainProposals } from "./terrain-proposals";
import { SAY } from "../../shared/strings";

const LEAST_CORNERS = 3;
const MM_PER_INCH = 25.4;
const HEIGHTS_IN = [0.5, 1, 1.75, 2.25, 3, 5];

export function terrainPanel(state: State, actions: Actions): TemplateResult {
  return state.drawing ? piece(state, state.drawing, actions) : pieces(state, actions);
}

function pieces(state: State, actions: Actions): TemplateResult {
  const start = () => actions.corrections.setDrawing({ id: null, was: null, kind: null, corners: [], height_mm: null, isReshaped: true });
  return html`<div class="toolbar words"><button class="mend" @click=${start}>${SAY.drawPiece}</button></div>
    ${terrainProposals(state, actions)}
    <ul class="others">${repeat(state.table?.areas ?? [], (area) => area.id, (area) => entry(area, actions))}</ul>`;
}

function entry(area: DrawnArea, actions: Actions): TemplateResult {
  return html`<li><button class="other" data-id=${area.id} @click=${() => void actions.corrections.editArea(area)}>
    <span class="whom">${area.kind}<small>${area.id}</small></span>${icon("up")}</button></li>`;
}

function piece(state: State, drawing: TerrainDrawing, actions: Actions): TemplateResult {
  const isReady = drawing.corners.length >= LEAST_CORNERS && drawing.kind !== null;
  return html`<header class="pair"><h2>${drawing.id ?? SAY.newPiece}</h2>
      <button class="round" @click=${() => actions.corrections.setDrawing(null)} aria-label=${SAY.leavePiece}>${icon("clear")}</button></header>
    <p class="soft">${SAY.corners(drawing.corners.length)}</p>
    <div class="toolbar words">
      <button class="mend" ?disabled=${drawing.corners.length === 0}
        @click=${() => actions.corrections.reshapeDrawing(drawing.corners.slice(0, -1))}>${SAY.lastCornerOff}</button>
      ${drawing.id === null ? nothing : html`<button class="mend"
        @click=${() => void actions.corrections.removeArea(drawing.id ?? "")}>${SAY.takeAway}</button>`}
    </div>
    <label class="field">${SAY.kind}${kinds(state, drawing, actions)}</label>
    <h3>${SAY.height}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.inInches(SAY.height)}>${HEIGHTS_IN.map((tall) => height(tall, drawing, actions))}</div>
    <div class="toolbar words">
      <button class="mend strong" ?disabled=${!isReady} @click=${() => void actions.corrections.layDrawing()}>${SAY.layPiece}</button>
    </div>`;
}

function kinds(state: State, drawing: TerrainDrawing, actions: Actions): TemplateResult {
  const known = state.books.find((book) => book.id === state.table?.edition)?.terrain ?? [];
  return html`<select @change=${(event: Event) => actions.corrections.changeDrawing({ kind: (event.target as HTMLSelectElement).value as TerrainDrawing["kind"] })}>
    <option value="" disabled ?selected=${drawing.kind === null}>${SAY.chooseKind}</option>
    ${known.map((kind) => html`<option value=${kind} ?selected=${kind === drawing.kind}>${kind.replaceAll("-", " ")}</option>`)}</select>`;
}

function height(tall_in: number, drawing: TerrainDrawing, actions: Actions): TemplateResult {
  const height_mm = tall_in * MM_PER_INCH;
  return chip(`${tall_in}″`, drawing.height_mm === height_mm, () => actions.corrections.changeDrawing({ height_mm }));
}
