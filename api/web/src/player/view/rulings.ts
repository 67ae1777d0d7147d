/** Rulings of the judge: a notice until both players saw it, and the list of all. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { clockTime } from "../../shared/format";
import type { State } from "../state";
import type { RulingSummary } from "../../shared/types.gen";
import { icon } from "./icons";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";

/** The newest ruling that somebody at the table has not seen; first one that this player has not. */
export function rulingNotice(state: State, actions: Actions): TemplateResult | typeof nothing {
  const open = state.rulings.filter((one) => one.withdrawn === null && one.waits_for.length > 0).reverse();
  const mine = open.find((one) => one.waits_for.includes(state.seat));
  const shown = mine ?? (state.seat.startsWith("player") ? open[0] : undefined);
  if (!shown) return nothing;
  const who = shown.waits_for.map((seat) => SAY.seat[seat]).join(", ");
  return html`<div class="ruling-notice" role=${mine ? "alert" : "status"}>${icon("gavel")}
    <p>${mine ? html`<b>${heading(shown)}</b> ${shown.reason ? html` <small>${shown.reason}</small>` : nothing}` : html`${SAY.rulingWaits(who)} <b>${heading(shown)}</b>`}</p>
    ${mine ? html`<button class="mend" @click=${() => void actions.rulings.confirmSeen(shown.number)}>${SAY.rulingSeen}</button>` : nothing}</div>`;
}

/** All of the game that this phone knows, the newest first. */
export function rulingList({ rulings }: State): TemplateResult | typeof nothing {
  if (rulings.length === 0) return nothing;
  return html`<h3>${SAY.rulings}</h3>
    <ul class="others rulings">${repeat([...rulings].reverse(), (one) => one.n, entry)}</ul>`;
}

function entry(one: RulingSummary): TemplateResult {
  const isOver = one.withdrawn !== null || one.ends !== null;
  return html`<li class="other ${isOver ? "undone" : ""}">
    <span class="whom"><span>${heading(one)}</span><small>${one.a} · ${one.b}, ${clockTime(one.at_s)}</small><small>${standing(one)}</small></span>
    <a class="mend" href="api/v1/rulings/${one.number}/record.html" target="_blank" rel="noopener">${SAY.record}</a></li>`;
}

/** With the names of the two: their letters stand on no other phone. */
function heading({ number, title, said, a, b }: RulingSummary): string {
  const asked = phrase(title).replace(/\b[AB]\b/g, (letter) => (letter === "A" ? a : b));
  return `${SAY.rulingNumber(number)}: ${asked}: ${phrase(said)}`;
}

function standing({ withdrawn, ends }: RulingSummary): string {
  if (withdrawn !== null) return SAY.rulingWithdrawn(withdrawn);
  return ends === null ? SAY.rulingHolds : SAY.rulingEnded(ends);
}
