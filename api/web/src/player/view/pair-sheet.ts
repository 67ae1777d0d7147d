/** Sheet of a pair, on the lower half of the screen. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { headlineOf, isAnswered, moodOf } from "../../shared/format";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";
import { typed } from "../../shared/typed-value";
import type { DrawnMiniature, Line, Problem, Sheet } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { describeSize } from "../event-text";
import { namesOf, type State } from "../state";
import { foldedRows, opened, tile, withLetters } from "./answer-rows";
import { facingChoices } from "./facing-choices";
import { icon } from "./icons";
import { sideChip } from "./picker";
import { disputeButton } from "./settlement";
import { distanceScale, headQuestion, questionChips, sentence, spokenSentence, type Asked } from "./sentence";
import { sharing } from "./share-link";

const FIRST = 2; // the weakest of what the sentence hangs on
const REACHES_IN = [0.5, 1, 2];
const RANGES_IN = [5, 6, 8, 10, 12, 14];
const SPEEDS_IN = [4, 5, 6, 7, 8];

export function pairSheet(state: State, a: DrawnMiniature, b: DrawnMiniature, actions: Actions): TemplateResult {
  return html`<section class="sheet" data-state=${isReadable(state) ? "ready" : "asking"} ?data-whole=${isAboutPicked(state) && state.sheet?.is_whole === true}
    aria-label=${SAY.verdicts}>
    ${head(a, b, state, actions)}
    <div class="lines" tabindex="-1">${facingChoices(state, actions)}${answers(state, actions)}</div>
    <p class="aloud" role="status" aria-live="polite">${isReadable(state) && state.sheet ? spokenSummary(state.sheet, state) : ""}</p>
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

function head(a: DrawnMiniature, b: DrawnMiniature, state: State, actions: Actions): TemplateResult {
  return html`<header class="pair">
    ${who("a", a, state, actions)}
    <button class="round" @click=${() => actions.swap()} aria-label=${SAY.swap}>${icon("swap")}</button>
    ${who("b", b, state, actions)}
    <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
  </header>`;
}

function who(role: "a" | "b", m: DrawnMiniature, state: State, actions: Actions): TemplateResult {
  return html`<button class="who ${role}" @click=${() => actions.showAlone(m.id)} title=${SAY.aloneWith(m.name)}>
    <span>${sideChip(m, state)}${m.name} <small>${describeSize(m)}</small></span></button>`;
}

/** The sentence first, then what it hangs on, how far they are apart, and the other questions; all else below. */
function lines(state: State, shown: Sheet, actions: Actions): TemplateResult {
  const asked = headQuestion(shown, state);
  const distance = shown.lines.find((line) => line.slot === "distance");
  const links = asked?.lines.slice(0, FIRST) ?? shown.lines.slice(0, FIRST).filter((line) => line !== distance);
  const told = links.find((line) => line.turns_on !== null);
  const rest = shown.lines.filter((line) => line !== distance && !links.includes(line) && !isAnsweredByMove(line, state));
  const weakest = links[0];
  return html`${asked ? sentence(asked, state) : nothing}${asked?.mood === "close" && weakest && isAnswered(weakest) ? disputeButton(weakest, state, actions) : nothing}
    <div class="tiles">${repeat(links, (line) => line.slot, (line) => tile(line, state, actions))}</div>
    ${distance ? distanceScale(distance, links.find((line) => !line.slot.startsWith("sight")), told ? scaleStepper(told, state, actions) : nothing, state, actions) : nothing}
    ${distance && state.openSlot === "distance" && isAnswered(distance) ? opened(distance, state, actions) : nothing}
    ${asked ? questionChips(shown, asked, state, actions) : nothing}${asked ? shareAnswer(asked, state, actions) : nothing}
    ${foldedRows(rest, state, actions)}
    ${shown.cards.map((card) => html`<p class="soft card">${phrase(card.replace(/^[AB] /, ""))}</p>`)}`;
}

