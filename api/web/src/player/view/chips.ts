/** Chips for what a camera cannot know and a player sets with one thumb: reach, range and speed. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Actions } from "../actions";
import type { State } from "../state";
import type { Line } from "../../shared/types.gen";
import { SAY } from "../../shared/strings";

const REACHES_IN = [0.5, 1, 2];
const RANGES_IN = [5, 6, 8, 10, 12, 14];
const SPEEDS_IN = [4, 5, 6, 7, 8];

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
    <input type="number" inputmode="decimal" min="0" max=${LONGEST_IN} step="any" aria-label=${SAY.inInches(name)} .value=${live(String(value))}
      @focus=${(event: FocusEvent) => (event.target as HTMLInputElement).select()}
      @change=${(event: Event) => set(Number((event.target as HTMLInputElement).value))} />
    <button class="tool" aria-label=${SAY.more(name)} @click=${() => set(value + STEP_IN)}>+</button>
  </div>`;
}

export function chip(text: string, isChosen: boolean, choose: () => void, aloud = text): TemplateResult {
  return html`<button role="radio" aria-checked=${isChosen} aria-label=${aloud} @click=${choose}>${text}</button>`;
}
