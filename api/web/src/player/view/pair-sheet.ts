/** Sheet of a pair, on the lower half of the screen. */

import { html, nothing, type TemplateResult } from "lit";
import { headlineOf, isAnswered, moodOf } from "../../shared/format";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";
import { typed } from "../../shared/typed-value";
import type { DrawnMiniature, Line, Problem, Sheet } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { describeSize } from "../event-text";
import type { State } from "../state";
import { foldedRows, tile } from "./answer-rows";
import { facingChoices } from "./facing-choices";
import { icon } from "./icons";

const FIRST = 2; // what is read first and said aloud: sight and distance
const REACHES_IN = [0.5, 1, 2];
const RANGES_IN = [5, 6, 8, 10, 12, 14];
const SPEEDS_IN = [4, 5, 6, 7, 8];

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

export function chips({ turns_on, is_of_b, length_in }: Line, state: State, actions: Actions): TemplateResult | typeof nothing {
  const whose = (is_of_b ? state.b : state.a) ?? "";
  if (turns_on === "reach") return choice(SAY.reachName, REACHES_IN, length_in, (reach) => actions.setReach(whose, reach));
  if (turns_on === "speed") return choice(SAY.speedName, SPEEDS_IN, length_in, (speed) => actions.setSpeed(whose, speed));
  if (turns_on === "range") return choice(SAY.rangeName, RANGES_IN, length_in ?? state.range_in, (range) => actions.setRange(range));
  return nothing;
}

const STEP_IN = 0.5;
const LONGEST_IN = 120;

/** The usual lengths, a stepper, and room to write any other. */
export function choice(
  name: string,
  values: readonly number[],
  chosen: number | null,
  choose: (value: number) => void,
): TemplateResult {
  return html`<div class="chips" role="radiogroup" aria-label=${SAY.inInches(name)}>
    ${values.map((value) => chip(`${value}″`, value === chosen, () => choose(value)))}
  </div>${stepper(name, chosen ?? values[0] ?? STEP_IN, choose)}`;
}

function stepper(name: string, value: number, choose: (value: number) => void): TemplateResult {
  const set = (next: number) => {
    if (next > 0 && next <= LONGEST_IN) choose(+next.toFixed(2));
  };
  return html`<div class="stepper">
    <button class="tool" aria-label=${SAY.less(name)} @click=${() => set(value - STEP_IN)}>−</button>
    <input type="number" inputmode="decimal" min="0" max=${LONGEST_IN} step="any" aria-label=${SAY.inInches(name)} .value=${typed(String(value))}
      @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()}
      @change=${(event: Event) => set(Number((event.target as HTMLInputElement).value))} />
    <button class="tool" aria-label=${SAY.more(name)} @click=${() => set(value + STEP_IN)}>+</button>
  </div>`;
}

export function chip(text: string, isChosen: boolean, choose: () => void, aloud = text): TemplateResult {
  return html`<button role="radio" aria-checked=${isChosen} aria-label=${aloud} @click=${choose}>${text}</button>`;
}
