/** Layout of the judge's page: on a wide screen a desk of queue, table and decisions; on a phone one part of it, and the tabs where the thumb is. */

import { html, nothing, type TemplateResult } from "lit";
import { icon, skipLink } from "../../player/view/icons";
import { fieldOf } from "../../shared/form-fields";
import { SAY } from "../../shared/strings";
import { clockTime } from "../../shared/format";
import type { Bench, Dispute } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { hasRight, type State, type Tab } from "../state";
import { words } from "../strings";
import { clockLine, clocks } from "./clocks";
import { tabIcon } from "./icons";
import { choice, options, optionsOf } from "./segmented-control";
import { deedsOf, playerName, queue, questionOf } from "./queue";
import { stagePart, decisions, table } from "./table";
import { tables } from "./tables";
import { recentMoments, timeline } from "./timeline";

const STAYS_S = [5, 8, 12, 20];
const DELAYS_S = [0, 5, 10, 20, 30];

const PARTS: Record<Tab, (state: State, actions: Actions) => TemplateResult> = { tables: tablesPart, timeline, table, clocks, stream };

function tablesPart(state: State, actions: Actions): TemplateResult {
  const isOnlooker = state.isWide && state.sitting !== null && !hasRight(state, "rule") && !hasRight(state, "air");
  return html`${isOnlooker ? joinForm(actions) : nothing}${tables(state, actions)}`;
}

export function page(state: State, actions: Actions): TemplateResult {
  return html`${bar(state, actions)}
    ${state.isWide ? desk(state, actions) : part(state, actions)}
    <p class="notice" role="status">${state.notice ?? ""}</p>
    ${state.isWide ? nothing : tabs(state, actions)}`;
}

/** On a phone: one part at a time. */
function part(state: State, actions: Actions): TemplateResult {
  return html`<main class="part ${state.tab}" id="answers" tabindex="-1">
      ${warnings(state, actions)}
      ${state.dispute ? disputeBanner(state.dispute, state, actions) : nothing}
      ${PARTS[state.tab](state, actions)}
    </main>`;
}

/** On a wide screen: who waits and what happened at the left, the table in the middle, what the judge decides at the right. */
function desk(state: State, actions: Actions): TemplateResult {
  return html`<main class="part wide desk">
      <div class="rail">${queue(state, actions)}${recentMoments(state, actions)}</div>
      <div class="middle">${warnings(state, actions)}${stagePart(state, actions)}</div>
      <div class="aside">${tabs(state, actions)}
        <div class="chosen ${state.tab}" id="answers" tabindex="-1">${state.tab === "table" ? decisions(state, actions) : PARTS[state.tab](state, actions)}</div></div>
    </main>`;
}

function warnings(state: State, actions: Actions): TemplateResult {
  return html`${state.link === "lost" ? html`<p class="banner" role="alert">${icon("warn")}<span>${words.lost}</span></p>` : nothing}
    ${(state.bench?.alarms ?? []).map((alarm) => html`<p class="banner" role="alert">${icon("warn")}<span>${alarm.says}</span></p>`)}
    ${state.sitting && !hasRight(state, "rule") && !hasRight(state, "air") ? seatPrompt(state, actions) : nothing}`;
}

function bar(state: State, actions: Actions): TemplateResult {
  return html`<header class="bar">
    ${skipLink(SAY.skip)}
    <h1>${state.bench?.title ?? SAY.connecting}</h1>
    ${state.isWide ? standing(state) : nothing}
    ${clockLine(state, actions)}
  </header>`;
}

/** How the game stands: the round and the points. */
function standing({ bench }: State): TemplateResult | typeof nothing {
  const score = bench?.scoreboard.score;
  if (!score) return nothing;
  const points = `${score.points["player-a"] ?? 0} : ${score.points["player-b"] ?? 0}`;
  return html`<p class="standing">${score.round === null ? nothing : html`${SAY.hall.round(score.round)} · `}<b>${points}</b></p>`;
}

/** What the players dispute, on every part of the page, and who has done what; called, it stands out. */
function disputeBanner(dispute: Dispute, state: State, actions: Actions): TemplateResult {
  const deeds = (["player-a", "player-b"] as const).map((seat) => `${playerName(state, seat)}: ${deedsOf(dispute, seat) || "…"}`);
  return html`<div class="banner disputed ${dispute.is_judge_called ? "bad" : ""}" role="alert">${icon("warn")}<span><b>${dispute.is_judge_called ? words.calledFor : words.types["dispute-opened"]}: ${questionOf(dispute, state)}</b>
      <small>${deeds.join("   ")}</small></span>
    <button class="mend" @click=${() => actions.openDispute(dispute)}>${words.openIt}</button></div>`;
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
  if (state.tab === "tables" && !state.isWide) return joinForm(actions);
  return html`<p class="onlooker"><span>${words.join.looking}</span>
    <button class="mend" @click=${() => actions.showTab("tables")}>${words.join.go}</button></p>`;
}

