/** Answer rows, each of which opens: icon, question, answer, margin. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { figures, headlineOf, isAnswered, missingHint, moodOf, ruledText, sureness, toneOf, unlockHint, type AnsweredLine, type Names } from "../../shared/format";
import { labelOf, namesOf, type State } from "../state";
import type { Line } from "../../shared/types.gen";
import { lazyView } from "./lazy-view";
import { doubtOf, isByArc, supposedFacingSigmas } from "./arc-uncertainty";
import { icon, moodIcon } from "./icons";
import { settled } from "./settlement";
import { toldMark } from "./told-facts";
import { phrase, phrases } from "../../shared/language";
import { SAY } from "../../shared/strings";

const details = lazyView(() => import("./verdict-details"));

export function rows(lines: readonly Line[], state: State, actions: Actions, more?: (line: AnsweredLine) => unknown): TemplateResult {
  return html`<div class="rows">${repeat(lines, (line) => line.slot, (line) => row(line, state, actions, more))}</div>`;
}

/** What the player is about to do, or all that matters; the rest is folded into one line. */
export function foldedRows(lines: readonly Line[], state: State, actions: Actions): TemplateResult {
  const { topic, isUnfolded } = state;
  const isShown = (line: Line) => line.slot === state.openSlot || (topic === null ? !line.is_plain : line.topic === topic);
  const folded = lines.filter((line) => !isShown(line));
  return html`${rows(lines.filter(isShown), state, actions)}
    ${folded.length > 0 ? html`<button class="fold" aria-expanded=${isUnfolded} @click=${() => actions.toggleFold()}>
      <span>${topic === null ? SAY.plainLines(folded.length) : SAY.otherLines(folded.length)}</span>${icon(isUnfolded ? "up" : "down")}</button>` : nothing}
    ${isUnfolded ? rows(folded, state, actions) : nothing}`;
}

function row(line: Line, state: State, actions: Actions, more?: (line: AnsweredLine) => unknown): TemplateResult {
  if (!isAnswered(line)) return skeletonRow(line, "row", state);
  const says = moodOf(line);
  const isOpen = state.openSlot === line.slot;
  return html`<button class="row ${toneOf(line)} ${line.ruling ? "ruled" : line.told.length > 0 ? "one-word" : ""} ${isOpen ? "open" : ""}" data-slot=${line.slot} aria-expanded=${isOpen}
      @click=${() => actions.toggleLine(line.slot)}>
    <span class="mood">${moodIcon(says)}</span>
    <span class="asked"><span class="title">${namedTitle(line.title, state)}</span>${suppositionMark(line)}
      ${line.note && !more ? html`<small>${phrases(line.note)}</small>` : nothing}${facingDoubt(line, state)}${toldMark(line)}</span>
    <span class="answer"><b>${headlineOf(line)}</b><span class="foot">${marginText(line, state)}</span></span>
  </button>
  ${more ? more(line) : nothing}${settled(line, state)}
  ${isOpen ? opened(line, state, actions) : nothing}`;
}

/** The first answers, larger: read at arm's length. Whom they are about says the sentence above. */
export function tile(line: Line, state: State, actions: Actions): TemplateResult {
  if (!isAnswered(line)) return skeletonRow(line, "tile", state);
  const says = moodOf(line);
  const isOpen = state.openSlot === line.slot;
  return html`<button class="tile ${toneOf(line)} ${line.ruling ? "ruled" : line.told.length > 0 ? "one-word" : ""} ${isOpen ? "open" : ""}" data-slot=${line.slot} aria-expanded=${isOpen}
      @click=${() => actions.toggleLine(line.slot)}>
    <span class="title">${shortTitle(line, state)} ${suppositionMark(line)}</span>
    <span class="answer">${moodIcon(says)}<b>${headlineOf(line)}</b></span>
    <span class="foot">${line.note && !line.ruling ? phrases(line.note) : marginText(line, state)}</span>${facingDoubt(line, state)}${toldMark(line)}
  </button>
  ${settled(line, state)}
  ${isOpen ? opened(line, state, actions) : nothing}`;
}

/** What is asked, without the two whom the sentence names, and the weapon where there is one; a written book in its own words. */
function shortTitle({ topic, title, slot }: Line, state: State): string {
  const weapon = title.includes(": ") ? `: ${title.slice(title.indexOf(": ") + 2)}` : "";
  return topic === null || slot.startsWith("book-") ? namedTitle(title, state) : `${SAY.topic[topic]}${weapon}`;
}

/** Why a line is answered so, below it. */
export function opened(line: AnsweredLine, state: State, actions: Actions): TemplateResult {
  return html`<div class="opened ${toneOf(line)}">${details(actions)?.details(line, state, actions) ?? nothing}</div>`;
}

/** Whose facing is in doubt, where an arc decides and that doubt is why nobody can tell. */
function facingDoubt({ verdict, ruling }: AnsweredLine, state: State): TemplateResult | typeof nothing {
  const doubt = !ruling && verdict.answer === "too-close" && isByArc(verdict) ? doubtOf(verdict, supposedFacingSigmas(state)) : null;
  return doubt ? html`<small class="swings">${SAY.facingWithin(labelOf(state, doubt.id), doubt.sigma_deg)}</small>` : nothing;
}

function skeletonRow(line: Line, name: string, state: State): TemplateResult {
  return html`<div class="${name} waits" data-slot=${line.slot} aria-busy="true">
    <span class="title">${name === "tile" ? shortTitle(line, state) : namedTitle(line.title, state)}</span><span class="answer">…</span>
  </div>`;
}

/** By how much and how surely, else what is missing. */
export function marginText(line: AnsweredLine, state: State): string {
  const { verdict } = line;
  const ruled = ruledText(line);
  if (ruled !== null) return ruled;
  if (verdict.answer === "too-close") return missingHint(verdict, namesOf(state)) ?? sureness(verdict) ?? figures(verdict)?.small ?? "";
  return figures(verdict)?.small ?? missingHint(verdict, namesOf(state)) ?? unlockHint(verdict) ?? "";
}

/** What the player told, and can tell otherwise by opening the line. */
function suppositionMark({ turns_on, length_in }: Line): TemplateResult | typeof nothing {
  if (turns_on === null) return nothing;
  return html`<span class="told-in">${length_in === null ? SAY.byCard : `${length_in}″`}${icon("down")}</span>`;
}

/** The title with the names of the two for their letters. */
export function namedTitle(title: string, state: State): string {
  return withLetters(phrase(title), namesOf(state), state);
}

/** The text with names for A and B. */
export function withLetters(said: string, names: Names, { a, b }: Pick<State, "a" | "b">): string {
  return said.replace(/\b[AB]\b/g, (letter) => names[(letter === "A" ? a : b) ?? ""] ?? letter);
}

/** The title with its A and B in their colours. */
export function titleParts(title: string): TemplateResult[] {
  return phrase(title).split(/\b(A|B)\b/).map((part) =>
    part === "A" || part === "B" ? html`<i class=${part.toLowerCase()}>${part}</i>` : html`${part}`,
  );
}
