/** Markup for a table without a printer: two blank sheets, a picture of them, four taps. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { Layer, PictureStage, Place } from "../shared/picture-stage";
import type { SetupStatus } from "../shared/types.gen";
import type { Actions } from "./actions";
import type { State } from "./state";
import { blankSheets, nextTap, WORDS } from "./strings";

const PAPERS = [["a4", "A4"], ["letter", "Letter"]] as const;

/** Whether pages are printed or blank sheets laid, and which paper it is. */
export function sheetsChoice(status: SetupStatus, actions: Actions): TemplateResult {
  return html`<h2>${WORDS.noPrinter}</h2>
    <div class="chips" role="radiogroup" aria-label=${WORDS.noPrinter}>
      <button role="radio" aria-checked=${status.paper === null} @click=${() => void actions.choose({ paper: null })}>${WORDS.withPages}</button>
      ${PAPERS.map(([paper, says]) => html`<button role="radio" aria-checked=${status.paper === paper} @click=${() => void actions.choose({ paper })}>${blankSheets(says)}</button>`)}
    </div>
    ${status.paper === null ? nothing : html`<p class="hint">${WORDS.laySheets}</p>${drawing(status.table_mm ?? [1219.2, 1219.2])}`}`;
}

/** How the sheets lie: inside the table, at its near left and its far right corner; the dots are what is tapped. */
function drawing([width, depth]: readonly [number, number]): TemplateResult {
  const [w, h] = [200, (200 * depth) / width];
  const dots: readonly Place[] = [[0, h], [50, h - 35], [w, 0], [w - 50, 35]];
  return html`<svg class="laying" viewBox="-22 -22 244 ${h + 60}" role="img" aria-label=${WORDS.laySheets}>
    <rect class="mat" width=${w} height=${h} />
    <rect class="sheet" x="0" y=${h - 35} width="50" height="35" /><rect class="sheet" x=${w - 50} y="0" width="50" height="35" />
    ${dots.map(([x, y], k) => svg`<circle class="dot-at" cx=${x} cy=${y} r="9" /><text x=${x} y=${y + 5}>${k + 1}</text>`)}
    <text class="you" x=${w / 2} y=${h + 30}>${WORDS.near}</text></svg>`;
}

export function sheetsStep(state: State, status: SetupStatus, actions: Actions, stage: PictureStage): TemplateResult {
  if (status.eye === "phone") return html`<p class="note bad">${WORDS.sheetStays}</p>`;
  const isBusy = state.busy !== null;
  return html`<p class="hint">${state.sheets ? nextTap(state.taps.length) : WORDS.laySheets}</p>
    <div class="row">
      <button class="plain ${state.sheets ? "" : "strong"}" ?disabled=${isBusy} @click=${() => void actions.lookAtSheets()}>${WORDS.look}</button>
      <button class="plain" ?disabled=${isBusy || state.taps.length === 0} @click=${() => actions.undoTap()}>${WORDS.undoTap}</button>
    </div>
    ${state.sheets ? html`<div class="tap-stage">${stage.view(layer(state), actions.sheetGrips)}</div>` : nothing}`;
}

function layer({ taps, picked }: State): Layer {
  return { grips: taps.map((place, k) => ({ place, label: nextTap(k), text: String(k + 1) })), picked, label: nextTap(taps.length) };
}
