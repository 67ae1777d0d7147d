/** Icons drawn with strokes, in the colour of the text around them, and the link past the table. */

import { svg, html, type TemplateResult, type SVGTemplateResult } from "lit";
import type { Mood } from "../../shared/format";

const PATHS = {
  yes: svg`<path d="M5 12.5l4.6 4.6L19 7.4"/>`,
  no: svg`<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>`,
  missing: svg`<circle cx="12" cy="12" r="8.5" stroke-dasharray="4 3"/><path d="M12 8.5v7M8.5 12h7"/>`,
  close: svg`<path d="M4 9.6c2.6-3 5.4-3 8 0s5.4 3 8 0M4 15.6c2.6-3 5.4-3 8 0s5.4 3 8 0"/>`,
  told: svg`<path d="M3 15.5L15.5 3 21 8.5 8.5 21zM7 11.5l2 2M10 8.5l3 3M13 5.5l2 2"/>`,
  unknown: svg`<path d="M8.5 9a3.6 3.6 0 1 1 5.3 3.2c-1.2.7-1.8 1.3-1.8 2.6M12 18.4v.2"/>`,
  swap: svg`<path d="M4 8.5h15l-4-4M20 15.5H5l4 4"/>`,
  clear: svg`<path d="M6 6l12 12M18 6L6 18"/>`,
  turn: svg`<path d="M4.5 12a7.5 7.5 0 0 1 13-5.1M19.5 12a7.5 7.5 0 0 1-13 5.1M18 3v4.2h-4.2M6 21v-4.2h4.2"/>`,
  whole: svg`<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>`,
  up: svg`<path d="M6 15l6-6 6 6"/>`,
  down: svg`<path d="M6 9l6 6 6-6"/>`,
  book: svg`<path d="M12 6.5C10 5 7.5 4.5 4 4.5v13c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2v-13c-3.5 0-6 .5-8 2zM12 6.5v13"/>`,
  warn: svg`<path d="M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.2"/>`,
  ask: svg`<circle cx="5.5" cy="17" r="3"/><circle cx="18.5" cy="7" r="3"/><path d="M8 15.2l8-6.2"/>`,
  move: svg`<circle cx="5.5" cy="18" r="2.6"/><path d="M8 17c5 0 3-8 8-9"/><circle cx="18.5" cy="6.5" r="3.2" stroke-dasharray="3 2.2"/>`,
  blast: svg`<circle cx="12" cy="12" r="8.5"/><circle cx="12" cy="12" r="1.2"/>`,
  table: svg`<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2.2"/><circle cx="9" cy="17" r="2.2"/>`,
  corner: svg`<path d="M5 19V8h9M10.5 4.5L14 8l-3.5 3.5"/>`,
  undo: svg`<path d="M9 5L4.5 9.5 9 14M5 9.5h8.5a5.5 5.5 0 0 1 0 11H9"/>`,
  back: svg`<path d="M4.5 12a7.5 7.5 0 1 0 2.5-5.6M4.5 4v4.2h4.2"/>`,
  left: svg`<path d="M5 13a7 7 0 1 1 3 5.7M5 7.5V13h5.5"/>`,
  right: svg`<path d="M19 13a7 7 0 1 0-3 5.7M19 7.5V13h-5.5"/>`,
  face: svg`<circle cx="8" cy="16" r="4.5"/><path d="M11.5 12.5L19 5M14 4.5h5.5V10"/>`,
  ahead: svg`<path d="M12 20V5M6.5 10L12 4.5 17.5 10"/>`,
  rear: svg`<path d="M12 4v15M6.5 14l5.5 5.5 5.5-5.5"/>`,
  aside: svg`<path d="M20 12H5M10 6.5L4.5 12l5.5 5.5"/>`,
  beside: svg`<path d="M4 12h15M14 6.5l5.5 5.5-5.5 5.5"/>`,
  bell: svg`<path d="M12 3a6 6 0 0 1 6 6c0 5 2 7 2 7H4s2-2 2-7a6 6 0 0 1 6-6zM10 19.5a2 2 0 0 0 4 0"/>`,
  hall: svg`<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"/>`,
  threat: svg`<path d="M12.5 3L6 13.5h5L10 21l8-11.5h-5.5z"/>`,
  before: svg`<path d="M14.5 6L8.5 12l6 6"/>`,
  after: svg`<path d="M9.5 6l6 6-6 6"/>`,
  play: svg`<path d="M8 5.5v13l10-6.5z"/>`,
  pause: svg`<path d="M9 6v12M15 6v12"/>`,
  share: svg`<circle cx="6" cy="12" r="2.6"/><circle cx="17.5" cy="5.5" r="2.6"/><circle cx="17.5" cy="18.5" r="2.6"/><path d="M8.3 10.7l6.9-3.9M8.3 13.3l6.9 3.9"/>`,
  gavel: svg`<path d="M3.5 20.5h11M5.5 17.5h7M8 14.5l-4-4 5.5-5.5 4 4zM12 8l8.5 8.5"/>`,
  mic: svg`<path d="M12 3.5a2.8 2.8 0 0 1 2.8 2.8v5a2.8 2.8 0 0 1-5.6 0v-5A2.8 2.8 0 0 1 12 3.5zM6 11a6 6 0 0 0 12 0M12 17v3.5"/>`,
  clock: svg`<circle cx="12" cy="13" r="7.5"/><path d="M12 9v4l2.6 2M9.5 2.5h5"/>`,
  lamp: svg`<path d="M7 4h10l2 6H5zM12 13v2M7 13l-2 6M17 13l2 6"/>`,
  eye: svg`<path d="M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12z"/><circle cx="12" cy="12" r="3"/>`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
}

export function moodIcon(mood: Mood): TemplateResult {
  return icon(mood);
}

/** Past the table, to the answers; the page's address stays as it is. */
export function skipLink(says: string): TemplateResult {
  const go = (event: Event) => {
    event.preventDefault();
    document.getElementById("answers")?.focus();
  };
  return html`<a class="aloud skip" href="#answers" @click=${go}>${says}</a>`;
}
