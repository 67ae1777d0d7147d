/** The hall at this table: who plays in the round, a judge to call, and how the game ended. */

import { html, nothing, type TemplateResult } from "lit";
import { fieldsOf } from "../../shared/form-fields";
import { SAY } from "../../shared/strings";
import type { GameResult, Match } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { disputed } from "../hall-actions";
import type { State } from "../state";
import { icon } from "./icons";

const PLAYERS = ["player-a", "player-b"] as const;

export function hallPanel(state: State, actions: Actions): TemplateResult {
  return html`<section class="sheet hall" aria-label=${SAY.tool.hall}><div class="lines" tabindex="-1">
    ${state.match ? html`<h2>${SAY.hall.round(state.match.round)}</h2><p>${SAY.hall.pair(nameOf(state.match, "player-a"), nameOf(state.match, "player-b"))}</p>${timeLeft(state.match)}` : html`<h2>${SAY.hall.title}</h2>`}
    ${callPart(state, actions)}
    ${state.match ? resultPart(state, state.match, actions) : nothing}
  </div></section>`;
}

/** How long the round still lasts, as the hall said. */
function timeLeft({ left_s }: Match): TemplateResult | typeof nothing {
  if (left_s === null) return nothing;
  return html`<p class="soft" role="timer">${left_s > 0 ? SAY.hall.timeLeft(Math.ceil(left_s / 60)) : SAY.hall.timeOver}</p>`;
}

function callPart(state: State, actions: Actions): TemplateResult {
  const { call } = state;
  const mayCall = state.rights.includes("correct");
  if (!call?.is_open) {
    const verdict = disputed(state);
    return html`${call?.says ? html`<p class="hall-says">${call.says}</p>` : nothing}
      ${verdict ? html`<p class="soft">${SAY.hall.inDispute(verdict)}</p>` : nothing}
      ${mayCall ? html`<button class="mend strong" @click=${() => actions.hall.callJudge()}>${icon("bell")} ${SAY.hall.call}</button>` : nothing}`;
  }
  return html`<p class="hall-says" role="status"><b>${SAY.hall.called}</b> ${call.says ?? SAY.hall.waits}</p>
    ${mayCall ? html`<button class="mend" @click=${() => actions.hall.withdraw()}>${SAY.hall.settled}</button>` : nothing}`;
}

function resultPart(state: State, match: Match, actions: Actions): TemplateResult {
  const told = PLAYERS.flatMap((player) => (match.told[player] ? [{ player, result: match.told[player] }] : []));
  const isPlayer = state.seat === "player-a" || state.seat === "player-b";
  return html`<h3>${SAY.hall.result}</h3>
    ${match.agreed ? html`<p class="hall-says"><b>${SAY.hall.agreed(resultText(match, match.agreed))}</b></p>` : told.map(
      ({ player, result }) => html`<p class="hall-says">${SAY.hall.says(nameOf(match, player), resultText(match, result))}</p>`)}
    ${isPlayer && !match.agreed ? resultForm(match, told[0]?.result ?? null, actions) : nothing}`;
}

function resultForm(match: Match, told: GameResult | null, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const winner = String(fields.get("winner")) as GameResult["winner"];
    void actions.hall.tellResult({ winner, points_a: Number(fields.get("a")), points_b: Number(fields.get("b")) });
  };
  const choices = [...PLAYERS.map((player) => [player, SAY.hall.won(nameOf(match, player))] as const), ["draw", SAY.hall.draw] as const];
  return html`<form class="result" @submit=${send}>
    <fieldset><legend>${SAY.hall.winner}</legend>${choices.map(([value, says]) => html`<label class="pick"><input type="radio" name="winner" value=${value} required ?checked=${told?.winner === value} /> ${says}</label>`)}</fieldset>
    ${PLAYERS.map((player) => html`<label>${SAY.hall.points(nameOf(match, player))}<input name=${player === "player-a" ? "a" : "b"} type="number" inputmode="decimal" min="0" max="10000" step="any" required
      .value=${String((player === "player-a" ? told?.points_a : told?.points_b) ?? 0)} /></label>`)}
    <button class="mend strong">${told ? SAY.hall.agree : SAY.hall.tell}</button></form>`;
}

function resultText(match: Match, { winner, points_a, points_b }: GameResult): string {
  return `${winner === "draw" ? SAY.hall.draw : SAY.hall.won(nameOf(match, winner))}, ${points_a}:${points_b}`;
}

function nameOf(match: Match, player: "player-a" | "player-b"): string {
  return match.players[player] ?? SAY.seat[player];
}
