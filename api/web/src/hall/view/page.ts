/** Layout of the hall's page: the round on top, one part of it, and the tabs where the thumb is. */

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../player/view/icons";
import { span } from "../../shared/time-format";
import type { Actions } from "../actions";
import { openCalls, type State, type Tab } from "../state";
import { languageChoice } from "../language";
import { words } from "../strings";
import { calls } from "./calls";
import { event } from "./event";
import { penalties } from "./penalties";
import { remaining_s, rounds, runningRound } from "./rounds";
import { hallIcon } from "./icons";
import { tables } from "./tables";

const PARTS: Record<Tab, (state: State, actions: Actions) => TemplateResult> = { tables, calls, rounds, penalties, event };

export function page(state: State, actions: Actions): TemplateResult {
  const isSeated = state.me?.seat === "judge" || state.me?.seat === "organiser";
  return html`${bar(state)}
    <main class="part ${state.tab}">
      ${state.link === "lost" ? html`<p class="banner" role="alert">${icon("warn")}<span>${words.lost}</span></p>` : nothing}
      ${state.problem ? html`<p class="banner bad" role="alert">${icon("warn")}<span><b>${state.problem.title}.</b> ${state.problem.detail}</span></p>` : nothing}
      ${state.me && !isSeated ? joinForm(actions) : state.hall ? PARTS[state.tab](state, actions) : html`<p class="hint">${words.connecting}</p>`}
    </main>
    <p class="notice" role="status">${state.notice ?? ""}</p>
    ${isSeated ? tabs(state, actions) : nothing}`;
}

function bar(state: State): TemplateResult {
  const running = runningRound(state);
  return html`<header class="bar">
    <h1>${state.hall?.event ?? words.join.title}</h1>
    ${running ? html`<p class="hall-clock ${remaining_s(running.round, state.now_s) < 0 ? "over" : ""}"><span>${words.round(running.round.number)}</span>
      <b>${span(remaining_s(running.round, state.now_s))}</b></p>` : nothing}
  </header>`;
}

function tabs(state: State, actions: Actions): TemplateResult {
  const waiting = openCalls(state).filter((call) => call.judge === null).length;
  return html`<nav class="tabs" aria-label=${words.nav}>
    ${(Object.keys(PARTS) as Tab[]).map(
      (tab) => html`<button data-tab=${tab} aria-current=${tab === state.tab ? "page" : "false"} @click=${() => actions.showTab(tab)}>
        ${hallIcon(tab)}<span>${words.tabs[tab]}${tab === "calls" && waiting > 0 ? html` <b class="count">${waiting}</b>` : nothing}</span>
      </button>`,
    )}
  </nav>`;
}

function joinForm(actions: Actions): TemplateResult {
  const send = (submitted: SubmitEvent) => {
    submitted.preventDefault();
    void actions.join(String(new FormData(submitted.target as HTMLFormElement).get("code") ?? ""));
  };
  return html`<form class="card join" @submit=${send}>
    <h2>${words.join.title}</h2>
    <p>${words.join.says}</p>
    <label>${words.join.code}<input name="code" autocomplete="off" autocapitalize="characters" minlength="6" maxlength="12" required /></label>
    <button class="main">${words.join.go}</button>
  </form>${languageChoice(() => actions.redraw())}`;
}
