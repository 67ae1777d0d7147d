/** The players' clocks on the stream, as they stand in the delayed picture. */

import { html, nothing, type TemplateResult } from "lit";
import { span } from "../judge/view/time";
import type { Params } from "./params";
import type { State } from "./state";
import type { ClockTold } from "./types.gen";
import { words } from "./words";

const LOW_S = 300;

export function clocks({ board, now_s }: State, params: Params): TemplateResult | typeof nothing {
  const told = board?.clocks;
  if (!board || !told) return nothing;
  const since_s = now_s - params.delay_s - board.now_s;
  const stop = told.stop && told.stop.why !== "set" ? words.stopped : "";
  return html`<aside class="clocks-bar" aria-label=${words.clocks}>
    ${told.players.map((one) => clock(one, since_s))}${stop ? html`<em>${stop}</em>` : nothing}
  </aside>`;
}

function clock(one: ClockTold, since_s: number): TemplateResult {
  const left_s = one.left_s - (one.runs ? since_s : 0);
  return html`<span class="${one.runs ? "runs" : ""} ${left_s < LOW_S ? "low" : ""}"><small>${words.players[one.player]}</small>${span(left_s)}</span>`;
}
