/** Death clocks: one line on top of every part, and a part of their own. */

import { html, nothing, type TemplateResult } from "lit";
import { sideChip } from "../../player/view/picker";
import { fieldsOf } from "../../shared/form-fields";
import { clockTime, span } from "../../shared/format";
import type { ClocksView, ClockView } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { hasRight, type State } from "../state";
import { SAY } from "../../shared/strings";
import { words } from "../strings";
import { tabIcon } from "./icons";
import { choice, options } from "./segmented-control";

const MINUTES = [42, 50, 60, 75, 90];
const GIVEN_MINUTES = [1, 2, 3, 5, 10];
const LOW_S = 300;
const MOST_POINTS = 10_000;

/** What the clocks do, and the one thing a judge does to them in passing. */
export function clockLine(state: State, actions: Actions): TemplateResult | typeof nothing {
  const both = state.bench?.clocks;
  if (!both) return nothing;
  const { stop } = both;
  const done = stop && stop.why !== "set" ? words.stopped(stop.why, span(state.now_s - stop.since_s)) : null;
  return html`<div class="clock-line ${done ? "stopped" : ""}">
    <p>${done ?? both.players.map((one) => html`<span class=${one.runs ? "runs" : ""}>${sideChip({ side: state.bench?.scoreboard.players[one.player]?.side ?? null }, state)}${state.bench?.scoreboard.players[one.player]?.name ?? (one.player === "player-a" ? "A" : "B")} ${span(secondsLeft(one, state))}</span>`)}</p>
    ${!hasRight(state, "rule") || stop?.why === "set" ? nothing : done
      ? html`<button class="mend" @click=${() => actions.startClocks()}>${tabIcon("play")}${words.startAgain}</button>`
      : html`<button class="mend" @click=${() => actions.stopClocks()}>${tabIcon("stop")}<span>${words.stopForRuling}</span></button>`}
  </div>`;
}

export function clocks(state: State, actions: Actions): TemplateResult {
  const both = state.bench?.clocks ?? null;
  return html`<h2>${words.clocks.title}</h2>
    ${both === null ? clockChoice(state, actions) : html`
      <div class="faces">${both.players.map((one) => face(one, both, state, actions))}</div>
      ${both.stop?.why === "set" ? html`<p class="hint">${words.clocks.tapToBegin}</p>` : nothing}
      ${outageCard(both, state, actions)}
      ${both.ruled_s >= 1 ? html`<p class="hint">${words.clocks.ruledFor(span(both.ruled_s))}</p>` : nothing}
      ${hasRight(state, "rule") ? extensionForm(state, actions) : nothing}
      ${extensionList(both)}
      ${hasRight(state, "rule") ? html`<button class="quiet" @click=${() => actions.putClocksAway()}>${words.clocks.away}</button>` : nothing}`}
    ${scoreForm(state, actions)}`;
}

/** What ran while the server was away, and one tap to give it back. */
function outageCard({ outage }: ClocksView, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (outage === null || outage.by_s < 1) return nothing;
  return html`<section class="card"><p>${words.clocks.outage(words.seats[outage.player], span(outage.by_s))}</p>
    ${hasRight(state, "rule") ? html`<button class="main" @click=${() => actions.giveBackOutage()}>${words.clocks.giveBack}</button>` : nothing}
  </section>`;
}

function clockChoice(state: State, actions: Actions): TemplateResult {
  return html`<p class="hint">${words.clocks.none}</p>
    ${hasRight(state, "rule") ? html`<div class="options wide">${MINUTES.map(
      (minutes) => html`<button @click=${() => actions.setClocks(minutes)}>${minutes}<span class="aloud">${words.clocks.set}</span></button>`,
    )}</div>${freeChoice(actions)}` : nothing}`;
}

/** Any length, and what each turn gains. */
function freeChoice(actions: Actions): TemplateResult {
  const set = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    void actions.setClocks(Number(fields.get("minutes")), Number(fields.get("gain")));
  };
  return html`<form class="card" @submit=${set}>
    <label>${SAY.clockMinutes}<input name="minutes" type="number" inputmode="decimal" min="0.5" max="1440" step="0.5" required /></label>
    <label>${words.clocks.gain}<input name="gain" type="number" inputmode="numeric" min="0" max="600" step="1" value="0" required /></label>
    <button class="main">${words.clocks.setThese}</button></form>`;
}

