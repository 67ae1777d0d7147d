/** All tables in three densities; a cell opens its table. */

import { html, nothing, type TemplateResult } from "lit";
import { age } from "../../shared/format";
import { span } from "../../shared/time-format";
import type { Freshness, HallTable } from "../../shared/types.gen";
import { choice } from "../../judge/view/segmented-control";
import { tone } from "../../judge/view/tables";
import type { Actions } from "../actions";
import { callsAt, FILTERS, isLow, isSilent, nameAt, secondsLeft, shownTables, type Density, type Filter, type State } from "../state";
import { words } from "../strings";
import { hallIcon } from "./icons";
import { openedTable } from "./opened-table";

const DENSITIES: readonly Density[] = [3, 4, 8];
const SHOWN: readonly Filter[] = ["calls", "camera", "hand", "silent", "time"];

export function tables(state: State, actions: Actions): TemplateResult {
  const opened = state.hall?.tables.find((table) => table.number === state.open);
  return opened ? openedTable(state, opened, actions) : grid(state, actions);
}

function grid(state: State, actions: Actions): TemplateResult {
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
  if (!table.clocks) return html`<span class="clock-rows none"><span>${words.noClocks}</span></span>`;
  return html`<span class="clock-rows ${isLow(table, now_s) ? "low" : ""}">${table.clocks.players.map(
    ({ player, runs }) => html`<span class=${runs ? "runs" : ""}><i>${player === "player-a" ? "A" : "B"}</i> ${span(secondsLeft(table, player, now_s) ?? 0)}</span>`,
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
  return problem ? problem.title : freshnessText(fresh);
}

function freshnessText({ source, is_visible, hand, is_settled, age_s }: Freshness): string {
  if (source === "still" || source === "lost" || source === "ended") return words.fresh[source];
  if (!is_visible) return words.fresh.away;
  if (hand) return words.fresh.hand;
  if (!is_settled) return words.fresh.moving;
  return age_s === null ? words.fresh.looking : words.seenAgo(age(age_s));
}

export function playersOf(table: HallTable): string | null {
  const [a, b] = [nameAt(table, "player-a"), nameAt(table, "player-b")];
  return a && b ? `${a} ${words.rounds.versus} ${b}` : null;
}
