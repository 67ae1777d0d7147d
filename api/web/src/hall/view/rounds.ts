/** Rounds: pairings come in, a round begins and ends, results are confirmed and go out. */

import { html, nothing, type TemplateResult } from "lit";
import { fieldsOf } from "../../shared/form-fields";
import { span } from "../../shared/format";
import type { GameResult, Opponent, Pairing, Round, RoundView } from "../../shared/types.gen";
import type { Actions } from "../actions";
import type { State, UnmappedFile } from "../state";
import { words } from "../strings";
import { players } from "./players";

export function runningRound({ hall }: State): RoundView | null {
  return hall?.rounds.find((view) => view.round.state === "running") ?? null;
}

/** How long the round still lasts; below nothing once its time is over. */
export function remaining_s(round: Round, now_s: number): number {
  return (round.started_s ?? now_s) + (round.minutes ?? 0) * 60 - now_s;
}

export function rounds(state: State, actions: Actions): TemplateResult {
  const all = [...(state.hall?.rounds ?? [])].reverse();
  const isOrganiser = state.me?.seat === "organiser";
  return html`<h2>${words.tabs.rounds}</h2>
    ${all.length === 0 ? html`<p class="hint">${words.rounds.none}</p>` : nothing}
    ${isOrganiser ? deeds(state, actions) : nothing}
    ${players(state, actions)}
    ${all.map((view) => roundCard(view, state, actions))}
    ${isOrganiser ? importForm(state, actions) : nothing}
    <section class="card"><h3>${words.rounds.exported}</h3><div class="deeds">
      <a class="quiet" href="api/v1/hall/export.csv" download>${words.rounds.exportCsv}</a>
      <a class="quiet" href="api/v1/hall/export.json" download>${words.rounds.exportJson}</a>
      <a class="quiet" href="/hall/clock">${words.rounds.clockPage}</a></div></section>`;
}

function deeds(state: State, actions: Actions): TemplateResult {
  const running = runningRound(state)?.round;
  const ready = state.hall?.rounds.find((view) => view.round.state === "ready")?.round;
  return html`<div class="deeds next">
    ${ready && state.isBeginning ? html`<p class="hint">${words.rounds.sure(ready.number)}</p>
      <button class="main" @click=${() => actions.startNext()}>${words.rounds.beginNow}</button><button class="quiet" @click=${() => actions.askToBegin(false)}>${words.calls.cancel}</button>` : nothing}
    ${ready && !state.isBeginning ? html`<button class="main" @click=${() => actions.askToBegin(true)}>${running ? words.rounds.next : words.rounds.start(ready.number)}</button>` : nothing}
    ${running && !state.isBeginning ? html`<button class="quiet" @click=${() => actions.endRound(running.number)}>${words.rounds.end}</button>` : nothing}
  </div>`;
}

function roundCard({ round, pairings }: RoundView, state: State, actions: Actions): TemplateResult {
  const left_s = remaining_s(round, state.now_s);
  const time = round.state !== "running" ? "" : left_s < 0 ? words.rounds.over(span(-left_s)) : words.rounds.left(span(left_s));
  const done = pairings.filter((one) => one.result !== null || one.b === null).length;
  return html`<details class="card round-card" ?open=${round.state !== "over"} data-round=${round.number}>
    <summary><h3>${words.round(round.number)}</h3> <span>${words.rounds.states[round.state]} ${time}</span> <small>${done}/${pairings.length}</small></summary>
    <ul class="pairings">${pairings.map((one) => html`<li>${pairingRow(one, { round, pairings }, state, actions)}</li>`)}</ul>
  </details>`;
}

function pairingRow(one: Pairing, view: RoundView, state: State, actions: Actions): TemplateResult {
  const mayChange = state.me?.seat === "organiser" && view.round.state !== "over" && (one.result === null || one.b === null);
  const line = one.b === null ? html`<span class="at"></span><span class="names">${one.a.name}</span> <small>${words.rounds.bye}</small>` : html`<span class="at">${one.table}</span><span class="names">${one.a.name} <small>${words.rounds.versus}</small> ${one.b.name}</span>
    <span class="result">${resultText(one, state)}</span>`;
  const hasResult = one.b !== null && view.round.state !== "ready";
  if (!mayChange && !hasResult) return html`<p class="pairing-line">${line}</p>`;
  return html`<details><summary class="pairing-line">${line}</summary>${hasResult ? resultForm(one, actions) : nothing}
    ${mayChange ? changeForm(one, view, state, actions) : nothing}</details>`;
}

