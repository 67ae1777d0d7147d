/** Answers, each on one line that opens: icon, question, answer, margin. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { figures, isAnswered, missing, mood, unlocked, type Answered } from "../format";
import { calledOf, namesOf, type State } from "../state";
import type { Line } from "../types.gen";
import type { Supposed } from "./chips";
import { details } from "./details";
import { doubtOf, isByArc, looksNow } from "./fan";
import { icon, moodIcon } from "./icons";
import { SAY } from "./words";

export function rows(lines: readonly Line[], supposed: Supposed, state: State, actions: Actions, more?: (line: Answered) => unknown): TemplateResult {
  return html`<div class="rows">${repeat(lines, (line) => line.slot, (line) => row(line, supposed, state, actions, more))}</div>`;
}

function row(line: Line, supposed: Supposed, state: State, actions: Actions, more?: (line: Answered) => unknown): TemplateResult {
  if (!isAnswered(line)) return waiting(line, "row");
  const says = mood(line.verdict);
  const isOpen = state.open === line.slot;
  return html`<button class="row ${says} ${isOpen ? "open" : ""}" data-slot=${line.slot} aria-expanded=${isOpen}
      @click=${() => actions.open(line.slot)}>
    <span class="mood">${moodIcon(says)}</span>
    <span class="asked"><span class="title">${titled(line.title)}</span>${told(line, supposed, state)}
      ${line.note && !more ? html`<small>${line.note}</small>` : nothing}${inDoubt(line, state)}</span>
    <span class="answer"><b>${line.headline}</b><span class="foot">${byHowMuch(line, state)}</span></span>
  </button>
  ${more ? more(line) : nothing}
  ${isOpen ? html`<div class="opened ${says}">${details(line, supposed, state, actions)}</div>` : nothing}`;
}

/** The first answers, larger: read at arm's length. */
export function tile(line: Line, supposed: Supposed, state: State, actions: Actions): TemplateResult {
  if (!isAnswered(line)) return waiting(line, "tile");
  const says = mood(line.verdict);
  const isOpen = state.open === line.slot;
  return html`<button class="tile ${says} ${isOpen ? "open" : ""}" data-slot=${line.slot} aria-expanded=${isOpen}
      @click=${() => actions.open(line.slot)}>
    <span class="title">${titled(line.title)}</span>
    <span class="answer">${moodIcon(says)}<b>${line.headline}</b></span>
    <span class="foot">${line.note ?? byHowMuch(line, state)}</span>${inDoubt(line, state)}
  </button>
  ${isOpen ? html`<div class="opened ${says}">${details(line, supposed, state, actions)}</div>` : nothing}`;
}

/** Whose facing is in doubt, where an arc decides and that doubt is why nobody can tell. */
function inDoubt({ verdict }: Answered, state: State): TemplateResult | typeof nothing {
  const doubt = mood(verdict) === "close" && isByArc(verdict) ? doubtOf(verdict, looksNow(state)) : null;
  return doubt ? html`<small class="swings">${SAY.facingWithin(calledOf(state, doubt.id), doubt.sigma_deg)}</small>` : nothing;
}

function waiting(line: Line, name: string): TemplateResult {
  return html`<div class="${name} waits" data-slot=${line.slot} aria-busy="true">
    <span class="title">${titled(line.title)}</span><span class="answer">…</span>
  </div>`;
}

/** By how much and how surely, else what is missing. */
function byHowMuch({ verdict }: Answered, state: State): string {
  return figures(verdict)?.small ?? missing(verdict, namesOf(state)) ?? unlocked(verdict) ?? "";
}

/** What the player told, and can tell otherwise by opening the line. */
function told({ turns_on }: Line, supposed: Supposed, { sheet, range_in }: State): TemplateResult | typeof nothing {
  if (turns_on === null) return nothing;
  const told_in = turns_on === "range" ? (sheet?.range_in ?? range_in) : turns_on === "speed" ? supposed.speed_in : supposed.reach_in;
  return html`<span class="told-in">${told_in === null ? SAY.byCard : `${told_in}″`}${icon("down")}</span>`;
}

/** The title with its A and B in their colours. */
export function titled(title: string): TemplateResult[] {
  return title.split(/\b(A|B)\b/).map((part) =>
    part === "A" || part === "B" ? html`<i class=${part.toLowerCase()}>${part}</i>` : html`${part}`,
  );
}
