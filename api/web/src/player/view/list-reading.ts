/** List reading: the lines of a list that were not understood, mended in place or left out, before anything is laid out. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { SAY } from "../../shared/strings";
import { typed } from "../../shared/typed-value";
import type { LineDoubt } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { ArmyLists, choiceOf, unitLines } from "../army-lists";
import type { LineChoice, ReadingDraft } from "../state";
import { chip } from "./pair-sheet";
import { icon } from "./icons";

const MOST_ALIKE = 200;

export function listReading(draft: ReadingDraft, actions: Actions): TemplateResult {
  const { doubts, miniatures, understood, says } = draft.reading;
  const units = unitLines(draft);
  const count = units.reduce((sum, unit) => sum + unit.count, miniatures);
  const leftOut = doubts.length - units.length;
  const isNameless = units.some((unit) => unit.name.trim() === "");
  return html`<header class="pair"><h2>${SAY.readingShare(understood, doubts.filter((one) => !one.is_unit).length)}</h2>
      <button class="round" @click=${() => actions.listsOf(ArmyLists).leaveReading()} aria-label=${SAY.leaveReading}>${icon("clear")}</button></header>
    <p class="soft">${doubts.length === 0 ? says : SAY.readingWhy}</p>
    <ul class="doubts">${repeat(doubts, (one) => one.line, (one) => doubtRow(one, choiceOf(draft, one), actions))}</ul>
    ${leftOut === 0 ? nothing : html`<p class="soft" role="status">${SAY.linesLeftOut(leftOut)}</p>`}
    <div class="toolbar words"><button class="mend strong" ?disabled=${count === 0 || isNameless}
      @click=${() => void actions.listsOf(ArmyLists).layConfirmed()}>${SAY.layConfirmed(count)}</button></div>`;
}

function doubtRow(doubt: LineDoubt, choice: LineChoice, actions: Actions): TemplateResult {
  const choose = (changes: Partial<LineChoice>) => actions.listsOf(ArmyLists).chooseLine(doubt.line, { ...choice, ...changes });
  return html`<li class=${doubt.is_unit ? "" : "unread"} data-line=${doubt.line}>
    ${doubt.is_unit ? nothing : html`<small>${SAY.lineUnread}</small>`}
    <p class="written">${doubt.text}</p>
    <div class="chips" role="radiogroup" aria-label=${doubt.text}>
      ${chip(SAY.miniatures, choice.isUnit, () => choose({ isUnit: true }))}
      ${chip(SAY.lineIsNone, !choice.isUnit, () => choose({ isUnit: false }))}
    </div>
    ${choice.isUnit ? unitFields(choice, choose) : nothing}
  </li>`;
}

function unitFields({ name, count }: LineChoice, choose: (changes: Partial<LineChoice>) => void): TemplateResult {
  const setCount = (value: number) => choose({ count: Math.min(MOST_ALIKE, Math.max(1, Math.trunc(value) || 1)) });
  return html`<div class="form">
    <label>${SAY.name}<input autocomplete="off" maxlength="80" required .value=${typed(name)}
      @input=${(event: Event) => choose({ name: (event.target as HTMLInputElement).value })} /></label>
    <div class="stepper" role="group" aria-label=${SAY.lineCount}>
      <button class="tool" aria-label=${SAY.less(SAY.lineCount)} @click=${() => setCount(count - 1)}>−</button>
      <input type="number" inputmode="numeric" min="1" max=${MOST_ALIKE} aria-label=${SAY.lineCount} .value=${typed(String(count))}
        @change=${(event: Event) => setCount(Number((event.target as HTMLInputElement).value))} />
      <button class="tool" aria-label=${SAY.more(SAY.lineCount)} @click=${() => setCount(count + 1)}>+</button>
    </div></div>`;
}
