/** News and notes: what has just happened, and what is open, on a place of the table where they cover no base and no word. */

import { html, nothing, type TemplateResult } from "lit";
import { withNames } from "../../shared/format";
import type { Point, Size } from "../../shared/geometry";
import { namesOf, type State } from "../state";
import type { Actions } from "../actions";
import type { LabelLayout } from "./label-layout";
import { lazyView } from "./lazy-view";

const MARGIN_PX = 8;
const STEP_PX = 10;
const WIDTHS_PX = [640, 360, 280, 220, 170];
/** How large letters, lines and the edge around them are, at the usual size of text. */
const NEWS = { letter_px: 9, line_px: 21, edge_px: 34, least_px: 0 };
const NOTE = { letter_px: 8, line_px: 19, edge_px: 26, least_px: 0 };
/** A button at the side: how wide at most, and how high news is then at least. */
const BUTTON_PX = 130;
const LEAST_PX = 50;
const LETTERS_PX = 16;

/** For as long as it takes to read; over the answers where the table has no room. `layout` knows all bases and words; null: there is no table. */
export function news(state: State, layout: LabelLayout | null, actions: Actions): TemplateResult {
  const says = state.notice === null ? "" : withNames(state.notice, namesOf(state));
  const button = says !== "" && state.newsAnswer !== null ? (sheets(actions)?.newsButton(state.newsAnswer, actions) ?? nothing) : nothing;
  const room = button === nothing ? NEWS : { ...NEWS, edge_px: NEWS.edge_px + BUTTON_PX, least_px: LEAST_PX };
  const box = says === "" || layout === null ? null : freePlace(says, room, layout, state.stage, { fromBelow: true });
  const where = says === "" || layout === null ? "" : box === null ? "on-top" : "placed";
  return html`<div class="toast ${where}" role="status" .style=${styleOf(box)}><p>${says}</p>${button}</div>`;
}

/** What is open about the table, such as bases that nobody has confirmed; in its upper corner where there is room. */
export function openNote(says: string, layout: LabelLayout, stage: Size): TemplateResult | typeof nothing {
  if (says === "") return nothing;
  return html`<p class="unconfirmed" .style=${styleOf(freePlace(says, NOTE, layout, stage, { fromBelow: false }))}>${says}</p>`;
}

const sheets = lazyView(() => import("./sheets"));

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** Laid as a property: the page's policy allows no style attribute. */
function styleOf(box: Place | null): string {
  return box === null ? "" : `left:${box.left}px;top:${box.top}px;width:${box.width}px`;
}

function freePlace(says: string, { letter_px, line_px, edge_px, least_px }: typeof NEWS, layout: LabelLayout, stage: Size, { fromBelow }: { fromBelow: boolean }): Place | null {
  const larger = parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS_PX;
  for (const most of WIDTHS_PX) {
    const width = Math.min(most * larger, stage.width_px - 2 * MARGIN_PX, says.length * letter_px * larger + edge_px);
    const lines = Math.ceil((1.15 * says.length * letter_px * larger) / (width - edge_px));
    const [half, high] = [width / 2, (Math.max(lines * line_px * larger, least_px) + line_px) / 2];
    const free = layout.firstFree(fromBelow ? upward(stage, half, high) : downward(stage, half, high), half, high);
    if (free) return { left: Math.round(free[0] - half), top: Math.round(free[1] - high), width: Math.round(width) };
  }
  return null;
}

/** From the lower edge up, in the middle first. */
function* upward({ width_px, height_px }: Size, half: number, high: number): Iterable<Point> {
  for (let y = height_px - high - MARGIN_PX; y >= high + MARGIN_PX; y -= STEP_PX)
    for (const x of [width_px / 2, MARGIN_PX + half, width_px - MARGIN_PX - half]) yield [x, y];
}

/** From the upper edge down, at the left first. */
function* downward({ width_px, height_px }: Size, half: number, high: number): Iterable<Point> {
  for (let y = high + MARGIN_PX; y <= height_px - high - MARGIN_PX; y += STEP_PX)
    for (const x of [MARGIN_PX + half, width_px - MARGIN_PX - half, width_px / 2]) yield [x, y];
}
