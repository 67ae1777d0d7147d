/** Of which moment the picture and the lines over it are. */

import { html, nothing, type TemplateResult } from "lit";
import type { PictureCanvas } from "../../shared/picture-canvas";
import { SAY } from "../../shared/strings";
import { clockTime } from "../../shared/format";
import type { Rest } from "../../shared/types.gen";

/** `rest`: what is answered was measured at it; null: nothing is asked. Where no picture of it is kept, it says so. */
export function asOf(rest: Rest | null, picture: PictureCanvas): TemplateResult | typeof nothing {
  if (rest === null) return nothing;
  if (picture.isOf(rest)) return label(SAY.asOf(clockTime(rest.at_s)), "");
  if (rest.is_pictured || !picture.isPainted) return nothing;
  return label(SAY.asOfApart(clockTime(rest.at_s)), "apart");
}

function label(says: string, tone: string): TemplateResult {
  return html`<section class="as-of ${tone}" aria-label=${says}><span>${says}</span></section>`;
}
