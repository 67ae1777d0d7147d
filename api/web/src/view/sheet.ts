/** Everything about a pair, on the lower half of the screen. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { figures, isAnswered, missing, mood, type Answered } from "../format";
import type { State } from "../state";
import type { DrawnMiniature, Line, Problem, Sheet } from "../types.gen";
import { details } from "./details";
import { icon, moodIcon } from "./icons";
import { sizeOf } from "./words";

const FIRST = 2; // what is said aloud: sight and distance

export function sheet(state: State, a: DrawnMiniature, b: DrawnMiniature, actions: Actions): TemplateResult {
  const ready = state.sheet !== null && state.sheet.a === a.id && state.sheet.b === b.id;
  const whole = ready && state.sheet?.is_whole;
  return html`<section class="sheet" data-state=${whole ? "ready" : "asking"} aria-label="Verdicts">
    ${head(a, b, state, actions)}
    <div class="lines">
      ${state.askProblem ? trouble(state.askProblem) : nothing}
      ${ready && state.sheet ? lines(state, state.sheet, actions) : skeleton()}
    </div>
    <p class="aloud" role="status" aria-live="polite">${whole && state.sheet ? aloud(state.sheet, a, b) : ""}</p>
  </section>`;
}

function head(a: DrawnMiniature, b: DrawnMiniature, state: State, actions: Actions): TemplateResult {
  const stretch = state.isTall ? "Show more of the table" : "Show more of the answers";
  return html`<header class="pair">
    ${who("a", a)}
    <button class="round" @click=${() => actions.swap()} aria-label="Swap A and B">${icon("swap")}</button>
    ${who("b", b)}
    <button class="round stretch" @click=${() => actions.stretch()} aria-label=${stretch} aria-expanded=${state.isTall}>
      ${icon(state.isTall ? "down" : "up")}
    </button>
    <button class="round" @click=${() => actions.clear()} aria-label="Clear the pair">${icon("clear")}</button>
  </header>`;
}

function who(role: "a" | "b", m: DrawnMiniature): TemplateResult {
  return html`<p class="who ${role}"><b>${role.toUpperCase()}</b><span>${m.name}<small>${sizeOf(m)}</small></span></p>`;
}

function lines(state: State, { lines }: Sheet, actions: Actions): TemplateResult {
  return html`<div class="tiles">${repeat(lines, (line) => line.slot, (line, i) => tile(line, rank(i, lines.length), state, actions))}</div>`;
}

/** The first are larger; one that is left over has a row of its own. */
function rank(i: number, count: number): string {
  if (i < FIRST) return "first";
  return i === count - 1 && count % 2 === 1 ? "alone" : "";
}

/** Two tiles a row; what belongs to an opened one follows its row across the whole width. */
function tile(line: Line, rank: string, state: State, actions: Actions): TemplateResult {
  if (!isAnswered(line)) {
    return html`<div class="tile ghost ${rank}" data-slot=${line.slot} aria-busy="true">
      <span class="title">${titled(line.title)}</span><span class="answer">…</span>
    </div>`;
  }
  const says = mood(line.verdict);
  const isOpen = state.open === line.slot;
  return html`<button class="tile ${says} ${rank} ${isOpen ? "open" : ""}" data-slot=${line.slot} aria-expanded=${isOpen}
      @click=${() => actions.open(line.slot)}>
    <span class="asked"><span class="title">${titled(line.title)}</span>${told(line, state)}</span>
    <span class="answer">${moodIcon(says)}<b>${line.headline}</b></span>
    <span class="foot">${foot(line)}</span>
  </button>
  ${isOpen ? html`<div class="opened ${says}">${details(line, state, actions)}</div>` : nothing}`;
}

/** Below the headline: what stands behind it, else by how much and how surely, else what is missing. */
function foot({ note, verdict }: Answered): string {
  return note ?? figures(verdict)?.small ?? missing(verdict) ?? verdict.unlock ?? "";
}

/** What the player told, and can tell otherwise by opening the tile. */
function told({ turns_on }: Line, { sheet }: State): TemplateResult | typeof nothing {
  const told_in = turns_on === "range" ? sheet?.range_in : sheet?.reach_in;
  if (turns_on === null) return nothing;
  return html`<span class="told-in">${told_in ? `${told_in}″` : "card"}${icon("down")}</span>`;
}

/** The title with its A and B in their colours. */
export function titled(title: string): TemplateResult[] {
  return title.split(/\b(A|B)\b/).map((part) =>
    part === "A" || part === "B" ? html`<i class=${part.toLowerCase()}>${part}</i>` : html`${part}`,
  );
}

function aloud({ lines }: Sheet, a: DrawnMiniature, b: DrawnMiniature): string {
  const said = lines.slice(0, FIRST).filter(isAnswered).map((line) => {
    return mood(line.verdict) === "told" ? `${line.title} ${line.headline}` : `${line.title}: ${line.headline}`;
  });
  return `A ${a.name}, B ${b.name}. ${said.join(". ")}.`;
}

function trouble(problem: Problem): TemplateResult {
  return html`<p class="trouble" role="alert">${icon("warn")}<span><b>${problem.title}</b> ${problem.detail}</span></p>`;
}

function skeleton(): TemplateResult {
  return html`<div class="tiles" aria-hidden="true">${[1, 2, 3, 4, 5, 6].map(() => html`<div class="tile ghost"></div>`)}</div>`;
}
