/** A table drawn from what a server knows of it: no picture, so that it takes little of the hall's Wi-Fi. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { scaleOf, type Frame, type Point } from "../../shared/geometry";
import { everyone, sideClass } from "../../shared/entities";
import type { DrawnTable } from "../../shared/types.gen";
import { baseInitials } from "../../player/view/base-names";
import { footprint } from "../../player/view/base-marker";
import { ground } from "../../player/view/ground";

const PX_PER_MM = 0.6;
const THUMBNAIL_PX = [160, 110] as const;
/** Table around the two of a thumbnail, as a share of how far they are apart, and at least. */
const AROUND = 0.3;
const LEAST_AROUND_MM = 90;

export function drawnTable(table: DrawnTable, says: string): TemplateResult {
  const { width_mm, depth_mm } = table.size;
  const frame: Frame = { sx: PX_PER_MM, sy: -PX_PER_MM, ex: 0, ey: PX_PER_MM * depth_mm };
  return html`<svg class="layer plain drawn" viewBox="0 0 ${PX_PER_MM * width_mm} ${PX_PER_MM * depth_mm}" role="img" aria-label=${says}>${bases(table, frame, null)}</svg>`;
}

/** A small picture of the two of a question and what lies between; of the whole table where nobody is named. */
export function thumbnail(table: DrawnTable, pair: readonly string[]): TemplateResult {
  const [wide, high] = THUMBNAIL_PX;
  const places = everyone(table).filter((m) => pair.includes(m.id)).map((m) => m.at_mm);
  const { middle, scale } = places.length === 2 ? aroundPair(places) : wholeTable(table);
  const frame: Frame = { sx: scale, sy: -scale, ex: wide / 2 - scale * middle[0], ey: high / 2 + scale * middle[1] };
  const [from, to] = places;
  return html`<svg class="layer plain thumbnail" viewBox="0 0 ${wide} ${high}" aria-hidden="true">${bases(table, frame, pair)}
    ${from && to ? svg`<path class="between" d="M${frame.sx * from[0] + frame.ex} ${frame.sy * from[1] + frame.ey}L${frame.sx * to[0] + frame.ex} ${frame.sy * to[1] + frame.ey}" />` : nothing}</svg>`;
}

/** `pair`: who is asked about, in a small picture; null: a large one, in which each is named. */
function bases(table: DrawnTable, frame: Frame, pair: readonly string[] | null): SVGTemplateResult {
  const role = (id: string) => (id === pair?.[0] ? "a" : id === pair?.[1] ? "b" : "");
  return svg`<g transform="matrix(${frame.sx} 0 0 ${frame.sy} ${frame.ex} ${frame.ey})">
      ${ground(table, false)}
      ${table.miniatures.map((m) => svg`<g class="base ${role(m.unit ?? m.id)} ${sideClass(m, table)} ${m.facing_deg === null ? "no-facing" : ""}">${pair === null ? svg`<title>${m.name}</title>` : nothing}${footprint(m, scaleOf(frame))}</g>`)}
    </g>${baseInitials(table, frame)}`;
}

function aroundPair(places: readonly Point[]): { middle: Point; scale: number } {
  const [[x0, y0], [x1, y1]] = places as [Point, Point];
  const around_mm = Math.max(LEAST_AROUND_MM, AROUND * Math.hypot(x1 - x0, y1 - y0));
  const [wide, high] = THUMBNAIL_PX;
  const scale = Math.min(wide / (Math.abs(x1 - x0) + 2 * around_mm), high / (Math.abs(y1 - y0) + 2 * around_mm));
  return { middle: [(x0 + x1) / 2, (y0 + y1) / 2], scale };
}

function wholeTable({ size: { width_mm, depth_mm } }: DrawnTable): { middle: Point; scale: number } {
  const [wide, high] = THUMBNAIL_PX;
  return { middle: [width_mm / 2, depth_mm / 2], scale: Math.min(wide / width_mm, high / depth_mm) };
}
