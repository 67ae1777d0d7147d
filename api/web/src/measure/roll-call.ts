/** Roll call: how many of each side stand and are missing, the doubtful one after another, and that the table is complete. */

import { html, nothing, type TemplateResult } from "lit";
import { text } from "../shared/language";
import type { RollCallSheet, SideCount } from "../shared/types.gen";
import type { Actions } from "./actions";
import { lacksOf, type State } from "./state";
import { countText, lackText, missingText, seatName, WORDS } from "./strings";

export function rollCall(state: State, roll: RollCallSheet, actions: Actions): TemplateResult {
  const isCounted = roll.sides.some(({ expected }) => expected !== null);
  const isBusy = state.busy !== null;
  return html`<section class="roll" aria-label=${WORDS.roll}>
    <ul>${roll.sides.map((side) => html`<li class=${side.missing > 0 ? "short" : ""}><b>${countText(side)}</b>${side.missing > 0 ? html` <span>${missingText(side)}</span>` : nothing}</li>`)}</ul>
    ${isCounted ? nothing : numbers(roll.sides, isBusy, actions)}
    ${isAsked(roll) ? absences(roll, isBusy, actions) : nothing}
    <div class="row">
      ${roll.doubtful.length > 0 ? html`<button class="plain ${roll.missing === 0 ? "strong" : ""}" ?disabled=${isBusy} @click=${() => void actions.callRoll()}>${WORDS.doubtful(roll.doubtful.length)}</button>` : nothing}
      ${isAsked(roll) ? nothing : completion(roll, isBusy, actions)}
    </div>
  </section>`;
}

/** While some are missing nobody is offered to call the table complete: what became of them is asked first. */
function isAsked({ missing, is_complete, is_waiting }: RollCallSheet): boolean {
  return missing > 0 && !is_complete && !is_waiting;
}

function absences({ sides, missing }: RollCallSheet, isBusy: boolean, actions: Actions): TemplateResult {
  return html`<div class="absences" role="group" aria-label=${WORDS.asks(missing)}><p class="note"><b>${WORDS.asks(missing)}</b> ${WORDS.unseen}</p>
    ${sides.flatMap(lacksOf).map((lack) => html`<div class="row"><span>${lackText(lack)}</span>
      <button class="plain" ?disabled=${isBusy} @click=${() => void actions.absent(lack, "casualty")}>${WORDS.casualty}</button>
      <button class="plain" ?disabled=${isBusy} @click=${() => void actions.absent(lack, "in-reserve")}>${text("armyReserve")}</button></div>`)}</div>`;
}

/** Told by one player, it holds when the other agrees. */
function completion(roll: RollCallSheet, isBusy: boolean, actions: Actions): TemplateResult {
  if (roll.is_complete) return html`<p class="note good" data-complete>${WORDS.isComplete}</p>`;
  const says = roll.is_waiting && roll.by ? WORDS.waits(seatName(roll.by)) : nothing;
  return html`${says === nothing ? nothing : html`<p class="note">${says}</p>`}
    <button class="plain ${roll.doubtful.length === 0 ? "strong" : ""}" ?disabled=${isBusy} @click=${() => void actions.complete()}>${roll.is_waiting ? WORDS.agree : WORDS.complete}</button>`;
}

/** Without lists each player may type how many stand there. */
function numbers(sides: readonly SideCount[], isBusy: boolean, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const inputs = [...(event.currentTarget as HTMLFormElement).querySelectorAll("input")];
    void actions.expect(sides.map(({ side }, i) => [side, inputs[i]?.valueAsNumber || 0]));
  };
  return html`<form class="row numbers" @submit=${send}>${sides.map(
    ({ side }) => html`<label>${side ?? WORDS.bases} <input type="number" inputmode="numeric" min="0" max="300" required /></label>`,
  )}<button class="plain" ?disabled=${isBusy}>${WORDS.count}</button></form>`;
}
