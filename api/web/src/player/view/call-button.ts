/** The button that calls a judge of the hall. */

import { html, nothing, type TemplateResult } from "lit";
import { SAY } from "../../shared/strings";
import type { Actions } from "../actions";
import type { State } from "../state";
import { icon } from "./icons";

/** The button on top of the page: one tap calls; where a judge is called already, it leads to what the hall says. */
export function callButton(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!state.call?.in_hall || !state.rights.includes("correct")) return nothing;
  const isOpen = state.call.is_open;
  return html`<button class="round call-judge" aria-pressed=${isOpen} aria-label=${isOpen ? SAY.hall.called : SAY.hall.call}
    @click=${() => (isOpen ? actions.useTool("hall") : actions.hall.callJudge())}>${icon("bell")}</button>`;
}
