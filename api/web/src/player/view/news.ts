/** News: what has just happened, on a place of the table where it covers no base and no word; where there is none, over the answers. */

import { html, type TemplateResult } from "lit";
import { withNames } from "../../shared/format";
import type { Point, Size } from "../../shared/geometry";
import { namesOf, type State } from "../state";
import type { LabelLayout } from "./label-layout";
import { unconfirmedText, rollText } from "./unconfirmed-bases";

const MARGIN_PX = 8;
const STEP_PX = 10;
/** Round buttons stand in the lower corners, banners along the lower edge, what is open along the upper one. */
const CORNER_PX = 58;
const STRIP_PX = 76;
const WIDTHS_PX = [640, 360, 280, 220, 170];
const LETTER_PX = 9;
const LINE_PX = 21;
const PADDING_PX = 34;
const LETTERS_PX = 16;

/** Above the answers, for as long as it takes to read; `layout` knows all bases and words of the stage, null: there is no table. */
export function news(state: State, layout: LabelLayout | null): TemplateResult {
  const says = state.notice === null ? "" : withNames(state.notice, namesOf(state));
  const box = says === "" || layout === null ? null : freePlace(says, state, layout);
  const style = box === null ? "" : `left:${box.left}px;top:${box.top}px;width:${box.width}px`;
  const where = says === "" || layout === null ? "" : box === null ? "on-top" : "placed";
  return html`<p class="toast ${where}" role="status" .style=${style}>${says}</p>`; // as a property: the page's policy allows no style attribute
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

function freePlace(says: string, state: State, layout: LabelLayout): Place | null {
  const { width_px } = state.stage;
  reserveEdges(state, layout);
  const larger = parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS_PX;
  for (const most of WIDTHS_PX) {
    const width = Math.min(most * larger, width_px - 2 * MARGIN_PX, says.length * LETTER_PX * larger + PADDING_PX);
    const lines = Math.ceil((1.15 * says.length * LETTER_PX * larger) / (width - PADDING_PX));
    const [half, high] = [width / 2, (lines * LINE_PX * larger + PADDING_PX / 1.6) / 2];
    const free = layout.firstFree(places(state.stage, half, high), half, high);
    if (free) return { left: Math.round(free[0] - half), top: Math.round(free[1] - high), width: Math.round(width) };
  }
  return null;
}

/** From the lower edge up, in the middle first. */
function* places({ width_px, height_px }: Size, half: number, high: number): Iterable<Point> {
  for (let y = height_px - high - MARGIN_PX; y >= high + MARGIN_PX; y -= STEP_PX)
    for (const x of [width_px / 2, MARGIN_PX + half, width_px - MARGIN_PX - half]) yield [x, y];
}

function reserveEdges({ stage, link, problem, alarms, candidate, table, rulings }: State, layout: LabelLayout): void {
  const { width_px, height_px } = stage;
  for (const x of [CORNER_PX, width_px - CORNER_PX]) layout.reserve({ x, y: height_px - CORNER_PX / 2, half: CORNER_PX, high: CORNER_PX / 2 });
  const strip = (y: number) => layout.reserve({ x: width_px / 2, y, half: width_px / 2, high: STRIP_PX / 2 });
  if (link === "lost" || problem !== null || alarms.length > 0 || candidate !== null) strip(height_px - STRIP_PX / 2);
  if (rulings.length > 0 || unconfirmedText(table) || rollText(table)) strip(STRIP_PX / 2);
}
