/** Names of bases: beside each once the table is looked at closely, and of one that a finger rests on. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import { onScreen, radius_mm, scaleOf, type Frame, type Point } from "../../shared/geometry";
import { everyone } from "../../shared/entities";
import type { DrawnMiniature, DrawnTable } from "../../shared/types.gen";

const CLOSE_PX = 13; // a base that large on the screen leaves room for its name
const LETTER_PX = 7;
const HIGH_PX = 18;

/** In screen pixels, below each base; a name that would lie over another one is left out. */
export function baseNames(labelled: string | null, drawn: DrawnTable, frame: Frame): SVGTemplateResult {
  const taken: { readonly at: Point; readonly half: number }[] = [];
  const named = everyone(drawn).filter((m) => m.id === labelled || isClose(m, frame));
  const fits = ([x, y]: Point, half: number) => taken.every((one) => Math.abs(one.at[0] - x) > one.half + half || Math.abs(one.at[1] - y) > HIGH_PX);
  return svg`${named.map((m) => {
    const [x, y] = onScreen(frame, m.at_mm);
    const at: Point = [x, y + radius_mm(m) * scaleOf(frame) + HIGH_PX / 2 + 2];
    const half = (m.name.length * LETTER_PX) / 2 + 5;
    if (m.id !== labelled && !fits(at, half)) return nothing;
    taken.push({ at, half });
    return svg`<g class="name ${m.id === labelled ? "held" : ""}" transform="translate(${at[0]} ${at[1]})" aria-hidden="true">
      <rect x=${-half} y=${-HIGH_PX / 2} width=${2 * half} height=${HIGH_PX} rx="6" /><text dy="0.35em">${m.name}</text></g>`;
  })}`;
}

function isClose(m: DrawnMiniature, frame: Frame): boolean {
  return m.unit === null && m.name !== m.id && radius_mm(m) * scaleOf(frame) >= CLOSE_PX;
}
