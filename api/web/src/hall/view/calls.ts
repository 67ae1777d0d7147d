/** Calls for a judge: who waits and how long, who goes, what is ruled, and what the head judge says on appeal. */

import { html, nothing, type TemplateResult } from "lit";
import { thumbnail } from "../../judge/view/drawn-table";
import { fieldsOf } from "../../shared/form-fields";
import { clockTime, minuteTime, span } from "../../shared/format";
import type { Call } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { nameAt, openCalls, secondsLeft, type State } from "../state";
import { words } from "../strings";

const SEATS = ["player-a", "player-b"] as const;
const RECENT = 40;
const GIVEN_MINUTES = [0, 1, 2, 3, 5, 10, 15];

export function calls(state: State, actions: Actions): TemplateResult {
  const open = openCalls(state);
  const closed = state.hall?.calls.filter((call) => call.state === "closed") ?? [];
  return html`<h2>${words.tabs.calls}</h2>
    ${open.length === 0 ? html`<p class="hint">${words.calls.none}</p>` : nothing}
    ${open.map((call) => callCard(state, call, actions))}
    ${closed.length === 0 ? nothing : html`<details class="closed"><summary>${words.calls.closedTitle} ${closed.length}</summary>
      <ul class="entries">${[...closed].reverse().map((call) => html`<li>${closedCall(state, call)}</li>`)}</ul></details>`}`;
}

/** Calls by how long they wait, each with players, clocks, a small picture and the question. */
export function queue(state: State, actions: Actions): TemplateResult {
  const open = openCalls(state);
  return html`<section class="queue" aria-live="polite"><h2>${words.queueTitle} ${open.length > 0 ? html`<b class="count">${open.length}</b>` : nothing}</h2>
    ${open.length === 0 ? html`<p class="hint">${words.calls.none}</p>` : nothing}
    <ol>${open.map((call) => html`<li>${queued(state, call, actions)}</li>`)}</ol></section>`;
}

function queued(state: State, call: Call, actions: Actions): TemplateResult {
  const table = state.hall?.tables.find(({ number }) => number === call.table);
  const drawn = state.sheets.get(call.table)?.table;
  return html`<button class="queued ${call.judge === null ? "called" : ""}" data-call=${call.id} aria-pressed=${state.open === call.table} @click=${() => actions.openTable(call.table)}>
    ${drawn ? thumbnail(drawn, []) : nothing}
    <span class="asks"><b class="at">${call.table}</b> ${call.verdict ?? words.calls.noVerdict}</span>
    <span class="waits">${words.calls.waits(span(state.now_s - call.called_s))}${call.judge ? html` · ${words.calls.takenBy(call.judge)}` : nothing}</span>
    ${table ? html`<span class="both">${SEATS.map((seat) => {
      const left_s = secondsLeft(table, seat, state.now_s);
      const isRunning = table.clocks?.players.some(({ player, runs }) => player === seat && runs);
      return html`<span class=${isRunning ? "runs" : ""}>${nameAt(table, seat) ?? words.players[seat]} ${left_s === null ? nothing : html`<b>${span(left_s)}</b>`}</span>`;
    })}</span>` : nothing}</button>`;
}

/** What was called and ruled at all tables, the newest first; no clock. */
export function recentInHall(state: State, actions: Actions): TemplateResult {
  const called = (state.hall?.calls ?? []).map((call) => ({ at_s: call.called_s, table: call.table, kind: "ask", says: `${callerOf(state, call)}: ${call.verdict ?? words.calls.noVerdict}` }));
  const answered = (state.hall?.calls ?? []).flatMap((call) => call.rulings.map(({ at_s, by, said }) => ({ at_s, table: call.table, kind: "ruling", says: words.calls.ruledBy(by, said) })));
  const ruled = (state.hall?.tables ?? []).flatMap((table) => table.rulings.map(({ at_s, said, about }) => ({ at_s, table: table.number, kind: "ruling", says: `${said}: ${about}` })));
  const recent = [...called, ...answered, ...ruled].sort((one, other) => other.at_s - one.at_s).slice(0, RECENT);
  return html`<section class="recent"><h2>${words.recentTitle}</h2>
    <ol>${recent.map(({ at_s, table, kind, says }) => html`<li><button class="happened ${kind}" @click=${() => actions.openTable(table)}><time>${minuteTime(at_s)}</time><span><b class="at">${table}</b> ${says}</span></button></li>`)}</ol></section>`;
}

