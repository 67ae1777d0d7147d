/** Clock strip: both clocks in the header; a tap opens them. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { secondsLeft, type State } from "../state";
import { SAY } from "../../shared/strings";
import { span } from "../../shared/time-format";

export function clockStrip(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.clocks === null || state.at !== null) return nothing;
  return html`<button class="clock-strip" @click=${() => actions.clock.open()}><span class="aloud">${SAY.clock}</span>${state.clocks.both.players.map(
    (one) => html`<span class="${one.runs ? "runs" : ""} ${one.has_run_out ? "out" : ""}"><small>${state.scoreboard.players[one.player]?.name ?? (one.player === "player-a" ? "A" : "B")}</small>${span(secondsLeft(one, state))}</span>`)}</button>`;
}
