/** A length at the end of a row: in inches, and below it in millimetres with its doubt. */

import { html, nothing, type TemplateResult } from "lit";
import { inches, lengthOf, signed } from "../format";

export function far(value_mm: number | null, sigma_mm: number | null): TemplateResult | typeof nothing {
  if (value_mm === null) return nothing;
  return cell(inches(value_mm), lengthOf({ name: "", value_mm, sigma_mm: sigma_mm ?? 0 }));
}

/** The same of a margin, with its sign. */
export function farMargin(margin_mm: number | null, sigma_mm: number | null): TemplateResult | typeof nothing {
  if (margin_mm === null) return nothing;
  return cell(signed(inches(margin_mm), margin_mm), lengthOf({ name: "", value_mm: margin_mm, sigma_mm: sigma_mm ?? 0 }));
}

export function cell(large: string, small: string): TemplateResult {
  return html`<span class="far"><b>${large}</b><small>${small}</small></span>`;
}
