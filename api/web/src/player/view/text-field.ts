/** A text field that nobody else's save overwrites: what another told meanwhile is offered beside what is being typed. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { Actions } from "../actions";
import type { State, TextDraft } from "../state";
import { SAY } from "../../shared/strings";

interface FieldOptions {
  readonly list?: string;
  readonly maxlength: number;
}

export function textField(id: string, field: TextDraft["field"], known: string, state: State, actions: Actions, { list, maxlength }: FieldOptions): TemplateResult {
  const draft = state.draft?.id === id && state.draft.field === field ? state.draft : null;
  const type = (event: Event) => actions.draftText({ id, field, text: (event.target as HTMLInputElement).value, was: draft?.was ?? known });
  const isOther = draft !== null && draft.was !== known && draft.text !== known;
  return html`<input name=${field} autocomplete="off" list=${list ?? nothing} maxlength=${maxlength} .value=${live(draft?.text ?? known)}
      @focus=${(event: Event) => (event.target as HTMLInputElement).select()} @input=${type} />
    ${isOther ? html`<span class="meanwhile" role="alert"><span>${SAY.namedMeanwhile(whoTold(state, id), known)}</span>
      <button type="button" class="mend" @click=${() => actions.draftText({ ...draft, was: known })}>${SAY.keepMine}</button>
      <button type="button" class="mend" @click=${() => actions.draftText(null)}>${SAY.takeTheirs}</button></span>` : nothing}`;
}

/** Who told of this one last. */
function whoTold({ steps, seat }: State, id: string): string {
  const newest = [...steps].reverse().find((step) => step.changed_by !== seat && step.says.startsWith(`${id}:`));
  return SAY.seat[newest?.changed_by ?? "viewer"];
}