function face(one: ClockView, both: ClocksView, state: State, actions: Actions): TemplateResult {
  const left_s = secondsLeft(one, state);
  const name = words.seats[one.player] ?? one.player;
  const does = one.runs ? words.clocks.runs : one.is_next ? words.clocks.next : words.clocks.waits;
  const tone = left_s < 0 ? "out" : left_s < LOW_S ? "low" : "";
  // Tapping one's own clock passes it to the other, as on a chess clock.
  const to = one.runs || (both.stop !== null && one.is_next) ? other(one) : one.player;
  return html`<button class="face ${one.runs ? "runs" : ""} ${tone}" @click=${() => actions.passClock(to)}>
    <span>${name}</span><b>${span(left_s)}</b><small>${left_s < 0 ? words.clocks.out : does}</small>
    <span class="aloud">${words.clocks.pass(words.seats[to] ?? to)}</span>
  </button>`;
}

function extensionForm(state: State, actions: Actions): TemplateResult {
  const { player, minutes, note } = state.givenTime;
  const whom = [
    { value: null, says: words.clocks.roundWhole },
    { value: "player-a" as const, says: words.seats["player-a"] },
    { value: "player-b" as const, says: words.seats["player-b"] },
  ];
  return html`<section class="card"><h3>${words.clocks.extend}</h3>
    ${choice(words.clocks.who, whom, player, (value) => actions.changeGivenTime({ player: value }))}
    ${choice(words.clocks.much, options(GIVEN_MINUTES), minutes, (value) => actions.changeGivenTime({ minutes: value }))}
    ${choice(words.clocks.note, options(words.clocks.notes), note, (value) => actions.changeGivenTime({ note: value }))}
    <label>${words.clocks.note}<input maxlength="80" .value=${note} @input=${(event: Event) => actions.changeGivenTime({ note: (event.target as HTMLInputElement).value })} /></label>
    <button class="main" ?disabled=${note.trim() === ""} @click=${() => actions.giveTime()}>${words.clocks.give} +${minutes} min</button>
  </section>`;
}

function extensionList({ extensions }: ClocksView): TemplateResult | typeof nothing {
  if (extensions.length === 0) return nothing;
  return html`<section class="card"><h3>${words.clocks.given}</h3>
    <ul class="given">${extensions.map(
      (one) => html`<li><b>+${Math.round(one.by_s / 60)} min</b> ${one.player === null ? words.clocks.roundWhole : words.seats[one.player]} <small>${clockTime(one.at_s)} · ${one.note}</small></li>`,
    )}</ul></section>`;
}

function other({ player }: ClockView): "player-a" | "player-b" {
  return player === "player-a" ? "player-b" : "player-a";
}

/** What a clock shows now: it counts down from what the server told. */
export function secondsLeft(one: ClockView, { bench, now_s }: State): number {
  return one.left_s - (one.runs && bench ? Math.max(0, now_s - bench.now_s) : 0);
}

/** A field that is in use keeps what was typed, whatever the players say meanwhile, until the score is set. */
export function scoreForm(state: State, actions: Actions): TemplateResult | typeof nothing {
  const board = state.bench?.scoreboard;
  if (!board || !hasRight(state, "rule")) return nothing;
  const set = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const points = { "player-a": Number(fields.get("player-a")), "player-b": Number(fields.get("player-b")) };
    await actions.setScore(Number(fields.get("round")), points, board.score?.n ?? 0);
    form.reset();
  };
  const points = (player: "player-a" | "player-b") =>
    field(SAY.hall.points(board.players[player]?.name ?? words.seats[player]), player, board.score?.points[player] ?? 0, 0, MOST_POINTS);
  return html`<form class="card score" @submit=${set}><h3>${SAY.score}</h3>
    ${field(SAY.roundOfGame, "round", board.score?.round ?? 1, 1, 99)} ${points("player-a")} ${points("player-b")}
    <button class="main">${words.score.set}</button></form>`;
}

function field(says: string, name: string, value: number, least: number, most: number): TemplateResult {
  return html`<label>${says}<input name=${name} type="number" inputmode="decimal" min=${least} max=${most} step="1" .defaultValue=${String(value)} required /></label>`;
}
