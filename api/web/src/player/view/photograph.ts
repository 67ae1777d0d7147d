/** Photograph buttons: a table without a camera of its own is seen in what phones send. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import { SAY } from "../../shared/strings";

export function photographButtons(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!state.byPhotograph || !state.rights.includes("mind")) return nothing;
  return html`<div class="shutter">
    ${button(state.table ? SAY.newPhotograph : SAY.photograph, state, (file) => actions.camera.photograph(file, false))}
    ${state.table ? button(SAY.anotherSide, state, (file) => actions.camera.photograph(file, true)) : nothing}
  </div>`;
}

function button(says: string, { isPhotographing }: State, send: (file: File) => Promise<void>): TemplateResult {
  const onChange = (event: Event): void => {
    const box = event.currentTarget as HTMLInputElement;
    const file = box.files?.[0];
    if (file) void send(file).finally(() => (box.value = ""));
  };
  return html`<label class="take" aria-disabled=${isPhotographing}>${says}<input class="aloud" type="file" accept="image/*,.heic"
    capture="environment" ?disabled=${isPhotographing} @change=${onChange} /></label>`;
}
