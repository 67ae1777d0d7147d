/** Ruling notice: what the judge ruled, until both players saw it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
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
    <p>${mine ? html`<b>${heading(shown)}</b> ${shown.reason ? html` <small>${shown.reason}</small>` : nothing}` : SAY.rulingWaits(who)}</p>
    ${mine ? html`<button class="mend" @click=${() => void actions.rulings.confirmSeen(shown.number)}>${SAY.rulingSeen}</button>` : nothing}</div>`;
}

/** With the names of the two: their letters stand on no other phone. */
export function heading({ number, title, said, a, b }: RulingSummary): string {
  const asked = phrase(title).replace(/\b[AB]\b/g, (letter) => (letter === "A" ? a : b));
  return `${SAY.rulingNumber(number)}: ${asked}: ${phrase(said)}`;
}