/** A link that opens this very question as it stands now, also when everything has moved on. */
function shareAnswer({ question }: Asked, { shared, tool, at, isReplay }: State, actions: Actions): TemplateResult | typeof nothing {
  if (tool !== "ask" || at !== null || isReplay) return nothing; // at an earlier moment the bar shares it
  return html`<div class="toolbar words"><button class="mend share-answer" aria-expanded=${shared !== null} @click=${() => (shared === null ? void actions.past.share(question.topic) : actions.past.endSharing())}>${icon("share")}<span>${SAY.shareAnswer}</span></button></div>
    ${shared === null ? nothing : sharing(shared, actions)}`;
}

/** After a charge that is thought of, the two fight: who may charge or shoot whom from there is no question any more. */
function isAnsweredByMove({ topic }: Line, { tool, manoeuvre }: State): boolean {
  return tool === "move" && manoeuvre?.do === "charge" && (topic === "charge" || topic === "shoot");
}

/** What a screen reader says of a pair, and who wants it hears. */
function spokenSummary(sheet: Sheet, state: State): string {
  const asked = headQuestion(sheet, state);
  const said = [...(asked?.lines.slice(0, FIRST) ?? []), ...sheet.lines.filter((line) => line.slot === "distance")].filter(isAnswered).map((line) => {
    const title = withLetters(phrase(line.title), namesOf(state), state);
    return moodOf(line) === "told" ? `${title} ${headlineOf(line)}` : `${title}: ${headlineOf(line)}`;
  });
  return [asked ? spokenSentence(asked, state) : "", ...said].filter(Boolean).join(". ");
}

export function problemBox(problem: Problem): TemplateResult {
  return html`<p class="trouble" role="alert">${icon("warn")}<span><b>${phrase(problem.title)}</b> ${phrase(problem.detail)}</span></p>`;
}

function skeleton(): TemplateResult {
  return html`<div class="sentence waits" aria-hidden="true"></div><div class="tiles" aria-hidden="true"><div class="tile waits"></div><div class="tile waits"></div></div>
    <div class="rows" aria-hidden="true">${[1, 2, 3, 4].map(() => html`<div class="row waits"></div>`)}</div>`;
}

export function chips({ turns_on, is_of_b, length_in }: Line, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (turns_on === null) return nothing;
  const { name, usual, set } = toldLength({ turns_on, is_of_b }, state, actions);
  return choice(name, usual, turns_on === "range" ? (length_in ?? state.range_in) : length_in, set);
}

interface ToldLength {
  readonly name: string;
  readonly usual: readonly number[];
  readonly set: (value: number) => void;
}

/** What a line turns on that players tell: whose it is, and where it is told. */
function toldLength({ turns_on, is_of_b }: Pick<Line, "turns_on" | "is_of_b">, state: State, actions: Actions): ToldLength {
  const whose = (is_of_b ? state.b : state.a) ?? "";
  if (turns_on === "reach") return { name: SAY.reachName, usual: REACHES_IN, set: (reach) => actions.setReach(whose, reach) };
  if (turns_on === "speed") return { name: SAY.speedName, usual: SPEEDS_IN, set: (speed) => actions.setSpeed(whose, speed) };
  return { name: SAY.rangeName, usual: RANGES_IN, set: (range) => actions.setRange(range) };
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

/** Less and more of the length that a line hangs on, beside the scale. */
function scaleStepper(line: Line, state: State, actions: Actions): TemplateResult {
  const { name, set } = toldLength(line, state, actions);
  const value = line.length_in ?? state.range_in;
  const step = (by: number) => () => value + by > 0 && value + by <= LONGEST_IN && set(+(value + by).toFixed(2));
  return html`<button class="tool" aria-label=${SAY.less(name)} @click=${step(-STEP_IN)}>−</button><b class="told-length">${value}″</b>
    <button class="tool" aria-label=${SAY.more(name)} @click=${step(STEP_IN)}>+</button>`;
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
