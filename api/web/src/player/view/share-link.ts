/** Share link: an address of a moment or an answer, to be copied or read by another phone's camera. */

import { html, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { SAY } from "../../shared/strings";
import "../past.css";

/** The link as text and as a code that another phone's camera reads. */
export function sharing(address: string, actions: Actions): TemplateResult {
  return html`<div class="share" role="group" aria-label=${SAY.shareMoment}>
    <img src="api/v1/qr.svg?${new URLSearchParams({ says: address }).toString()}" alt=${SAY.linkAsCode} width="148" height="148" />
    <input readonly .value=${address} aria-label=${SAY.link} />
    <button class="mend" @click=${() => void actions.past.copyLink()}>${SAY.copyLink}</button>
    <button class="mend" @click=${() => actions.past.endSharing()}>${SAY.close}</button>
  </div>`;
}
