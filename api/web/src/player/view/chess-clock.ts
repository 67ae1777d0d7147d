/** Chess clock: two halves of the screen, the far one turned to who sits there; a tap on one's own ends the turn. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { mayCorrect, secondsLeft, type State } from "../state";
import { fieldsOf } from "../../shared/form-fields";
import type { ClocksView, ClockView } from "../../shared/types.gen";
import { icon } from "./icons";
import { SAY } from "../../shared/strings";
import { span } from "../../shared/format";
import "../chess-clock.css";

const LOW_S = 300;
const USUAL_MINUTES = 60;
const PLAYERS = ["player-a", "player-b"] as const;

export function chessClock(state: State, actions: Actions): TemplateResult {
  const both = state.clocks?.both ?? null;
  const mine = state.seat === "player-b" ? "player-b" : "player-a";
  const [near, far] = both === null ? [] : [...both.players].sort((one) => (one.player === mine ? -1 : 1));
  return html`<section class="chess-clock" role="dialog" aria-modal="true" aria-label=${SAY.clock}>
    ${both && far ? half(far, both, state, actions, "far") : nothing}
    <div class="between">${both ? middle(both) : nothing}
      ${mayCorrect(state) && (both === null || both.stop?.why === "set") ? settings(both, actions) : nothing}
      ${mayCorrect(state) ? html`<details class="score-said" ?open=${both === null}><summary>${scoreText(state)}</summary>${scoreForm(state, actions)}</details>` : nothing}
      <button class="round" @click=${() => actions.clock.close()} aria-label=${SAY.close}>${icon("clear")}</button></div>
    ${both && near ? half(near, both, state, actions, "near") : nothing}
  </section>`;
}

function half(one: ClockView, both: ClocksView, state: State, actions: Actions, place: "near" | "far"): TemplateResult {
  const left_s = secondsLeft(one, state);
  const name = SAY.seat[one.player];
  const isBeginning = both.stop?.why === "set";
  const tone = one.has_run_out || left_s <= 0 ? "out" : left_s < LOW_S ? "low" : "";
  const says = tone === "out" ? SAY.clockOut : one.runs ? SAY.clockRuns : isBeginning ? SAY.clockBegin : "";
  return html`<button class="half ${place} ${one.runs ? "runs" : ""} ${tone}" ?disabled=${!mayCorrect(state) || !(one.runs || isBeginning)}
    @click=${() => actions.clock.pass(isBeginning ? one.player : otherOf(one))}>
    <span>${name}</span><b>${span(left_s)}</b><small>${says}</small></button>`;
}

function middle({ stop, increment_s }: ClocksView): TemplateResult {
  const why = stop === null || stop.why === "set" ? "" : SAY.clockStopped(stop.why);
  return html`<p role="status">${why || (increment_s !== null ? SAY.clockGain(increment_s) : "")}</p>`;
}

/** Any length and any gain; the game has not begun. */
function settings(both: ClocksView | null, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    void actions.clock.set(Number(fields.get("minutes")), Number(fields.get("gain")));
  };
  return html`<form class="clock-set" @submit=${send}>
    <label>${SAY.clockMinutes}<input name="minutes" type="number" inputmode="decimal" min="0.5" max="1440" step="0.5" required .value=${String(both === null ? USUAL_MINUTES : both.total_s / 60)} /></label>
    <label>${SAY.clockGainEach}<input name="gain" type="number" inputmode="numeric" min="0" max="600" step="1" required .value=${String(both?.increment_s ?? 0)} /></label>
    <button class="mend strong">${SAY.clockSet}</button></form>`;
}

function otherOf({ player }: ClockView): string {
  return player === "player-a" ? "player-b" : "player-a";
}

function scoreText({ scoreboard: { score } }: State): string {
  return score === null ? SAY.score : `${SAY.score}: ${PLAYERS.map((player) => score.points[player] ?? 0).join("–")}`;
}

/** Score: the round of the game and the points of each, said by whoever sits at the table. */
function scoreForm(state: State, actions: Actions): TemplateResult {
  const known = state.scoreboard.score;
  const send = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const points = Object.fromEntries(PLAYERS.map((player) => [player, Number(fields.get(player))]));
    void actions.corrections.put("scoreboard/score", { round: Number(fields.get("round")), points, seen: known?.n ?? 0 });
  };
  return html`<form class="form score" @submit=${send}>
    ${number(SAY.roundOfGame, "round", known?.round ?? 1, 1, 99)}
    ${PLAYERS.map((player) => number(SAY.seat[player], player, known?.points[player] ?? 0, 0, 10000))}
    <button class="mend">${SAY.saveScore}</button></form>
    ${known ? html`<p class="soft">${SAY.saidBy(SAY.seat[known.by])}</p>` : ""}`;
}

function number(says: string, name: string, value: number, least: number, most: number): TemplateResult {
  return html`<label>${says}<input type="number" inputmode="numeric" name=${name} min=${least} max=${most} step="1" required .defaultValue=${String(value)} /></label>`;
}
