/** All tables in three densities; a cell opens its table. */

import { html, nothing, type TemplateResult } from "lit";
import { choice } from "../../judge/view/segmented-control";
import { tone } from "../../judge/view/tables";
import { age, clockTime, span } from "../../shared/format";
import { lookOf } from "../../shared/freshness";
import type { HallTable, PlayerList } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { callsAt, FILTERS, isLow, isSilent, nameAt, secondsLeft, shownTables, type Density, type Filter, type State } from "../state";
import { words } from "../strings";
import { callCard } from "./calls";
import { drawnTable } from "../../judge/view/drawn-table";
import { hallIcon } from "./icons";
import { penaltyList } from "./penalties";

const DENSITIES: readonly Density[] = [3, 4, 8];
const SHOWN: readonly Filter[] = ["calls", "camera", "hand", "silent", "time"];

export function tables(state: State, actions: Actions): TemplateResult {
  const opened = state.hall?.tables.find((table) => table.number === state.open);
  return opened ? openedTable(state, opened, actions) : grid(state, actions);
}

export function grid(state: State, actions: Actions): TemplateResult {
  const all = state.hall?.tables ?? [];
  const shown = shownTables(state);
  return html`<h2>${words.shown(shown.length, all.length)}</h2>
    <div class="over-grid">
      ${choice(words.density, DENSITIES.map((value) => ({ value, says: String(value) })), state.density, (value) => actions.setDensity(value))}
      ${filterChips(state, actions)}
    </div>
    ${shown.length === 0 ? html`<p class="hint">${all.length === 0 ? words.noTables : words.none}</p>` : nothing}
    <ul class="cells dense-${state.density}">${shown.map((table) => html`<li>${cell(state, table, actions)}</li>`)}</ul>`;
}

function filterChips(state: State, actions: Actions): TemplateResult {
  const all = state.hall?.tables ?? [];
  return html`<fieldset class="choice"><legend>${words.filter}</legend><div class="options">
    ${(Object.keys(FILTERS) as Filter[]).map((name) => {
      const count = all.filter((table) => FILTERS[name](state, table)).length;
      return html`<button type="button" data-filter=${name} aria-pressed=${state.filters.has(name)} @click=${() => actions.toggleFilter(name)}>
        ${words.filters[name]} ${count}</button>`;
    })}
  </div></fieldset>`;
}

function cell(state: State, table: HallTable, actions: Actions): TemplateResult {
  const marks = SHOWN.filter((name) => FILTERS[name](state, table));
  const called = callsAt(state, table.number)[0];
  return html`<button class="cell ${called ? "calls" : ""} ${toneOf(table, state.now_s)}" data-table=${table.number} @click=${() => actions.openTable(table.number)}>
    <span class="top"><b><span class="aloud">${words.table(table.number)}</span><span aria-hidden="true">${table.number}</span></b>
      ${table.round === null ? nothing : html`<small class="in-round">${words.roundShort(table.round)}</small>`}
      <span class="marks">${marks.map(hallIcon)}</span></span>
    ${clockRows(table, state.now_s)}
    <small class="says">${called ? `${words.called}, ${span(state.now_s - called.called_s)}` : stateText(table, state.now_s)}</small>
  </button>`;
}

function clockRows(table: HallTable, now_s: number): TemplateResult {
  const named = (player: string) => nameAt(table, player) ?? (player === "player-a" ? "A" : "B");
  if (!table.clocks) return html`<span class="clock-rows none"><span>${playersOf(table) ?? words.noClocks}</span></span>`;
  return html`<span class="clock-rows ${isLow(table, now_s) ? "low" : ""}">${table.clocks.players.map(
    ({ player, runs }) => html`<span class=${runs ? "runs" : ""}><i>${named(player)}</i> ${span(secondsLeft(table, player, now_s) ?? 0)}</span>`,
  )}</span>`;
}

export function toneOf(table: HallTable, now_s: number): string {
  if (table.trouble !== null || table.summary === null || isSilent(table, now_s)) return "bad";
  return tone(table.summary);
}

/** How the table is, in a few words. */
export function stateText(table: HallTable, now_s: number): string {
  if (table.trouble !== null) return table.trouble;
  if (table.heard_s === null) return words.neverHeard;
  if (isSilent(table, now_s)) return words.silent(age(now_s - table.heard_s));
  if (table.summary === null) return words.neverHeard;
  const { fresh, problem } = table.summary;
  if (problem) return problem.title;
  const look = lookOf(fresh);
  return look === "seen" ? words.seenAgo(age(fresh.age_s ?? 0)) : words.fresh[look];
}

export function playersOf(table: HallTable): string | null {
  const [a, b] = [nameAt(table, "player-a"), nameAt(table, "player-b")];
  return a && b ? `${a} ${words.rounds.versus} ${b}` : null;
}

