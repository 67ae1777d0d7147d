/** What a camera cannot know and a player tells with one thumb: reach and range. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import type { Line } from "../types.gen";

const REACHES_IN = [0.5, 1, 2];
const RANGES_IN = [5, 6, 8, 10, 12, 14];

export function chips({ turns_on }: Line, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (turns_on === "reach") {
    return choice("Melee reach", REACHES_IN, state.sheet?.reach_in ?? null, (reach) => actions.reach(reach));
  }
  if (turns_on === "range") {
    return choice("Range", RANGES_IN, state.sheet?.range_in ?? state.range_in, (range) => actions.range(range));
  }
  return nothing;
}

function choice(
  name: string,
  values: readonly number[],
  chosen: number | null,
  choose: (value: number) => void,
): TemplateResult {
  return html`<div class="chips" role="radiogroup" aria-label="${name} in inches">
    ${values.map(
      (value) => html`<button role="radio" aria-checked=${value === chosen} @click=${() => choose(value)}>
        ${value}″
      </button>`,
    )}
  </div>`;
}
