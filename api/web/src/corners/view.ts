/** Markup of the corner page: the picture with the corners on it, a loupe, and below what to do and what it comes to. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { text } from "../shared/language";
import { stagePoints, type Frame, type PictureStage, type Place } from "../shared/picture-stage";
import type { Actions } from "./actions";
import type { State } from "./state";
import { cornerLabel, keptNote, MOVES, CORNERS, nextStep, SIZES, WORDS } from "./strings";

export function page(state: State, actions: Actions, stage: PictureStage): TemplateResult {
  const grips = state.corners.map((place, i) => ({ place, label: cornerLabel(i), text: String(i + 1) }));
  const layer = { grips, picked: state.picked, label: WORDS.title, under: (frame: Frame) => outline(state, frame) };
  return html`<header class="bar"><div class="now"><h1>${WORDS.title}</h1>
        <p class="badge ${state.isBusy ? "wait" : "good"}" role="status"><span class="dot"></span><span>${step(state)}</span></p></div></header>
    <main>${stage.view(layer, actions)}${state.isMapShown ? map(state) : nothing}</main>
    ${panel(state, actions)}`;
}

function step(state: State): string {
  if (state.isBusy) return state.look ? WORDS.judging : WORDS.taking;
  if (!state.look) return WORDS.taking;
  if (state.corners.length === CORNERS && !state.table_mm) return WORDS.needsSize;
  return nextStep(state.corners.length);
}

function outline({ judged, corners }: State, frame: Frame): SVGTemplateResult {
  return svg`<polygon class="found ${judged?.fit ?? "taps"}" points=${stagePoints(frame, judged?.outline_px ?? corners)} />`;
}

function map({ judged }: State): TemplateResult | typeof nothing {
  if (!judged) return nothing;
  return html`<img class="map" alt="How surely places on the table are known" src="api/v1/corners/map.svg?${judged.worst_mm}-${judged.usual_mm}" />`;
}

function panel(state: State, actions: Actions): TemplateResult {
  return html`<section class="panel corners" aria-label=${WORDS.title}>
    ${pad(state, actions)}
    ${!state.look || state.look.is_table_sure ? nothing : sizes(state, actions)}
    ${answer(state, actions)}
    <div class="row last">
      <button class="plain" ?disabled=${state.before.length === 0} @click=${() => actions.undo()}>${text("undo")}</button>
      <button class="plain" ?disabled=${state.isBusy} @click=${() => void actions.takePicture()}>${WORDS.again}</button>
      ${state.judged ? html`<button class="plain" aria-pressed=${state.isMapShown} @click=${() => actions.toggleMap()}>${state.isMapShown ? WORDS.hideMap : WORDS.map}</button>` : nothing}
      <button class="plain strong" ?disabled=${!state.judged || state.isBusy || state.judged.kept !== null} @click=${() => void actions.keepPose()}>${WORDS.keep}</button>
    </div>
  </section>`;
}

function pad({ picked }: State, actions: Actions): TemplateResult {
  return html`<div class="row" role="group" aria-label="Move the corner by a pixel">
    ${MOVES.map(({ says, icon, by }) => html`<button class="plain" aria-label=${says} ?disabled=${picked === null} @click=${() => actions.nudge(by[0], by[1])}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg></button>`)}
  </div>`;
}

function sizes(state: State, actions: Actions): TemplateResult {
  const isChosen = (mm: Place) => !state.isOther && state.table_mm?.[0] === mm[0] && state.table_mm[1] === mm[1];
  return html`<div class="chips" role="radiogroup" aria-label=${WORDS.size}>
      ${SIZES.map(({ says, mm }) => html`<button role="radio" aria-checked=${isChosen(mm)} @click=${() => actions.setTableSize(mm, false)}>${says}</button>`)}
      <button role="radio" aria-checked=${state.isOther} @click=${() => actions.setTableSize(state.table_mm, true)}>${WORDS.other}</button>
    </div>
    ${state.isOther ? other(state, actions) : nothing}`;
}

function other({ table_mm }: State, actions: Actions): TemplateResult {
  const [width, depth] = table_mm ?? [1000, 1000];
  const onChange = (event: Event): void => {
    const [w, d] = [...((event.currentTarget as HTMLElement).querySelectorAll("input"))].map((one) => one.valueAsNumber);
    if (w && d && w >= 100 && d >= 100 && w <= 10_000 && d <= 10_000) actions.setTableSize([w, d], true);
  };
  return html`<div class="row sides" @change=${onChange}>
    <label>Width <input type="number" inputmode="decimal" min="100" max="10000" step="0.1" .valueAsNumber=${width} /></label>
    <label>Depth <input type="number" inputmode="decimal" min="100" max="10000" step="0.1" .valueAsNumber=${depth} /> mm</label>
  </div>`;
}

/** Whether a table is played here, and this is not the page of `tableside calibrate corners`. */
function isLive(): boolean {
  return location.pathname.endsWith("/corners");
}

const TONES = { fit: "yes", rough: "close", unfit: "no" } as const;

/** Why part of the picture is black, and how to see it. */
function edge({ look }: State, actions: Actions): TemplateResult | typeof nothing {
  if (!look?.is_edged) return nothing;
  return html`<p class="hint" data-edged>${WORDS.edged} ${look.may_show_room ? nothing : WORDS.askJudge}</p>
    ${look.may_show_room ? html`<div class="row"><button class="plain" @click=${() => void actions.takePicture({ room: true })}>${WORDS.room}</button></div>` : nothing}`;
}

function answer(state: State, actions: Actions): TemplateResult {
  const { judged, problem } = state;
  if (problem) return html`<p class="verdict no" role="alert"><b>${problem.title}.</b> ${problem.detail}</p>`;
  if (!judged) return html`<p class="hint">${WORDS.hint}</p>${edge(state, actions)}`;
  return html`<div class="verdict ${TONES[judged.fit]}" role="status" data-fit=${judged.fit}><p><b>${judged.says}</b></p>
    <p><small>${keptNote(judged)} ${judged.notes.join("; ")}</small></p>
    ${judged.kept !== null && isLive() ? html`<p><a href="./">${WORDS.back}</a></p>` : nothing}</div>`;
}
