/** Segmented control: one of a few, with one tap. */

import { html, type TemplateResult } from "lit";

export interface Option<Value> {
  readonly value: Value;
  readonly says: string;
}

export function choice<Value>(
  name: string,
  options: readonly Option<Value>[],
  chosen: Value,
  choose: (value: Value) => void,
): TemplateResult {
  return html`<fieldset class="choice"><legend>${name}</legend>
    <div class="options">${options.map(
      ({ value, says }) => html`<button type="button" aria-pressed=${value === chosen} @click=${() => choose(value)}>${says}</button>`,
    )}</div>
  </fieldset>`;
}

export function options<Value extends string | number>(values: readonly Value[]): Option<Value>[] {
  return values.map((value) => ({ value, says: String(value) }));
}

export function optionsOf(says: Readonly<Record<string, string>>): Option<string>[] {
  return Object.entries(says).map(([value, said]) => ({ value, says: said }));
}
