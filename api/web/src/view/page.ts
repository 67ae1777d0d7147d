/** The whole page. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import { icon } from "./icons";
import { panel } from "./panel";
import { stage } from "./stage";
import { badge } from "./words";

export function page(state: State, actions: Actions): TemplateResult {
  return html`${bar(state, actions)}
    <main>${stage(state, actions)}${banner(state, actions)}</main>
    ${panel(state, actions)}`;
}

function bar(state: State, actions: Actions): TemplateResult {
  const { tone, says } = badge(state);
  return html`<header class="bar">
    <div class="now">
      <h1 class=${state.notice ? "news" : ""}><span role="status">${state.notice ?? state.title}</span></h1>
      <p class="badge ${tone}" role="status" aria-live="off"><span class="dot"></span><span>${says}</span></p>
    </div>
    <button class="round" @click=${() => actions.turn()} aria-label="Turn the table around" aria-pressed=${state.isTurned}>
      ${icon("turn")}
    </button>
    <button class="round" @click=${() => actions.whole()} aria-label="Show the whole table">${icon("whole")}</button>
  </header>`;
}

function banner(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.link === "lost") {
    return html`<p class="banner wait" role="alert">${icon("warn")}<span><b>Reconnecting …</b> What you see may be old.</span></p>`;
  }
  if (!state.problem) return nothing;
  const { title, detail } = state.problem;
  const tone = state.fresh.source === "ended" ? "wait" : "bad";
  return html`<div class="banner ${tone}" role="alert">${icon("warn")}<span><b>${title}.</b> ${detail}</span>
    ${state.problem.type === "world/camera_moved"
      ? html`<button class="mend" @click=${() => actions.register()}>Register again</button>`
      : nothing}</div>`;
}
