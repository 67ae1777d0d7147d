/** Players: who is here, who enters late or drops, check-in by scanning, the next pairing, and the standings. */

import { html, nothing, type TemplateResult } from "lit";
import type { HallView, Standing, SwissPlayer } from "../../shared/types.gen";
import type { Actions } from "../actions";
import type { State } from "../state";
import { words } from "../strings";

const CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"; // none is read as another
const CODE_LENGTH = 6;

export function players(state: State, actions: Actions): TemplateResult | typeof nothing {
  const { hall } = state;
  if (!hall) return nothing;
  const isOrganiser = state.me?.seat === "organiser";
  const here = hall.players.filter((player) => player.is_here).length;
  return html`${isOrganiser && hall.players.length > 1 ? pairing(hall, actions) : nothing}
    <details class="card players-card"><summary><h3>${words.swiss.players(hall.players.length, here)}</h3></summary>
      ${isOrganiser ? checkInPart(hall, actions) : nothing}
      <ul class="entries">${hall.players.map((player) => playerRow(player, isOrganiser, actions))}</ul>
      ${isOrganiser ? enterForm(actions) : nothing}</details>
    ${hall.standings.length === 0 ? nothing : html`<details class="card standings-card"><summary><h3>${words.swiss.standings}</h3></summary>${standingsTable(hall.standings)}</details>`}`;
}

function pairing({ rounds }: HallView, actions: Actions): TemplateResult {
  const begun = Math.max(0, ...rounds.filter(({ round }) => round.state !== "ready").map(({ round }) => round.number));
  const isPaired = rounds.some(({ round }) => round.number === begun + 1);
  return html`<div class="deeds next"><button class="quiet" @click=${() => void actions.pairRound(begun + 1)}>
    ${isPaired ? words.swiss.pairAgain(begun + 1) : words.swiss.pair(begun + 1)}</button></div>`;
}

function playerRow({ name, team, is_here, dropped }: SwissPlayer, isOrganiser: boolean, actions: Actions): TemplateResult {
  return html`<li class="player"><span>${name}${team ? html` <small>${team}</small>` : nothing}${dropped === null ? nothing : html` <small>${words.swiss.dropped}</small>`}</span>
    <span class="deeds"><button class="quiet" aria-pressed=${is_here} aria-label=${words.swiss.here(name)} @click=${() => void actions.checkIn(name, !is_here)}>${words.swiss.isHere}</button>
    ${isOrganiser ? html`<button class="quiet" aria-label="${name}: ${dropped === null ? words.swiss.drop : words.swiss.back}"
      @click=${() => void actions.drop(name, dropped !== null)}>${dropped === null ? words.swiss.drop : words.swiss.back}</button>` : nothing}</span></li>`;
}

function checkInPart({ settings }: HallView, actions: Actions): TemplateResult {
  if (settings.check_in === null) {
    return html`<div class="deeds"><button class="quiet" @click=${() => void actions.saveSettings({ check_in: newCode() })}>${words.swiss.open}</button></div>`;
  }
  const address = `${location.origin}/hall/clock?check-in=${settings.check_in}`;
  return html`<p class="hint">${words.swiss.scan(address)}</p>
    <img class="code" src="api/v1/qr.svg?${new URLSearchParams({ says: address }).toString()}" alt=${address} width="200" height="200" />
    <div class="deeds"><button class="quiet" @click=${() => void actions.saveSettings({ check_in: null })}>${words.swiss.close}</button></div>`;
}

function newCode(): string {
  const dice = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
  return [...dice].map((number) => CODE_LETTERS[number % CODE_LETTERS.length]).join("");
}

function enterForm(actions: Actions): TemplateResult {
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    if (await actions.enterPlayers(String(new FormData(form).get("names") ?? ""))) form.reset();
  };
  return html`<form @submit=${send}><label>${words.swiss.enterSays}<textarea name="names" rows="3" required></textarea></label>
    <button class="main">${words.swiss.enter}</button></form>`;
}

/** The standings, level players at the same place. */
export function standingsTable(standings: readonly Standing[]): TemplateResult {
  return html`<table class="standings"><thead><tr><th>${words.swiss.place}</th><th>${words.penalties.player}</th><th>${words.swiss.points}</th>
      <th>${words.swiss.strength}</th><th>${words.swiss.record}</th></tr></thead>
    <tbody>${standings.map((one) => html`<tr class=${one.has_dropped ? "dropped" : ""}><td>${one.place}</td><td>${one.name}</td><td>${one.points}</td>
      <td>${one.strength.toFixed(3)}</td><td>${one.wins}–${one.draws}–${one.losses}${one.byes > 0 ? `–${one.byes}` : ""}</td></tr>`)}</tbody></table>`;
}
