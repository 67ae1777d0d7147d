/** Names of bases: beside each once the table is looked at closely, and of one that a finger rests on. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import { onScreen, radius_mm, scaleOf, type Frame } from "../../shared/geometry";
import { everyone, initialsOf } from "../../shared/entities";
import type { DrawnMiniature, DrawnTable } from "../../shared/types.gen";
import { leaderLine, textWidth, type LabelLayout } from "./label-layout";

const CLOSE_PX = 13; // a base that large on the screen leaves room for its name
const LEAST_PX = 7;
const MOST_PX = 20;
const TEXT_PX = 12;
const HIGH_PX = 18;
const FARTHEST_PX = 34;

/** In screen pixels, on each base that has room for them. */
export function baseInitials(drawn: DrawnTable, frame: Frame): SVGTemplateResult {
  return svg`${drawn.miniatures.map((m) => {
    const radius = radius_mm(m) * scaleOf(frame);
    if (radius < LEAST_PX || m.name === m.id) return nothing;
    const [x, y] = onScreen(frame, m.at_mm);
    return svg`<text class="initials" x=${x} y=${y} dy="0.35em" font-size=${Math.min(radius * 0.95, MOST_PX)} aria-hidden="true">${initialsOf(m.name)}</text>`;
  })}`;
}

/** In screen pixels, below each base, else around it; a name for which there is no room is left out. */
export function baseNames(labelled: string | null, drawn: DrawnTable, frame: Frame, layout: LabelLayout): SVGTemplateResult {
  const named = everyone(drawn).filter((m) => m.id === labelled || isClose(m, frame));
  const heldFirst = named.sort((m, n) => Number(n.id === labelled) - Number(m.id === labelled));
  return svg`${heldFirst.map((m) => {
    const half = textWidth(m.name, TEXT_PX) / 2 + 5;
    const anchor = { at: onScreen(frame, m.at_mm), radius: radius_mm(m) * scaleOf(frame), first_deg: 90 };
    const place = layout.beside(anchor, half, HIGH_PX / 2, FARTHEST_PX);
    if (place === null) return nothing;
    return svg`${leaderLine(place)}<g class="name ${m.id === labelled ? "held" : ""}" transform="translate(${place.x} ${place.y})" aria-hidden="true">
      <rect x=${-half} y=${-HIGH_PX / 2} width=${2 * half} height=${HIGH_PX} rx="6" /><text dy="0.35em">${m.name}</text></g>`;
  })}`;
}

function isClose(m: DrawnMiniature, frame: Frame): boolean {
  return m.unit === null && m.name !== m.id && radius_mm(m) * scaleOf(frame) >= CLOSE_PX;
}
