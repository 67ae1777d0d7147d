/** The whole page: what the clocks do on top, one part of the desk, and the tabs where the thumb is. */

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../view/icons";
import type { Actions } from "../actions";
import { may, type State, type Tab } from "../state";
import { words } from "../words";
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
      ${state.sitting && !may(state, "rule") && !may(state, "air") ? unseated(state, actions) : nothing}
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
      (tab) => html`<button data-tab=${tab} aria-current=${tab === state.tab ? "page" : "false"} @click=${() => actions.show(tab)}>
        ${tabIcon(tab)}<span>${words.tabs[tab]}</span>
      </button>`,
    )}
  </nav>`;
}

/** Who has no judge's seat: the form on the first part, a line that leads to it on the others. */
function unseated(state: State, actions: Actions): TemplateResult {
  if (state.tab === "tables") return join(actions);
  return html`<p class="onlooker"><span>${words.join.looking}</span>
    <button class="mend" @click=${() => actions.show("tables")}>${words.join.go}</button></p>`;
}

function join(actions: Actions): TemplateResult {
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