function joinForm(actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    const code = fieldOf(event, "code");
    void actions.join(String(code ?? ""));
  };
  return html`<form class="card join" @submit=${send}>
    <h2>${words.join.title}</h2>
    <p>${words.join.says}</p>
    <label>${words.join.code}<input name="code" autocomplete="off" autocapitalize="characters" maxlength="12" required /></label>
    <button class="main">${words.join.go}</button>
  </form>`;
}

/** Stream settings: how the overlay is fed, what is on air, and the address of the browser source. */
export function stream(state: State, actions: Actions): TemplateResult {
  const { bench } = state;
  return html`<h2>${words.tabs.stream}</h2>
    ${bench && hasRight(state, "air") ? feedSettings(bench, actions) : nothing} ${address(state, actions)}`;
}

function feedSettings({ production, on_air }: Bench, actions: Actions): TemplateResult {
  const feeds = [
    { value: "asked" as const, says: words.stream.asked },
    { value: "pushed" as const, says: words.stream.pushed },
  ];
  return html`<section class="card">
      <h3>${words.stream.now}</h3>
      ${on_air === null ? html`<p class="hint">${words.stream.nothing}</p>` : html`<div class="preview"><b>${on_air.who.join(" · ")}</b>${on_air.lines.map((line) => html`<p>${line}</p>`)}
        <small>${on_air.waits ? words.stream.waits(clockTime(on_air.at_s)) : words.stream.shown(clockTime(on_air.at_s))}</small></div><div class="deeds">
        <button class="main" @click=${() => actions.resolveItem(on_air.id)}>${words.stream.resolved}</button>
        <button class="quiet" @click=${() => actions.takeOffAir()}>${words.stream.off}</button></div>`}
      <label class="switch"><span>${words.stream.hide}<small>${words.stream.hideSays}</small></span>
        <input type="checkbox" role="switch" .checked=${production.hide_until_resolved} @change=${(event: Event) => actions.changeProduction({ hide_until_resolved: (event.target as HTMLInputElement).checked })} /></label>
      ${choice(words.stream.feed, feeds, production.feed, (feed) => actions.changeProduction({ feed }))}
      ${choice(words.stream.stays, options(STAYS_S), production.stays_s, (stays_s) => actions.changeProduction({ stays_s }))}
    </section>`;
}

function address(state: State, actions: Actions): TemplateResult {
  const { theme, widgets, clocks, score, delay_s } = state.source;
  const search = parameters(state);
  const url = new URL(`overlay${search}`, location.href).href;
  return html`<section class="card">
    <label>${words.stream.address}<input readonly .value=${url} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>
    ${choice(words.stream.widgets, optionsOf(words.stream.widgetsOf), widgets, (value) => actions.changeSource({ widgets: value }))}
    ${choice(words.stream.theme, optionsOf(words.stream.themes), theme, (value) => actions.changeSource({ theme: value }))}
    ${choice(words.stream.delay, options(DELAYS_S), delay_s, (value) => actions.changeSource({ delay_s: value }))}
    <label class="switch"><span>${words.stream.withClocks}</span>
      <input type="checkbox" role="switch" .checked=${clocks} @change=${(event: Event) => actions.changeSource({ clocks: (event.target as HTMLInputElement).checked })} /></label>
    <label class="switch"><span>${words.stream.withScore}</span>
      <input type="checkbox" role="switch" .checked=${score} @change=${(event: Event) => actions.changeSource({ score: (event.target as HTMLInputElement).checked })} /></label>
    <a class="quiet" href="overlay/loader.html${search}" download>${words.stream.loader}</a>
  </section>`;
}

function parameters({ source: { theme, widgets, clocks, score, delay_s } }: State): string {
  const params = new URLSearchParams();
  if (theme !== "dark") params.set("theme", theme);
  const shown = [widgets, ...(clocks ? ["clocks"] : []), ...(score ? ["lowerthird"] : [])].join(",");
  if (shown !== "ruling,closeup") params.set("widgets", shown);
  if (delay_s > 0) params.set("delay", String(delay_s));
  const text = params.toString().replaceAll("%2C", ",");
  return text ? `?${text}` : "";
}