export function callCard(state: State, call: Call, actions: Actions): TemplateResult {
  const isMine = call.judge !== null && call.judge === state.me?.name;
  return html`<article class="card call ${call.state}" data-call=${call.id}>
    <header><button class="link" @click=${() => actions.openTable(call.table)}>${words.calls.by(callerOf(state, call), call.table)}</button>
      <span class="wait">${words.calls.waits(span(state.now_s - call.called_s))}</span></header>
    <p class="state-line"><b>${words.calls.states[call.state]}</b>${call.judge ? ` · ${words.calls.takenBy(call.judge)}` : ""}</p>
    <p>${call.verdict ? html`${words.calls.about}: <b>${call.verdict}</b>` : html`<small>${words.calls.noVerdict}</small>`}</p>
    ${call.rulings.map((ruling) => html`<p class="ruled"><b>${words.calls.ruledBy(ruling.by, ruling.said)}</b> <small>${clockTime(ruling.at_s)}${ruling.reason ? ` · ${ruling.reason}` : ""}</small></p>`)}
    ${call.appeal ? html`<p class="ruled appeal"><b>${words.calls.states["appealed"]}</b>: ${call.appeal}</p>` : nothing}
    ${state.writing?.call === call.id ? form(state, call, state.writing.what, actions) : deeds(call, isMine, actions)}
  </article>`;
}

function deeds(call: Call, isMine: boolean, actions: Actions): TemplateResult {
  const write = (what: "ruling" | "appeal" | "closing") => () => actions.write({ call: call.id, what });
  return html`<div class="deeds">
    ${call.judge === null ? html`<button class="main" @click=${() => actions.takeCall(call.id)}>${words.calls.take}</button>` : nothing}
    ${isMine ? html`<button class="main" @click=${write("ruling")}>${call.rulings.length > 0 ? words.calls.ruleAgain : words.calls.rule}</button>` : nothing}
    ${call.state === "ruled" && call.appeal === null ? html`<button class="quiet" @click=${write("appeal")}>${words.calls.appeal}</button>` : nothing}
    ${call.judge === null ? nothing : html`<button class="quiet" @click=${write("closing")}>${words.calls.close}</button>`}
  </div>`;
}

function form(state: State, call: Call, what: "ruling" | "appeal" | "closing", actions: Actions): TemplateResult {
  if (what === "closing") return closingForm(state, call, actions);
  const send = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const [said, reason] = [String(fields.get("said") ?? ""), String(fields.get("reason") ?? "")];
    void (what === "ruling" ? actions.rule(call.id, said, reason) : actions.appeal(call.id, reason));
  };
  return html`<form class="writing" @submit=${send}>
    ${what === "ruling" ? html`<label>${words.calls.said}<input name="said" maxlength="120" required list="sayings" autocomplete="off" /></label>
      <datalist id="sayings">${Object.values(words.calls.saidExamples).map((one) => html`<option value=${one}></option>`)}</datalist>
      <div class="options">${Object.values(words.calls.saidExamples).map((one) => html`<button type="button" @click=${fill("said", one)}>${one}</button>`)}</div>` : nothing}
    <label>${what === "ruling" ? words.calls.reason : words.calls.appealWhy}<input name="reason" maxlength="400" ?required=${what === "appeal"} autocomplete="off" /></label>
    <div class="deeds"><button class="main">${what === "ruling" ? words.calls.write : words.calls.sendAppeal}</button>
      <button type="button" class="quiet" @click=${() => actions.write(null)}>${words.calls.cancel}</button></div>
  </form>`;
}

/** The time that the call took is proposed; the judge gives what is right. */
function closingForm(state: State, call: Call, actions: Actions): TemplateResult {
  const lost_s = state.now_s - call.called_s;
  const proposed = Math.min(60, Math.ceil(lost_s / 60));
  const choices = [...new Set([proposed, ...GIVEN_MINUTES])].sort((a, b) => a - b);
  return html`<div class="writing"><p>${words.calls.proposed(span(lost_s))}</p>
    <fieldset class="choice"><legend>${words.calls.extension}</legend><div class="options">
      ${choices.map((minutes) => html`<button type="button" class=${minutes === proposed ? "proposed" : ""} data-minutes=${minutes}
        @click=${() => actions.closeCall(call.id, minutes)}>${minutes}<span class="aloud"> ${words.calls.closeNow}</span></button>`)}
    </div></fieldset>
    <button type="button" class="quiet" @click=${() => actions.write(null)}>${words.calls.cancel}</button></div>`;
}

function closedCall(state: State, call: Call): TemplateResult {
  const last = call.rulings.at(-1);
  return html`<b>${words.calls.by(callerOf(state, call), call.table)}</b>
    ${last ? words.calls.ruledBy(last.by, last.said) : ""}
    <small>${clockTime(call.called_s)}${call.given_s > 0 ? ` · ${words.calls.gave(Math.round(call.given_s / 60))}` : ""}</small>`;
}

function callerOf({ hall }: State, call: Call): string {
  return nameAt(hall?.tables.find((table) => table.number === call.table), call.by) ?? words.players[call.by] ?? call.by;
}

function fill(name: string, text: string): (event: Event) => void {
  return (event) => {
    const field = (event.target as HTMLElement).closest("form")?.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = text;
  };
}
