/** Drawing of the light, in table millimetres: what is on air or laid on the table, areas, marks; and what stays dark. */

import { nothing, svg, type SVGTemplateResult } from "lit";
import { answersOf, lineDrawings } from "../overlay/table-view";
import { scoreboardText } from "../overlay/lower-third";
import { withLetters } from "../player/view/answer-rows";
import { points } from "../player/view/svg-path";
import { witnessDrawing } from "../player/view/witness";
import { everyone } from "../shared/entities";
import { headlineOf } from "../shared/format";
import { pointToward, type Point } from "../shared/geometry";
import { phrase } from "../shared/language";
import type { Board, DrawnMiniature, LightBoard, OnAirItem } from "../shared/types.gen";
import type { LightMap } from "./light-map";

/** A figure is hardly higher than this share of its base's largest extent. */
const TALL = 1.3;
const LEAST_TALL_MM = 35;
const LAYERS = 7; // of a figure's height: between them its outline is narrower by less than the rim's margin
const RIM_MM = 2;
const TEXT_MM = 15;

/** All that shines, but for text. */
export function lightDrawing(light: LightBoard, item: OnAirItem | null): SVGTemplateResult {
  const { laid, settings, table } = light;
  const soft = (sigma_mm: number) => Math.hypot(sigma_mm, light.sigma_mm);
  const sigma_mm = Math.max(0, ...(item === null ? [] : answersOf(item).map(({ verdict }) => verdict.sigma_mm ?? 0)));
  return svg`${settings.areas && table ? table.areas.map((area) => svg`<polygon class="area ${area.kind}" points=${points(area.outline_mm)} />`) : nothing}
    ${item === null ? nothing : svg`<g class="air" data-sigma=${soft(sigma_mm)}>${lineDrawings(item)}</g>`}
    <g class="laid" data-sigma=${soft(laid.sigma_mm)}>${laid.shapes.map((shape) => svg`<g class="witness ${shape.role} ${laid.is_close ? "close" : ""}">${witnessDrawing(shape)}</g>`)}</g>`;
}

/** The table itself: what goes on beyond its edge would shine into somebody's face. */
export function tableDrawing({ table_mm: [width, depth] }: LightBoard): SVGTemplateResult {
  return svg`<polygon points=${points([[0, 0], [width, 0], [width, depth], [0, depth]])} />`;
}

/** What is on air in plain words, to be said aloud. */
export function spokenLines(item: OnAirItem): string {
  const names = Object.fromEntries(everyone(item.table).map(({ id, name }) => [id, name]));
  return answersOf(item).map((line) => `${withLetters(phrase(line.title), names, item)}: ${headlineOf(line)}`).join(". ");
}

export function marksDrawing({ marks_mm, mark_mm }: LightBoard): SVGTemplateResult {
  return svg`${marks_mm.map(([x, y]) => svg`<circle class="mark" cx=${x} cy=${y} r=${mark_mm} />`)}`;
}

/** Bases with all that stands on them, layer by layer as the projector sees them: black, so that nothing shines there. */
export function shadows({ table }: LightBoard, map: LightMap): SVGTemplateResult {
  return svg`${(table?.miniatures ?? []).map((m) => {
    const rim = rimOf(m);
    const tall_mm = Math.max(LEAST_TALL_MM, TALL * extentOf(m));
    const ground_mm = map.heightAt(m.at_mm);
    const layers = Array.from({ length: LAYERS }, (_, i) => rim.map((point) => map.at(point, ground_mm + (tall_mm * i) / (LAYERS - 1))));
    return svg`<g class="shadow" data-id=${m.id}>${layers.map((layer) => svg`<polygon points=${points(layer)} />`)}</g>`;
  })}`;
}

/** Clocks and score along the near edge, and along the far one for who sits there. */
export function edgeText({ table, settings }: LightBoard, board: Board | null, now_s: number, map: LightMap): SVGTemplateResult | typeof nothing {
  const text = board === null ? "" : scoreboardText(board, now_s);
  if (!table || !settings.edges || text === "") return nothing;
  const { width_mm, depth_mm } = table.size;
  const line = (y: number, isFar: boolean) =>
    svg`<text class="edge-text" transform=${map.textMatrix([width_mm / 2, y], isFar)} font-size=${TEXT_MM}>${text}</text>`;
  return svg`${line(TEXT_MM, false)}${line(depth_mm - TEXT_MM, true)}`;
}

function extentOf({ base }: DrawnMiniature): number {
  return base.shape === "round" ? base.diameter_mm : Math.max(base.width_mm, base.depth_mm);
}

/** The base's rim and a little more; where nobody knows how it is turned, as wide as it may be. */
function rimOf({ base, at_mm, facing_deg }: DrawnMiniature): Point[] {
  const turn = facing_deg ?? 0;
  const isRound = base.shape === "round" || facing_deg === null;
  const [width, depth] = isRound ? [extentOf({ base } as DrawnMiniature), extentOf({ base } as DrawnMiniature)] : [base.width_mm, base.depth_mm];
  const corner = base.shape === "rect" ? Math.SQRT2 : 1; // an ellipse through the corners holds the rectangle
  const [across, ahead] = [(corner * width) / 2 + RIM_MM, (corner * depth) / 2 + RIM_MM];
  return Array.from({ length: 36 }, (_, i) => {
    const [s, c] = [Math.sin((i * Math.PI) / 18), Math.cos((i * Math.PI) / 18)];
    return pointToward(pointToward(at_mm, turn, ahead * c), turn - 90, across * s);
  });
}
