/** Settlement of a line that is too close: three ways out of it, and what came of them on every phone. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { answerWord, clockTime, mood, type AnsweredLine } from "../../shared/format";
import { settlementOf } from "../settlements";
import { mayCorrect, type State } from "../state";
import type { Settlement } from "../../shared/types.gen";
import { icon } from "./icons";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";

/** What the players can do about it; nothing where a fact is missing, or where they may only watch. */
export function waysOut(line: AnsweredLine, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (mood(line.verdict) !== "close" || line.verdict.needs.length > 0 || !mayCorrect(state)) return nothing;
  const agree = (answer: "yes" | "no") => void actions.settlements.settle(line, "agreed", answer);
  return html`<div class="ways-out" role="group" aria-label=${SAY.tooCloseWays}>
    <p class="agreed"><span>${SAY.weAgreed}</span>
      <button class="mend" @click=${() => agree("yes")}>${phrase(line.yes)}</button><button class="mend" @click=${() => agree("no")}>${phrase(line.no)}</button></p>
    <button class="mend" @click=${() => void actions.settlements.settle(line, "rolled")}>${SAY.rollHere}<small>${SAY.rollWhy(phrase(line.yes))}</small></button>
    <button class="mend" @click=${() => void actions.settlements.callJudge(line)}>${SAY.callJudge}</button>
  </div>`;
}

/** How it was settled, below the camera's own answer. */
export function settled(line: AnsweredLine, state: State): TemplateResult | typeof nothing {
  const found = mood(line.verdict) === "close" && !line.ruling ? settlementOf(state, line) : null;
  return found ? html`<p class="settled ${found.answer ?? "close"}">${icon(found.answer === null ? "warn" : found.answer === "yes" ? "yes" : "no")}
    <span><b>${text(found, line)}</b> <small>${SAY.seat[found.by]}, ${clockTime(found.at_s)}</small></span></p>` : nothing;
}

function text(found: Settlement, line: AnsweredLine): string {
  if (found.answer === null) return SAY.judgeCalled;
  const word = answerWord({ ...line, verdict: { ...line.verdict, answer: found.answer } });
  return found.how === "rolled" ? SAY.rolled(found.die ?? 0, word) : SAY.agreedOn(word);
}