/** A table that was opened: what the hub knows of it, and the way to its own page. */
export function openedTable(state: State, table: HallTable, actions: Actions): TemplateResult {
  return html`${head(state, table, actions)}
    ${callsAt(state, table.number).map((call) => callCard(state, call, actions))}
    ${clockCard(table, state.now_s)}
    ${picture(state, table)}
    ${facts(state, table, actions)}`;
}

/** The same at a desk: in the middle the table, */
export function drawnAtDesk(state: State, table: HallTable, actions: Actions): TemplateResult {
  return html`${head(state, table, actions)}${clockCard(table, state.now_s)}${picture(state, table)}`;
}

/** and at the right what is decided about it. */
export function decisions(state: State, table: HallTable, actions: Actions): TemplateResult {
  return html`<h2 class="aloud">${words.table(table.number)}</h2>${callsAt(state, table.number).map((call) => callCard(state, call, actions))}${facts(state, table, actions)}`;
}

function head(state: State, table: HallTable, actions: Actions): TemplateResult {
  return html`<button class="quiet back" @click=${() => actions.openTable(null)}>← ${words.back}</button>
    <h2>${words.table(table.number)}</h2>
    <div class="glance ${toneOf(table, state.now_s)}">
      <span class="name"><b>${playersOf(table) ?? table.summary?.title ?? words.table(table.number)}</b></span>
      <span class="state"><i class="dot"></i>${stateText(table, state.now_s)}</span>
      <small class="facts">${[table.round === null ? "" : words.round(table.round), table.summary ? words.miniatures(table.summary.miniatures) : ""].filter(Boolean).join(" · ")}</small>
    </div>`;
}

function picture({ sheets }: State, { number }: HallTable): TemplateResult {
  const drawn = sheets.get(number)?.table;
  return drawn ? html`<div class="drawn-box">${drawnTable(drawn, words.table(number))}</div>` : html`<p class="hint">${words.noPicture}</p>`;
}

function facts(state: State, table: HallTable, actions: Actions): TemplateResult {
  return html`<div class="deeds">
      ${table.has_door ? html`<button class="main" @click=${() => actions.enterTable(table.number)}>${words.openTable}</button>` : nothing}
      <a class="quiet" href="/hall/tables/${table.number}">${words.watch}</a>
      ${table.trouble !== null && state.me?.seat === "organiser" ? html`<button class="quiet" @click=${() => actions.release(table.number)}>${words.release}</button>` : nothing}
    </div>
    ${rulings(table)}
    ${penaltyList(state, Object.values(table.players), actions)}
    ${timeGiven(table)}
    ${lists(state.sheets.get(table.number)?.lists ?? [])}`;
}

function clockCard(table: HallTable, now_s: number): TemplateResult | typeof nothing {
  if (!table.clocks) return nothing;
  return html`<div class="faces">${table.clocks.players.map(({ player, runs }) => {
    const left_s = secondsLeft(table, player, now_s) ?? 0;
    return html`<div class="face ${runs ? "runs" : ""} ${left_s < 0 ? "out" : left_s < 300 ? "low" : ""}">
      <span>${nameAt(table, player) ?? words.players[player]}</span><b>${span(left_s)}</b>
      <small>${table.clocks?.stop ? words.stopped : ""}</small></div>`;
  })}</div>`;
}

function rulings(table: HallTable): TemplateResult {
  return html`<section class="card"><h3>${words.rulings}</h3>
    ${table.rulings.length === 0 ? html`<p class="hint">${words.noRulings}</p>` : nothing}
    <ul class="entries">${[...table.rulings].reverse().map(
      (one) => html`<li class=${one.is_withdrawn ? "gone" : ""}><b>${one.said}</b> <small>${clockTime(one.at_s)} · ${one.about}${one.reason ? ` · ${one.reason}` : ""}${one.is_withdrawn ? ` · ${words.withdrawn}` : ""}</small></li>`,
    )}</ul></section>`;
}

function timeGiven(table: HallTable): TemplateResult {
  const given = table.clocks?.extensions ?? [];
  return html`<section class="card"><h3>${words.given}</h3>
    ${given.length === 0 ? html`<p class="hint">${words.noTime}</p>` : nothing}
    <ul class="entries">${given.map((one) => html`<li><b>${one.by_s < 0 ? "−" : "+"}${Math.abs(Math.round(one.by_s / 60))} min</b>
      ${one.player === null ? words.wholeRound : nameAt(table, one.player) ?? words.players[one.player]} <small>${clockTime(one.at_s)} · ${one.note}</small></li>`)}</ul></section>`;
}

function lists(known: readonly PlayerList[]): TemplateResult {
  return html`<section class="card"><h3>${words.lists}</h3>
    ${known.length === 0 ? html`<p class="hint">${words.noLists}</p>` : nothing}
    ${known.map((list) => html`<details class="list"><summary>${list.side}: ${list.name ?? ""} <small>${words.miniatures(list.miniatures)}</small></summary>
      <ul class="entries">${list.entries.map((entry) => html`<li>${entry}</li>`)}</ul></details>`)}</section>`;
}
