/** Length cell at the end of a row: in the unit of the book, and below it how well it is known. */

import { html, nothing, type TemplateResult } from "lit";
import { doubtInches, inches, withSign } from "../../shared/format";

export function lengthCell(value_mm: number | null, sigma_mm: number | null): TemplateResult | typeof nothing {
  if (value_mm === null) return nothing;
  return cell(inches(value_mm), doubtInches(sigma_mm));
}

/** The same of a margin, with its sign. */
export function marginCell(margin_mm: number | null, sigma_mm: number | null): TemplateResult | typeof nothing {
  if (margin_mm === null) return nothing;
  return cell(withSign(inches(margin_mm), margin_mm), doubtInches(sigma_mm));
}

export function cell(large: string, small: string): TemplateResult {
  return html`<span class="far"><b>${large}</b><small>${small}</small></span>`;
}
