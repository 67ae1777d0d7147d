/** Layout of the judge's page: the clock line on top, one part of the desk, and the tabs where the thumb is. */

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../player/view/icons";
import type { Actions } from "../actions";
import { hasRight, type State, type Tab } from "../state";
import { words } from "../strings";
import { clockLine, clocks } from "./clocks";
import { tabIcon } from "./icons";
import { stream } from "./stream";
import { table } from "./table";
import { tables } from "./tables";
import { timeline } from "./timeline";

const PARTS: Record<Tab, (state: State, actions: Actions) => TemplateResult> = { tables, timeline, table, clocks, stream };

export function page(state: State, actions: Actions): TemplateResult {
  return html`${bar(state, actions)}
    <main class="part ${state.tab}">
      ${state.link === "lost" ? html`<p class="banner" role="alert">${icon("warn")}<span>${words.lost}</span></p>` : nothing}
      ${(state.bench?.alarms ?? []).map((alarm) => html`<p class="banner" role="alert">${icon("warn")}<span>${alarm.says}</span></p>`)}
      ${state.sitting && !hasRight(state, "rule") && !hasRight(state, "air") ? seatPrompt(state, actions) : nothing}
      ${PARTS[state.tab](state, actions)}
    </main>
    <p class="notice" role="status">${state.notice ?? ""}</p>
    ${tabs(state, actions)}`;
}

function bar(state: State, actions: Actions): TemplateResult {
  return html`<header class="bar">
    <h1>${state.bench?.title ?? words.connecting}</h1>
    ${clockLine(state, actions)}
  </header>`;
}

function tabs(state: State, actions: Actions): TemplateResult {
  return html`<nav class="tabs" aria-label=${words.nav}>
    ${(Object.keys(PARTS) as Tab[]).map(
      (tab) => html`<button data-tab=${tab} aria-current=${tab === state.tab ? "page" : "false"} @click=${() => actions.showTab(tab)}>
        ${tabIcon(tab)}<span>${words.tabs[tab]}</span>
      </button>`,
    )}
  </nav>`;
}

/** Who has no judge's seat: the form on the first part, a line that leads to it on the others. */
function seatPrompt(state: State, actions: Actions): TemplateResult {
  if (state.tab === "tables") return joinForm(actions);
  return html`<p class="onlooker"><span>${words.join.looking}</span>
    <button class="mend" @click=${() => actions.showTab("tables")}>${words.join.go}</button></p>`;
}

function joinForm(actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const code = new FormData(event.target as HTMLFormElement).get("code");
    void actions.join(String(code ?? ""));
  };
  return html`<form class="card join" @submit=${send}>
    <h2>${words.join.title}</h2>
    <p>${words.join.says}</p>
    <label>${words.join.code}<input name="code" autocomplete="off" autocapitalize="characters" maxlength="12" required /></label>
    <button class="main">${words.join.go}</button>
  </form>`;
}
