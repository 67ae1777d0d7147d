/** What a camera cannot know and a player tells with one thumb: reach, range and speed. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import type { Line } from "../types.gen";
import { SAY } from "./words";

const REACHES_IN = [0.5, 1, 2];
const RANGES_IN = [5, 6, 8, 10, 12, 14];
const SPEEDS_IN = [4, 5, 6, 7, 8];

/** What was supposed in the answers that are shown. */
export interface Supposed {
  readonly reach_in: number | null;
  readonly speed_in: number | null;
}

export function chips({ turns_on }: Line, supposed: Supposed, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (turns_on === "reach") return choice(SAY.reachName, REACHES_IN, supposed.reach_in, (reach) => actions.reach(reach));
  if (turns_on === "speed") return choice(SAY.speedName, SPEEDS_IN, supposed.speed_in, (speed) => actions.speed(speed));
  if (turns_on === "range") return choice(SAY.rangeName, RANGES_IN, state.sheet?.range_in ?? state.range_in, (range) => actions.range(range));
  return nothing;
}

export function choice(
  name: string,
  values: readonly number[],
  chosen: number | null,
  choose: (value: number) => void,
): TemplateResult {
  return html`<div class="chips" role="radiogroup" aria-label=${SAY.inInches(name)}>
    ${values.map((value) => chip(`${value}″`, value === chosen, () => choose(value)))}
  </div>`;
}

export function chip(text: string, isChosen: boolean, choose: () => void, aloud = text): TemplateResult {
  return html`<button role="radio" aria-checked=${isChosen} aria-label=${aloud} @click=${choose}>${text}</button>`;
}
