/** The whole page. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import { icon } from "./icons";
import { badge } from "./news";
import { panel } from "./panel";
import { stage } from "./stage";
import { tabs } from "./tabs";
import { SAY } from "./words";

export function page(state: State, actions: Actions): TemplateResult {
  return html`${bar(state)}
    <main class=${state.settings.isLeft ? "left" : ""}>${stage(state, actions)}${banner(state, actions)}${look(state, actions)}</main>
    <div class="lower ${state.isTall ? "tall" : ""} ${state.settings.isLeft ? "left" : ""}">
      <button class="grab" @click=${() => actions.stretch()} aria-label=${state.isTall ? SAY.moreTable : SAY.moreAnswers}
        aria-expanded=${state.isTall}></button>
      ${panel(state, actions)}${tabs(state, actions)}
    </div>`;
}

function bar(state: State): TemplateResult {
  const { tone, says } = badge(state);
  return html`<header class="bar ${state.settings.isLeft ? "left" : ""}">
    <p class="badge ${tone}" role="status" aria-live="off"><span class="dot"></span><span>${says}</span></p>
    <h1 class=${state.notice ? "news" : ""}><span role="status">${state.notice ?? state.title}</span></h1>
  </header>`;
}

/** Back to the whole table, where the thumb is; nothing while all of it is shown. */
function look({ view: { k, x, y } }: State, actions: Actions): TemplateResult | typeof nothing {
  if (k === 1 && x === 0 && y === 0) return nothing;
  return html`<button class="round look" @click=${() => actions.whole()} aria-label=${SAY.whole}>${icon("whole")}</button>`;
}

function banner(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.link === "lost") {
    return html`<p class="banner wait" role="alert">${icon("warn")}<span><b>${SAY.reconnecting}</b> ${SAY.mayBeOld}</span></p>`;
  }
  if (!state.problem) return nothing;
  const { title, detail } = state.problem;
  const tone = state.fresh.source === "ended" ? "wait" : "bad";
  return html`<div class="banner ${tone}" role="alert">${icon("warn")}<span><b>${title}.</b> ${detail}</span>
    ${state.problem.type === "world/camera_moved"
      ? html`<button class="mend" @click=${() => actions.camera.register()}>${SAY.registerAgain}</button>`
      : nothing}</div>`;
}
