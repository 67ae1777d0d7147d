/** The whole overlay: a card in a corner, the table with its lines, the clocks. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { card } from "./card";
import { clocks } from "./clocks";
import type { Params } from "./params";
import type { State } from "./state";
import { wholeTable } from "./table";
import { words } from "./words";

export function overlay(state: State, params: Params): TemplateResult {
  const { drawn, showing } = state;
  return html`${params.widgets.has("clocks") ? clocks(state, params) : nothing}
    <main class="air ${showing ? "on" : "off"}" aria-label=${words.overlay} data-on=${showing?.item.id ?? ""}>
    ${drawn === null ? nothing : keyed(`${drawn.item.id} ${drawn.since_s}`, html`
      ${params.widgets.has("table") || params.widgets.has("lines") ? wholeTable(drawn.item, params) : nothing}
      ${params.widgets.has("ruling") || params.widgets.has("closeup") ? card(drawn, state, params) : nothing}`)}
  </main>`;
}
