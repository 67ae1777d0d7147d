/** A table drawn from what the hub knows: no picture, so that it takes little of the hall's Wi-Fi. */

import { html, svg, type TemplateResult } from "lit";
import { scaleOf, type Frame } from "../../shared/geometry";
import { sideClass } from "../../shared/entities";
import type { DrawnTable } from "../../shared/types.gen";
import { baseInitials } from "../../player/view/base-names";
import { footprint } from "../../player/view/base-marker";
import { ground } from "../../player/view/ground";

const PX_PER_MM = 0.6;

export function drawnTable(table: DrawnTable, says: string): TemplateResult {
  const { width_mm, depth_mm } = table.size;
  const frame: Frame = { sx: PX_PER_MM, sy: -PX_PER_MM, ex: 0, ey: PX_PER_MM * depth_mm };
  return html`<svg class="layer plain drawn" viewBox="0 0 ${PX_PER_MM * width_mm} ${PX_PER_MM * depth_mm}" role="img" aria-label=${says}>
    <g transform="matrix(${frame.sx} 0 0 ${frame.sy} ${frame.ex} ${frame.ey})">
      ${ground(table, false)}
      ${table.miniatures.map((m) => svg`<g class="base ${sideClass(m, table)} ${m.facing_deg === null ? "no-facing" : ""}"><title>${m.name}</title>${footprint(m, scaleOf(frame))}</g>`)}
    </g>
    ${baseInitials(table, frame)}
  </svg>`;
}
