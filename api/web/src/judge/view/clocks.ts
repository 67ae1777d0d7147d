/** The death clocks: one line on top of every part, and a part of their own. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { may, type State } from "../state";
import type { ClocksTold, ClockTold } from "../types.gen";
import { words } from "../words";
import { choice, options } from "./choice";
import { tabIcon } from "./icons";
import { clockTime, span } from "./time";

const MINUTES = [42, 50, 60, 75, 90];
const GIVEN_MINUTES = [1, 2, 3, 5, 10];
const LOW_S = 300;

/** What the clocks do, and the one thing a judge does to them in passing. */
export function clockLine(state: State, actions: Actions): TemplateResult | typeof nothing {
  const told = state.bench?.clocks;
  if (!told) return nothing;
  const { stop } = told;
  const done = stop && stop.why !== "set" ? words.stopped(stop.why, span(state.now_s - stop.since_s)) : null;
  return html`<div class="clock-line ${done ? "stopped" : ""}">
    <p>${done ?? told.players.map((one) => html`<span class=${one.runs ? "runs" : ""}>${one.player === "player-a" ? "A" : "B"} ${span(left(one, state))}</span>`)}</p>
    ${!may(state, "rule") || stop?.why === "set" ? nothing : done
      ? html`<button class="mend" @click=${() => actions.startClocks()}>${tabIcon("play")}${words.startAgain}</button>`
      : html`<button class="mend" @click=${() => actions.stopClocks()}>${tabIcon("stop")}<span>${words.stopForRuling}</span></button>`}
  </div>`;
}

export function clocks(state: State, actions: Actions): TemplateResult {
  const told = state.bench?.clocks ?? null;
  return html`<h2>${words.clocks.title}</h2>
    ${told === null ? none(state, actions) : html`
      <div class="faces">${told.players.map((one) => face(one, told, state, actions))}</div>
      ${told.stop?.why === "set" ? html`<p class="hint">${words.clocks.tapToBegin}</p>` : nothing}
      ${told.ruled_s >= 1 ? html`<p class="hint">${words.clocks.ruledFor(span(told.ruled_s))}</p>` : nothing}
      ${may(state, "rule") ? give(state, actions) : nothing}
      ${given(told)}
      ${may(state, "rule") ? html`<button class="quiet" @click=${() => actions.putClocksAway()}>${words.clocks.away}</button>` : nothing}`}`;
}

function none(state: State, actions: Actions): TemplateResult {
  return html`<p class="hint">${words.clocks.none}</p>
    ${may(state, "rule") ? html`<div class="options wide">${MINUTES.map(
      (minutes) => html`<button @click=${() => actions.setClocks(minutes)}>${minutes}<span class="aloud">${words.clocks.set}</span></button>`,
    )}</div>` : nothing}`;
}

function face(one: ClockTold, told: ClocksTold, state: State, actions: Actions): TemplateResult {
  const left_s = left(one, state);
  const name = words.seats[one.player] ?? one.player;
  const does = one.runs ? words.clocks.runs : one.is_next ? words.clocks.next : words.clocks.waits;
  const tone = left_s < 0 ? "out" : left_s < LOW_S ? "low" : "";
  // Tapping one's own clock passes it to the other, as on a chess clock.
  const to = one.runs || (told.stop !== null && one.is_next) ? other(one) : one.player;
  return html`<button class="face ${one.runs ? "runs" : ""} ${tone}" @click=${() => actions.passClock(to)}>
    <span>${name}</span><b>${span(left_s)}</b><small>${left_s < 0 ? words.clocks.out : does}</small>
    <span class="aloud">${words.clocks.pass(words.seats[to] ?? to)}</span>
  </button>`;
}

function give(state: State, actions: Actions): TemplateResult {
  const { player, minutes, note } = state.giving;
  const whom = [
    { value: null, says: words.clocks.roundWhole },
    { value: "player-a" as const, says: words.seats["player-a"]! },
    { value: "player-b" as const, says: words.seats["player-b"]! },
  ];
  return html`<section class="card"><h3>${words.clocks.extend}</h3>
    ${choice(words.clocks.who, whom, player, (value) => actions.giving({ player: value }))}
    ${choice(words.clocks.much, options(GIVEN_MINUTES), minutes, (value) => actions.giving({ minutes: value }))}
    ${choice(words.clocks.note, options(words.clocks.notes), note, (value) => actions.giving({ note: value }))}
    <label>${words.clocks.note}<input maxlength="80" .value=${note} @input=${(event: Event) => actions.giving({ note: (event.target as HTMLInputElement).value })} /></label>
    <button class="main" ?disabled=${note.trim() === ""} @click=${() => actions.give()}>${words.clocks.give} +${minutes} min</button>
  </section>`;
}

function given({ extensions }: ClocksTold): TemplateResult | typeof nothing {
  if (extensions.length === 0) return nothing;
  return html`<section class="card"><h3>${words.clocks.given}</h3>
    <ul class="given">${extensions.map(
      (one) => html`<li><b>+${Math.round(one.by_s / 60)} min</b> ${one.player === null ? words.clocks.roundWhole : words.seats[one.player]} <small>${clockTime(one.at_s)} · ${one.note}</small></li>`,
    )}</ul></section>`;
}

function other({ player }: ClockTold): "player-a" | "player-b" {
  return player === "player-a" ? "player-b" : "player-a";
}

/** What a clock shows now: it counts down from what the server told. */
function left(one: ClockTold, { bench, now_s }: State): number {
  return one.left_s - (one.runs && bench ? Math.max(0, now_s - bench.now_s) : 0);
}
