/** Ruling list: all rulings of a game, each with its record and a link to hand on. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { clockTime } from "../../shared/format";
import { SAY } from "../../shared/strings";
import type { RulingSummary } from "../../shared/types.gen";
import type { Actions } from "../actions";
import type { State } from "../state";
import { icon } from "./icons";
import { heading } from "./rulings";
import { sharing } from "./share-link";

/** All of the game that this phone knows, the newest first. */
export function rulingList({ rulings, shared }: State, actions: Actions): TemplateResult | typeof nothing {
  if (rulings.length === 0) return nothing;
  return html`<h3>${SAY.rulings}</h3>${shared === null ? nothing : sharing(shared, actions)}
    <ul class="others rulings">${repeat([...rulings].reverse(), (one) => one.n, (one) => entry(one, actions))}</ul>`;
}

function entry(one: RulingSummary, actions: Actions): TemplateResult {
  const isOver = one.withdrawn !== null || one.ends !== null;
  return html`<li class="other ${isOver ? "undone" : ""}">
    <span class="whom"><span>${heading(one)}</span><small>${one.a} · ${one.b}, ${clockTime(one.at_s)}</small><small>${standing(one)}</small></span>
    <a class="mend" href="api/v1/rulings/${one.number}/record.html" target="_blank" rel="noopener">${SAY.record}</a>
    <button class="round" @click=${() => void actions.past.shareAddress(`v/${one.n}`)} aria-label=${SAY.linkTo(SAY.rulingNumber(one.number))}>${icon("share")}</button></li>`;
}

function standing({ withdrawn, ends }: RulingSummary): string {
  if (withdrawn !== null) return SAY.rulingWithdrawn(withdrawn);
  return ends === null ? SAY.rulingHolds : SAY.rulingEnded(ends);
}
