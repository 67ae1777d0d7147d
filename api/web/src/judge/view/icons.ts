/** Icons of the judge's page, in the strokes of the others. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Tab } from "../state";

const PATHS: Record<Tab | "tape" | "gavel" | "dice" | "play" | "stop", SVGTemplateResult> = {
  tables: svg`<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"/>`,
  timeline: svg`<path d="M6 4v16M6 7h13M6 12h9M6 17h11"/><circle cx="6" cy="7" r="1.6"/><circle cx="6" cy="12" r="1.6"/><circle cx="6" cy="17" r="1.6"/>`,
  table: svg`<path d="M3.5 20.5h11M5.5 17.5h7M8 14.5l-4-4 5.5-5.5 4 4zM12 8l8.5 8.5"/>`,
  clocks: svg`<circle cx="12" cy="13" r="7.5"/><path d="M12 9v4l2.6 2M9.5 2.5h5M12 2.5v3"/>`,
  stream: svg`<path d="M3 6h13v12H3zM16 10.5l5-3v9l-5-3"/>`,
  tape: svg`<path d="M3 9h18v7H3zM7 9v3M11 9v4M15 9v3M19 9v4"/>`,
  gavel: svg`<path d="M3.5 20.5h11M5.5 17.5h7M8 14.5l-4-4 5.5-5.5 4 4zM12 8l8.5 8.5"/>`,
  dice: svg`<path d="M4.5 4.5h15v15h-15z"/><path d="M8.5 8.5v.100M15.5 15.5v.100M12 12v.100M15.5 8.5v.100M8.5 15.5v.100" stroke-width="3"/>`,
  play: svg`<path d="M7 4.5v15l12-7.5z"/>`,
  stop: svg`<path d="M8 5v14M16 5v14"/>`,
};

export function tabIcon(name: keyof typeof PATHS): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
}
