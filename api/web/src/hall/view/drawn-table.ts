/** A table drawn from what the hub knows: no picture, so that it takes little of the hall's Wi-Fi. */

import { html, svg, type TemplateResult } from "lit";
import { scaleOf, type Frame } from "../../shared/geometry";
import type { DrawnTable } from "../../shared/types.gen";
import { footprint } from "../../player/view/base-marker";
import { points } from "../../player/view/svg-path";

const PX_PER_MM = 0.6;

export function drawnTable(table: DrawnTable, says: string): TemplateResult {
  const { width_mm, depth_mm } = table.size;
  const frame: Frame = { sx: PX_PER_MM, sy: -PX_PER_MM, ex: 0, ey: PX_PER_MM * depth_mm };
  return html`<svg class="layer drawn" viewBox="0 0 ${PX_PER_MM * width_mm} ${PX_PER_MM * depth_mm}" role="img" aria-label=${says}>
    <g transform="matrix(${frame.sx} 0 0 ${frame.sy} ${frame.ex} ${frame.ey})">
      <rect class="edge mat" width=${width_mm} height=${depth_mm} />
      ${table.areas.map((area) => svg`<polygon class="area filled ${area.kind}" points=${points(area.outline_mm)} />`)}
      ${table.miniatures.map((m) => svg`<g class="base ${sideClass(table, m.side)} ${m.facing_deg === null ? "no-facing" : ""}"><title>${m.name}</title>${footprint(m, scaleOf(frame))}</g>`)}
    </g>
  </svg>`;
}

/** The first two sides in their colours, with the same words as a pair's A and B. */
function sideClass(table: DrawnTable, side: string | null): string {
  const sides = [...new Set(table.miniatures.map((m) => m.side).filter((one) => one !== null))];
  return side === null ? "" : (["a", "b"][sides.indexOf(side)] ?? "");
}
