/** Sheet of a pair, on the lower half of the screen. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { headlineOf, isAnswered, moodOf } from "../../shared/format";
import type { State } from "../state";
import type { DrawnMiniature, Line, Problem, Sheet } from "../../shared/types.gen";
import { icon } from "./icons";
import { describeSize } from "../event-text";
import { foldedRows, tile } from "./answer-rows";
import { facingChoices } from "./facing-choices";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";

const FIRST = 2; // what is read first and said aloud: sight and distance

export function pairSheet(state: State, a: DrawnMiniature, b: DrawnMiniature, actions: Actions): TemplateResult {
  return html`<section class="sheet" data-state=${isReadable(state) ? "ready" : "asking"} ?data-whole=${isAboutPicked(state) && state.sheet?.is_whole === true}
    aria-label=${SAY.verdicts}>
    ${head(a, b, actions)}
    <div class="lines" tabindex="-1">${facingChoices(state, actions)}${answers(state, actions)}</div>
    <p class="aloud" role="status" aria-live="polite">${isReadable(state) && state.sheet ? spokenSummary(state.sheet, a, b) : ""}</p>
  </section>`;
}

/** Whether the sheet is about the two that are picked, and can be read: at most a charge is still searched for. */
function isReadable(state: State): boolean {
  return isAboutPicked(state) && state.sheet?.is_readable === true;
}

function isAboutPicked({ sheet, a, b }: State): boolean {
  return sheet !== null && sheet.a === a && sheet.b === b;
}

/** The answers about the picked pair, or room for them. */
export function answers(state: State, actions: Actions): TemplateResult {
  const { sheet, askProblem } = state;
  return html`${askProblem ? problemBox(askProblem) : nothing}
    ${sheet && isAboutPicked(state) ? lines(state, sheet, actions) : skeleton()}`;
}

function head(a: DrawnMiniature, b: DrawnMiniature, actions: Actions): TemplateResult {
  return html`<header class="pair">
    ${who("a", a, actions)}
    <button class="round" @click=${() => actions.swap()} aria-label=${SAY.swap}>${icon("swap")}</button>
    ${who("b", b, actions)}
    <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
  </header>`;
}

function who(role: "a" | "b", m: DrawnMiniature, actions: Actions): TemplateResult {
  const letter = role.toUpperCase();
  return html`<button class="who ${role}" @click=${() => actions.showAlone(m.id)} title=${SAY.aloneWith(m.name)}>
    <b>${letter}</b> <span>${m.name} <small>${describeSize(m)}</small></span></button>`;
}

function lines(state: State, shown: Sheet, actions: Actions): TemplateResult {
  return html`<div class="tiles">${shown.lines.slice(0, FIRST).map((line) => tile(line, state, actions))}</div>
    ${foldedRows(shown.lines.slice(FIRST).filter((line) => !isAnsweredByMove(line, state)), state, actions)}
    ${shown.cards.map((card) => html`<p class="soft card">${phrase(card)}</p>`)}`;
}

/** After a charge that is thought of, the two fight: who may charge or shoot whom from there is no question any more. */
function isAnsweredByMove({ topic }: Line, { tool, manoeuvre }: State): boolean {
  return tool === "move" && manoeuvre?.do === "charge" && (topic === "charge" || topic === "shoot");
}

function spokenSummary({ lines }: Sheet, a: DrawnMiniature, b: DrawnMiniature): string {
  const said = lines.slice(0, FIRST).filter(isAnswered).map((line) => {
    return moodOf(line) === "told" ? `${phrase(line.title)} ${headlineOf(line)}` : `${phrase(line.title)}: ${headlineOf(line)}`;
  });
  return `A ${a.name}, B ${b.name}. ${said.join(". ")}.`;
}

export function problemBox(problem: Problem): TemplateResult {
  return html`<p class="trouble" role="alert">${icon("warn")}<span><b>${phrase(problem.title)}</b> ${phrase(problem.detail)}</span></p>`;
}

function skeleton(): TemplateResult {
  return html`<div class="tiles" aria-hidden="true"><div class="tile waits"></div><div class="tile waits"></div></div>
    <div class="rows" aria-hidden="true">${[1, 2, 3, 4].map(() => html`<div class="row waits"></div>`)}</div>`;
}