/** Who plays whom instead; two who lose their opponents by it play each other, one has a bye. */
function changeForm(one: Pairing, view: RoundView, { hall }: State, actions: Actions): TemplateResult {
  const known = [...view.pairings.flatMap(({ a, b }) => [a, b]).filter((player) => player !== null), ...(hall?.players ?? [])];
  const names = [...new Set(known.map((player) => player.name))].filter((name) => name !== one.a.name).sort();
  const opponentOf = (name: string): Opponent => known.find((player) => player.name === name) ?? { name, army: null, list_file: null };
  const send = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const [name, table] = [String(fields.get("opponent") ?? ""), Number(fields.get("table"))];
    const { army, list_file } = opponentOf(name);
    void actions.changePairing(view, name === "" ? { a: one.a, b: null, table: null } : { a: one.a, b: { name, army, list_file }, table });
  };
  return html`<form class="result-form change-form" @submit=${send}><p class="hint">${words.swiss.changeSays}</p>
    <label>${words.swiss.opponent}<select name="opponent"><option value="">${words.swiss.noOpponent}</option>
      ${names.map((name) => html`<option value=${name} ?selected=${name === one.b?.name}>${name}</option>`)}</select></label>
    <label>${words.swiss.tableNumber}<select name="table">${(hall?.tables ?? []).map(({ number }) => html`<option value=${number} ?selected=${number === one.table}>${number}</option>`)}</select></label>
    <button class="quiet">${words.swiss.change}</button></form>`;
}

function resultText(one: Pairing, _: State): TemplateResult | string {
  if (one.result) return html`<b>${scoreOf(one, one.result)}</b> <small>${one.confirmed_by === "both players" ? words.rounds.both : one.confirmed_by}</small>`;
  const told = Object.keys(one.told);
  if (told.length === 2) return html`<b class="apart">${words.rounds.apart}</b>`;
  if (told.length === 1) return html`<small>${words.rounds.oneSaid(told[0] === "player-a" ? one.a.name : one.b?.name ?? "")}</small>`;
  return html`<small>${words.rounds.noResult}</small>`;
}

export function scoreOf(one: Pairing, { winner, points_a, points_b }: GameResult): string {
  const points = `${points_a}:${points_b}`;
  return winner === "draw" ? `${words.rounds.draw} ${points}` : `${winner === "player-a" ? one.a.name : one.b?.name} ${points}`;
}

function resultForm(one: Pairing, actions: Actions): TemplateResult {
  const told = one.result ?? Object.values(one.told)[0];
  const send = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const winner = String(fields.get("winner")) as GameResult["winner"];
    const result = { winner, points_a: Number(fields.get("a")), points_b: Number(fields.get("b")) };
    void actions.confirmResult(one.round, one.table ?? 0, result);
  };
  const names = [["player-a", one.a.name], ["player-b", one.b?.name ?? ""], ["draw", words.rounds.draw]] as const;
  return html`<form class="result-form" @submit=${send}>
    <label>${words.rounds.winner}<select name="winner">${names.map(([value, name]) => html`<option value=${value} ?selected=${told?.winner === value}>${name}</option>`)}</select></label>
    <label>${words.rounds.points(one.a.name)}<input name="a" type="number" min="0" max="10000" step="any" required .value=${String(told?.points_a ?? 0)} /></label>
    <label>${words.rounds.points(one.b?.name ?? "")}<input name="b" type="number" min="0" max="10000" step="any" required .value=${String(told?.points_b ?? 0)} /></label>
    <button class="main">${words.rounds.save}</button>
  </form>`;
}

function importForm(state: State, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const [file, round] = [fields.get("file"), String(fields.get("round") ?? "")];
    if (file instanceof File) void actions.importFile(file, round === "" ? null : Number(round));
    form.reset();
  };
  return html`<form class="card import" @submit=${send}><h3>${words.rounds.import}</h3><p class="hint">${words.rounds.importSays}</p>
      <label>${words.rounds.file}<input name="file" type="file" accept=".csv,.json,.txt,.html,text/csv,text/plain,text/html,application/json" required /></label>
      <label>${words.rounds.number}<input name="round" type="number" min="1" max="99" /></label>
      <button class="main">${words.rounds.go}</button></form>
    ${state.unmapped ? mapForm(state.unmapped, actions) : nothing}`;
}

function mapForm({ columns, known, roles }: UnmappedFile, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const told = columns.map((name, n) => [name, String(fields.get(`c${n}`))] as const).filter(([name, role]) => role !== known[name]);
    void actions.mapColumns(Object.fromEntries(told));
  };
  return html`<form class="card map" @submit=${send}><h3>${words.rounds.map}</h3><p class="hint">${words.rounds.mapSays}</p>
    ${columns.map((name, n) => html`<label>${name}<select name="c${n}">
      ${["nothing", ...roles].map((role) => html`<option value=${role} ?selected=${role === (known[name] ?? "nothing")}>${words.rounds.roles[role] ?? role}</option>`)}</select></label>`)}
    <div class="deeds"><button class="main">${words.rounds.mapGo}</button>
      <button type="button" class="quiet" @click=${() => actions.forgetFile()}>${words.calls.cancel}</button></div></form>`;
}
