/** Settlement of a line: the way into a dispute, and what came of it on every phone. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { answerWord, clockTime, lengthIn, mood, type AnsweredLine } from "../../shared/format";
import { inNames } from "../../shared/entities";
import { phrase } from "../../shared/language";
import { keyOf, settlementOf } from "../settlements";
import { mayCorrect, type State } from "../state";
import type { Dispute, Settlement } from "../../shared/types.gen";
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
  const found = mood(line.verdict) === "close" && !line.ruling ? settlementOf(state, line) : null;
  return found ? html`<p class="settled ${found.answer ?? "close"}">${icon(found.answer === null ? "warn" : found.answer === "yes" ? "yes" : "no")}
    <span><b>${outcome(found, answerWord({ ...line, verdict: { ...line.verdict, answer: found.answer } }))}</b> <small>${SAY.seat[found.by]}, ${clockTime(found.at_s)}</small></span></p>` : nothing;
}

/** How a dispute ended, for who looks at something else; null: it was put away. */
export function endOf({ title, query, a, b, yes, no }: Dispute, { settled, table }: State): string | null {
  const found = settled.find((one) => keyOf(one.query) === keyOf(query));
  return found ? `${inNames(phrase(title), { a, b }, table)}: ${outcome(found, phrase(found.answer === "yes" ? yes : no))}` : null;
}

function outcome(found: Settlement, word: string): string {
  if (found.answer === null) return SAY.judgeCalled;
  if (found.how === "taped") return SAY.tapedBoth(Object.values(found.tapes_in).map(lengthIn).join(" · "), word);
  const dice = Object.entries(found.dice).map(([seat, die]) => `${SAY.seat[seat as Settlement["by"]]} ${die}`).join(" · ");
  return found.how === "rolled" ? SAY.rolledBoth(dice || String(found.die ?? ""), word) : SAY.agreedOn(word);
}
