/** Death clocks on the stream, as they stand in the delayed picture. */

import { html, nothing, type TemplateResult } from "lit";
import { span } from "../shared/time-format";
import type { Params } from "./url-params";
import type { State } from "./state";
import type { ClockView } from "../shared/types.gen";
import { words } from "./strings";

const LOW_S = 300;

export function clocks({ board, now_s }: State, params: Params): TemplateResult | typeof nothing {
  const both = board?.clocks;
  if (!board || !both) return nothing;
  const since_s = now_s - params.delay_s - board.now_s;
  const stop = both.stop && both.stop.why !== "set" ? words.stopped : "";
  return html`<aside class="clocks-bar" aria-label=${words.clocks}>
    ${both.players.map((one) => clock(one, since_s))}${stop ? html`<em>${stop}</em>` : nothing}
  </aside>`;
}

function clock(one: ClockView, since_s: number): TemplateResult {
  const left_s = one.left_s - (one.runs ? since_s : 0);
  return html`<span class="${one.runs ? "runs" : ""} ${left_s < LOW_S ? "low" : ""}"><small>${words.players[one.player]}</small>${span(left_s)}</span>`;
}
