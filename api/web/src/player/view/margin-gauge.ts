/** Margin gauge: the limit in the middle, two sigma as a band about the margin. */

import { svg, html, nothing, type TemplateResult } from "lit";
import { figures, marginMm } from "../../shared/format";
import type { Verdict } from "../../shared/types.gen";
import { SAY } from "../../shared/strings";

const WIDE = 320;
const HIGH = 46;
const HALF = 150;
const LINE_Y = 16;
const SIGMAS = 2;

export function gauge(verdict: Verdict): TemplateResult | typeof nothing {
  const margin = verdict.margin_mm ?? verdict.margin_deg;
  const sigma = verdict.sigma_mm ?? verdict.sigma_deg ?? 0;
  if (margin === null || verdict.capped || verdict.answer === null) return nothing;
  const span = 1.15 * Math.max(Math.abs(margin) + SIGMAS * sigma, 2 * SIGMAS * sigma, 2);
  const at = (value: number) => WIDE / 2 + (HALF * value) / span;
  const band = Math.max(2 * SIGMAS * sigma * (HALF / span), 3);
  const words = figures(verdict);
  const aloud = SAY.gauge(words?.large ?? "", words ? `, ${marginMm(verdict) ?? words.small}` : "");
  return html`<svg class="gauge" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${aloud}>
    ${svg`<path class="axis" d="M${WIDE / 2 - HALF} ${LINE_Y}h${2 * HALF}"/>
      <rect class="band" x=${at(margin) - band / 2} y=${LINE_Y - 9} width=${band} height="18" rx="3"/>
      <path class="limit" d="M${WIDE / 2} ${LINE_Y - 13}v26"/>
      <path class="mark" d="M${at(margin)} ${LINE_Y - 9}v18"/>
      <text x=${WIDE / 2} y=${HIGH - 4}>${SAY.limit}</text>
      <text class="end" x=${WIDE / 2 - HALF} y=${HIGH - 4}>${SAY.missed}</text>
      <text class="start" x=${WIDE / 2 + HALF} y=${HIGH - 4}>${SAY.met}</text>`}
  </svg>`;
}
