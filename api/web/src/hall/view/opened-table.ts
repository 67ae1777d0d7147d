/** A table that was opened: what the hub knows of it, and the way to its own page. */

import { html, nothing, type TemplateResult } from "lit";
import { clockTime, span } from "../../shared/time-format";
import type { HallTable, PlayerList } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { callsAt, nameAt, secondsLeft, type State } from "../state";
import { words } from "../strings";
import { callCard } from "./calls";
import { drawnTable } from "./drawn-table";
import { penaltyList } from "./penalties";
import { playersOf, stateText, toneOf } from "./tables";

export function openedTable(state: State, table: HallTable, actions: Actions): TemplateResult {
  return html`<button class="quiet back" @click=${() => actions.openTable(null)}>← ${words.back}</button>
    <h2>${words.table(table.number)}</h2>
    <div class="glance ${toneOf(table, state.now_s)}">
      <span class="name"><b>${playersOf(table) ?? table.summary?.title ?? words.table(table.number)}</b></span>
      <span class="state"><i class="dot"></i>${stateText(table, state.now_s)}</span>
      <small class="facts">${[table.round === null ? "" : words.round(table.round), table.summary ? words.miniatures(table.summary.miniatures) : ""].filter(Boolean).join(" · ")}</small>
    </div>
    ${callsAt(state, table.number).map((call) => callCard(state, call, actions))}
    ${clockCard(table, state.now_s)}
    ${state.sheet?.table ? html`<div class="drawn-box">${drawnTable(state.sheet.table, words.table(table.number))}</div>` : html`<p class="hint">${words.noPicture}</p>`}
    <div class="deeds">
      ${table.has_door ? html`<button class="main" @click=${() => actions.enterTable(table.number)}>${words.openTable}</button>` : nothing}
      <a class="quiet" href="/hall/tables/${table.number}">${words.watch}</a>
      ${table.trouble !== null && state.me?.seat === "organiser" ? html`<button class="quiet" @click=${() => actions.release(table.number)}>${words.release}</button>` : nothing}
    </div>
    ${rulings(table)}
    ${penaltyList(state, Object.values(table.players), actions)}
    ${timeGiven(table)}
    ${lists(state.sheet?.lists ?? [])}`;
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
