/** Of which moment the picture and the lines over it are. */

import { html, nothing, type TemplateResult } from "lit";
import type { PictureCanvas } from "../../shared/picture-canvas";
import { SAY } from "../../shared/strings";
import { clockTime } from "../../shared/format";
import type { Freshness, Rest } from "../../shared/types.gen";

/** `rest`: what is answered was measured at it; null: nothing is asked. `now`: how the table looks now; null: an earlier moment is looked at. Where no picture is kept, it says so. */
export function asOf(rest: Rest | null, picture: PictureCanvas, now: Freshness | null): TemplateResult | typeof nothing {
  if (rest === null) return nothing;
  if (picture.isOf(rest)) return label((now !== null && isAtRest(now) ? SAY.asOfStill : SAY.asOf)(clockTime(rest.at_s)), "");
  if (rest.is_pictured || !picture.isPainted) return nothing;
  return label(SAY.asOfApart(clockTime(rest.at_s)), "apart");
}

/** Whether the camera sees the table, and nothing on it has moved since it came to rest. */
function isAtRest({ source, is_visible, is_settled, hand, in_hand }: Freshness): boolean {
  return source === "playing" && is_visible && is_settled && !hand && in_hand.length === 0;
}

function label(says: string, tone: string): TemplateResult {
  return html`<section class="as-of ${tone}" aria-label=${says}><span>${says}</span></section>`;
}
