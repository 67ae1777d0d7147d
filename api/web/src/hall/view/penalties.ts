/** Penalties: from the organiser's list, with what a player had before. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { fieldOf } from "../../shared/form-fields";
import { clockTime } from "../../shared/format";
import type { Penalty } from "../../shared/types.gen";
import type { Actions } from "../actions";
import type { State } from "../state";
import { words } from "../strings";

export function penalties(state: State, actions: Actions): TemplateResult {
  const given = state.hall?.penalties ?? [];
  return html`<h2>${words.tabs.penalties}</h2>
    ${giveForm(state, actions)}
    ${given.length === 0 ? html`<p class="hint">${words.penalties.none}</p>` : nothing}
    <ul class="entries card-list">${[...given].reverse().map((one) => html`<li>${entry(one, state, actions)}</li>`)}</ul>`;
}

/** What these players have been given. */
export function penaltyList(state: State, players: readonly string[], actions: Actions): TemplateResult {
  const given = (state.hall?.penalties ?? []).filter((one) => players.includes(one.player));
  return html`<section class="card"><h3>${words.tabs.penalties}</h3>
    ${given.length === 0 ? html`<p class="hint">${words.penalties.none}</p>` : nothing}
    <ul class="entries">${given.map((one) => html`<li>${entry(one, state, actions)}</li>`)}</ul></section>`;
}

/** The next step of the ladder is chosen already; the judge may choose another. */
function giveForm({ hall, penalized }: State, actions: Actions): TemplateResult {
  const newest = hall?.rounds.filter((view) => view.round.state !== "ready").at(-1) ?? hall?.rounds.at(-1);
  const players = (newest?.pairings ?? []).flatMap((one) => [one.a, one.b].flatMap((each) => (each ? [{ name: each.name, table: one.table }] : [])));
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const player = String(fields.get("player"));
    const table = players.find((one) => one.name === player)?.table ?? null;
    const penalty = { player, table, penalty: String(fields.get("penalty")), note: String(fields.get("note") ?? "") };
    if (!(await actions.givePenalty(penalty))) return;
    form.reset();
    actions.choosePenalized("");
  };
  const ladder = hall?.settings.penalties ?? [];
  const next = hall?.next_penalties[penalized.trim()];
  const proposed = next ?? ladder[0];
  return html`<form class="card" @submit=${send}><h3>${words.penalties.give}</h3>
    <label>${words.penalties.player}<input name="player" list="players" maxlength="80" required autocomplete="off" @input=${(event: InputEvent) => actions.choosePenalized((event.target as HTMLInputElement).value)} /></label>
    <datalist id="players">${players.map(({ name }) => html`<option value=${name}>${before(hall?.penalties ?? [], name)}</option>`)}</datalist>
    <label>${words.penalties.which}${keyed(proposed, html`<select name="penalty">${ladder.map((one) => html`<option ?selected=${one === proposed}>${one}</option>`)}</select>`)}</label>
    ${next === undefined ? nothing : html`<p class="hint">${words.penalties.next(before(hall?.penalties ?? [], penalized.trim()), next)}</p>`}
    <label>${words.penalties.note}<input name="note" maxlength="400" autocomplete="off" /></label>
    <button class="main">${words.penalties.go}</button></form>`;
}

function before(given: readonly Penalty[], player: string): string {
  const count = given.filter((one) => one.player === player && one.withdrawn === null).length;
  return count === 0 ? "" : words.penalties.history(count);
}

function entry(one: Penalty, { hall }: State, actions: Actions): TemplateResult {
  const earlier = (hall?.penalties ?? []).filter((each) => each.player === one.player && each.id < one.id && each.withdrawn === null).length;
  const facts = [clockTime(one.at_s), one.round === null ? "" : words.round(one.round), one.table === null ? "" : words.table(one.table), words.penalties.by(one.by), earlier > 0 ? words.penalties.history(earlier) : "", one.note];
  const send = (event: SubmitEvent) => void actions.withdrawPenalty(one.id, fieldOf(event, "reason"));
  return html`<p class=${one.withdrawn === null ? "" : "gone"}><b>${one.player}: ${one.penalty}</b> <small>${facts.filter(Boolean).join(" · ")}</small></p>
    ${one.withdrawn === null
      ? html`<details><summary>${words.penalties.withdraw}<span class="aloud"> ${one.player}: ${one.penalty}</span></summary><form class="why" @submit=${send}>
          <label>${words.penalties.why}<input name="reason" maxlength="400" required autocomplete="off" /></label><button class="quiet">${words.penalties.withdraw}</button></form></details>`
      : html`<small class="gone-why">${words.withdrawn}: ${one.withdrawn}</small>`}`;
}
