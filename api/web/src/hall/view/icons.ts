/** Icons of the hall's page, in the strokes of the others. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Filter, Tab } from "../state";

const PATHS: Record<Tab | Filter | "stopped", SVGTemplateResult> = {
  tables: svg`<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"/>`,
  calls: svg`<path d="M12 3a6 6 0 0 1 6 6c0 5 2 7 2 7H4s2-2 2-7a6 6 0 0 1 6-6zM10 19.5a2 2 0 0 0 4 0"/>`,
  rounds: svg`<path d="M4 6h6v4H4zM4 14h6v4H4zM10 8h5v8h-5M15 12h5"/>`,
  penalties: svg`<path d="M6.5 3.5h11v17h-11zM9.5 8h5M9.5 12h5"/>`,
  event: svg`<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2.2"/><circle cx="9" cy="17" r="2.2"/>`,
  camera: svg`<path d="M3 7h4l2-2.5h6L17 7h4v12H3zM4 21L20 4"/>`,
  hand: svg`<path d="M8 12V6a1.5 1.5 0 0 1 3 0v5V4.500a1.500 1.500 0 0 1 3 0V11V6a1.500 1.500 0 0 1 3 0v8c0 4-2 6.500-5.500 6.500S7 19 4.500 14.500c1-1.200 2.500-1 3.500.5z"/>`,
  silent: svg`<path d="M3 9a13 13 0 0 1 18 0M6.500 13a8 8 0 0 1 11 0M10 17a3 3 0 0 1 4 0M4 21L20 3"/>`,
  time: svg`<circle cx="12" cy="13" r="7.5"/><path d="M12 9v4l2.6 2M9.5 2.5h5"/>`,
  open: svg`<circle cx="12" cy="12" r="8" stroke-dasharray="3 3"/>`,
  stopped: svg`<path d="M8 5v14M16 5v14"/>`,
};

export function hallIcon(name: keyof typeof PATHS): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
}
