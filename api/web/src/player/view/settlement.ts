/** Settlement of a line: the way into a dispute, and what came of it on every phone. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { answerWord, clockTime, mood, type AnsweredLine } from "../../shared/format";
import { outcome } from "../settlement-text";
import { settlementOf } from "../settlements";
import { mayCorrect, type State } from "../state";
import { icon } from "./icons";
import { SAY } from "../../shared/strings";

/** The way into the dispute, where something can be disputed: no fact is missing, and this phone's owner plays. */
export function disputeButton(line: AnsweredLine, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (line.verdict.answer === null || line.verdict.needs.length > 0 || line.ruling || !mayCorrect(state) || state.dispute !== null) return nothing;
  const isClose = mood(line.verdict) === "close" && settlementOf(state, line)?.answer == null;
  return html`<button class="mend dispute ${isClose ? "strong" : ""}" @click=${() => void actions.settlements.dispute(line)}>${SAY.dispute}</button>`;
}

/** How it was settled, below the camera's own answer. */
export function settled(line: AnsweredLine, state: State): TemplateResult | typeof nothing {
  const found = line.ruling ? null : settlementOf(state, line);
  return found ? html`<p class="settled ${found.answer ?? "close"}">${icon(found.answer === null ? "warn" : found.answer === "yes" ? "yes" : "no")}
    <span><b>${outcome(found, answerWord({ ...line, verdict: { ...line.verdict, answer: found.answer } }))}</b> <small>${SAY.seat[found.by]}, ${clockTime(found.at_s)}</small></span></p>` : nothing;
}
