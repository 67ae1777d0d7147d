/** Layout of the hall's page: the round on top; on a wide screen a desk of calls, tables and decisions, on a phone one part of it. */

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../player/view/icons";
import { fieldOf, fieldsOf } from "../../shared/form-fields";
import { span } from "../../shared/format";
import type { Actions } from "../actions";
import { languageChoice } from "../language";
import { openCalls, type State, type Tab } from "../state";
import { words } from "../strings";
import { calls, queue, recentInHall } from "./calls";
import { hallIcon } from "./icons";
import { penalties } from "./penalties";
import { remaining_s, rounds, runningRound } from "./rounds";
import { decisions, drawnAtDesk, grid, tables } from "./tables";

const PARTS: Record<Tab, (state: State, actions: Actions) => TemplateResult> = { tables, calls, rounds, penalties, event };

export function page(state: State, actions: Actions): TemplateResult {
  const isSeated = state.me?.seat === "judge" || state.me?.seat === "organiser";
  const isDesk = state.isWide && isSeated && state.hall !== null;
  return html`${bar(state)}
    ${isDesk ? desk(state, actions) : part(state, isSeated, actions)}
    <p class="notice" role="status">${state.notice ?? ""}</p>
    ${isSeated && !isDesk ? tabs(state, actions) : nothing}`;
}

/** On a phone: one part at a time. */
function part(state: State, isSeated: boolean, actions: Actions): TemplateResult {
  return html`<main class="part ${state.tab}">${warnings(state)}
      ${state.me && !isSeated ? joinForm(actions) : state.hall ? PARTS[state.tab](state, actions) : html`<p class="hint">${words.connecting}</p>`}
    </main>`;
}

/** On a wide screen: who waits at the left, the tables in the middle, what is decided at the right. */
function desk(state: State, actions: Actions): TemplateResult {
  const opened = state.hall?.tables.find((table) => table.number === state.open);
  return html`<main class="part wide">
      <div class="rail">${queue(state, actions)}${recentInHall(state, actions)}</div>
      <div class="middle tables-of-hall">${warnings(state)}${opened ? drawnAtDesk(state, opened, actions) : grid(state, actions)}</div>
      <div class="aside">${tabs(state, actions)}
        <div class="chosen" tabindex="-1">${state.tab !== "tables" ? PARTS[state.tab](state, actions) : opened ? decisions(state, opened, actions) : html`<p class="hint">${words.pickTable}</p>`}</div></div>
    </main>`;
}

function warnings(state: State): TemplateResult {
  return html`${state.link === "lost" ? html`<p class="banner" role="alert">${icon("warn")}<span>${words.lost}</span></p>` : nothing}
      ${(state.hall?.alarms ?? []).map((alarm) => html`<p class="banner" role="alert">${icon("warn")}<span>${alarm.says}</span></p>`)}
      ${state.problem ? html`<p class="banner bad" role="alert">${icon("warn")}<span><b>${state.problem.title}.</b> ${state.problem.detail}</span></p>` : nothing}`;
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
  const send = (submitted: SubmitEvent) => void actions.join(fieldOf(submitted, "code"));
  return html`<form class="card join" @submit=${send}>
    <h2>${words.join.title}</h2>
    <p>${words.join.says}</p>
    <label>${words.join.code}<input name="code" autocomplete="off" autocapitalize="characters" minlength="6" maxlength="12" required /></label>
    <button class="main">${words.join.go}</button>
  </form>${languageChoice(() => actions.redraw())}`;
}

/** What the organiser sets for the whole event. */
export function event(state: State, actions: Actions): TemplateResult {
  const { hall } = state;
  if (!hall) return html``;
  const { settings } = hall;
  const isLocked = state.me?.seat !== "organiser";
  const send = (submitted: SubmitEvent) => {
    const fields = fieldsOf(submitted);
    const number = (name: string) => Number(fields.get(name));
    const penalties = String(fields.get("penalties")).split("\n").map((one) => one.trim()).filter(Boolean);
    const featured = String(fields.get("featured"));
    void actions.saveSettings({
      round_minutes: number("minutes"), clock_minutes: number("clocks"), delay_s: number("delay"), penalties,
      featured: featured === "" ? null : Number(featured),
    });
  };
  return html`<h2>${words.tabs.event}</h2>
    ${isLocked ? html`<p class="hint">${words.event.onlyOrganiser}</p>` : nothing}
    <form class="card" @submit=${send}><fieldset class="settings" ?disabled=${isLocked}>
      <label>${words.event.minutes}<input name="minutes" type="number" min="1" max="1440" step="any" required .value=${String(settings.round_minutes)} /></label>
      <label>${words.event.clocks}<input name="clocks" type="number" min="0" max="1440" step="any" required .value=${String(settings.clock_minutes)} /></label>
      <label>${words.event.penalties}<textarea name="penalties" rows="4" .value=${settings.penalties.join("\n")}></textarea></label>
      <label>${words.event.delay}<input name="delay" type="number" min="0" max="3600" step="any" required .value=${String(settings.delay_s)} /></label>
      <label>${words.event.featured}<select name="featured"><option value="">${words.event.noFeatured}</option>
        ${hall.tables.map(({ number }) => html`<option value=${number} ?selected=${number === settings.featured}>${words.table(number)}</option>`)}</select></label>
      ${isLocked ? nothing : html`<button class="main">${words.event.save}</button>`}
    </fieldset></form>
    ${Object.keys(settings.columns).length === 0 ? nothing : html`<section class="card"><h3>${words.event.columns}</h3>
      <ul class="entries">${Object.entries(settings.columns).map(([name, role]) => html`<li>${name}: ${words.rounds.roles[role] ?? role}</li>`)}</ul>
      ${isLocked ? nothing : html`<button class="quiet" @click=${() => actions.saveSettings({ columns: {} })}>${words.event.forget}</button>`}</section>`}
    <div class="deeds"><a class="quiet" href="/overlay?table=featured">${words.event.overlay}</a><a class="quiet" href="/hall/clock">${words.rounds.clockPage}</a></div>
    ${languageChoice(() => actions.redraw())}`;
}
