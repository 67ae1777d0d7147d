/** Layout of the overlay: a card in a corner, the table with its lines, the clocks. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { card } from "./verdict-card";
import { clocks } from "./clocks";
import { lowerThird } from "./lower-third";
import type { Params } from "./url-params";
import type { State } from "./state";
import { wholeTable } from "./table-view";
import { words } from "./strings";

export function overlay(state: State, params: Params): TemplateResult {
  const { newest, current } = state;
  return html`${params.widgets.has("clocks") ? clocks(state, params) : nothing}
    ${params.widgets.has("lowerthird") ? lowerThird(state, params) : nothing}
    <main class="air ${current ? "on" : "off"}" aria-label=${words.overlay} data-on=${current?.item.id ?? ""}>
    ${newest === null ? nothing : keyed(`${newest.item.id} ${newest.since_s}`, html`
      ${params.widgets.has("table") || params.widgets.has("lines") ? wholeTable(newest.item, params) : nothing}
      ${params.widgets.has("ruling") || params.widgets.has("closeup") ? card(newest, state, params) : nothing}`)}
  </main>`;
}
