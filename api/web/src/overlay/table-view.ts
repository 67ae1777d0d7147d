/** Table view on the stream: close up around a verdict, or whole; with its picture, or the lines alone. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { clockTime, inches, isAnswered, moodOf, type AnsweredLine } from "../shared/format";
import { onScreen, radius_mm, scaleOf, type Frame, type Point, type Size } from "../shared/geometry";
import { everyone, sideClass } from "../shared/entities";
import { baseInitials } from "../player/view/base-names";
import { tag, footprint } from "../player/view/base-marker";
import { facingSigmasOf } from "../player/view/arc-uncertainty";
import { LabelLayout } from "../player/view/label-layout";
import { points } from "../player/view/svg-path";
import { label, ruledMood, witnesses } from "../player/view/witness";
import { HIGH_PX, WIDE_PX, type Box, type Params } from "./url-params";
import type { DrawnTable, OnAirItem } from "../shared/types.gen";
import { pictureAddress } from "../shared/picture-canvas";
import { words } from "./strings";

/** Letters are drawn for a phone in the hand; a stream is watched from farther away. */
const LARGER = 1.75;
/** Table around what decides, so that one sees where on the table it is. */
const AROUND_MM = 55;
/** The picture has about a pixel a millimetre; closer than this it is a blur. */
const CLOSEST_PX_PER_MM = 1.5;
/** The same where the camera's own pixels are shown. */
const SHARPEST_PX_PER_MM = 4;
/** The hair: how closely the place that decides is shown, in a loupe of so many pixels, and its scale of a fifth of an inch. */
const HAIR_PX_PER_MM = 9;
const LOUPE_PX = 44;
const LOUPE_GAP_PX = 6;
const SCALE_MM = 5.08;
/** The lower third and a gap above it, as its style sheet says. */
const LOWER_THIRD_PX = 132;

/** The part of the table that decides; `mayCut`: whether the camera's own pixels of it may be fetched. */
export function closeUp(item: OnAirItem, { width, height }: { width: number; height: number }, mayCut: boolean): TemplateResult {
  const isSharp = mayCut && item.table.rest?.is_pictured === true;
  const [wide, high] = [width / LARGER, height / LARGER];
  const frame = frameAround(item, wide, high, isSharp ? SHARPEST_PX_PER_MM : CLOSEST_PX_PER_MM);
  const loupe = isSharp ? loupePlace(item, frame, wide, high) : null;
  return html`<svg class="layer closeup" viewBox="0 0 ${wide} ${high}" role="img" aria-label=${altText(item)}>
    <g class="approach" style="--from: ${seenIn(wholeFrame(item.table.size, wide, high), frame)}">
      ${ground(item, frame)} ${isSharp ? part(item, frame, wide, high) : nothing}
      <rect class="dim" x=${-9 * wide} y=${-9 * high} width=${19 * wide} height=${19 * high} />
      ${drawing(item, frame, item.table.miniatures, { width_px: wide, height_px: high }, loupe?.corner)}
    </g>
    ${loupe ? hair(item, loupe) : nothing}
  </svg>`;
}

/** The whole table in the middle of what is shown. */
function wholeFrame({ width_mm, depth_mm }: DrawnTable["size"], wide: number, high: number): Frame {
  const scale = Math.min(wide / width_mm, high / depth_mm);
  return { sx: scale, sy: -scale, ex: (wide - scale * width_mm) / 2, ey: (high + scale * depth_mm) / 2 };
}

/** What moves a drawing made for one frame to where another shows it, for a style sheet. */
function seenIn(other: Frame, frame: Frame): string {
  const k = scaleOf(other) / scaleOf(frame);
  return `translate(${other.ex - k * frame.ex}px, ${other.ey - k * frame.ey}px) scale(${k})`;
}

/** The place that decides, and the corner where its loupe lies: the one farthest from there and from the two. */
function loupePlace(item: OnAirItem, frame: Frame, wide: number, high: number): { at: Point; corner: Point } | null {
  const at = decidingPoint(item);
  if (at === null || scaleOf(frame) >= HAIR_PX_PER_MM) return null;
  const near_px = LOUPE_PX + LOUPE_GAP_PX;
  const pair = everyone(item.table).filter((m) => m.id === item.a || m.id === item.b).map((m) => m.at_mm);
  const kept = [at, ...pair].map((place) => onScreen(frame, place));
  const room = ([x, y]: Point) => Math.min(...kept.map(([px, py]) => Math.hypot(px - x, py - y)));
  const corners = [near_px, wide - near_px].flatMap((x) => [near_px, high - near_px].map((y): Point => [x, y]));
  return { at, corner: corners.reduce((best, one) => (room(one) > room(best) ? one : best)) };
}

/** The hair: the place that decides under a loupe, in the camera's own pixels, with a scale. */
function hair(item: OnAirItem, { at, corner: [cx, cy] }: { at: Point; corner: Point }): SVGTemplateResult {
  const close: Frame = { sx: HAIR_PX_PER_MM, sy: -HAIR_PX_PER_MM, ex: LOUPE_PX - HAIR_PX_PER_MM * at[0], ey: LOUPE_PX + HAIR_PX_PER_MM * at[1] };
  const bar = SCALE_MM * HAIR_PX_PER_MM;
  return svg`<g class="hair" transform="translate(${cx - LOUPE_PX} ${cy - LOUPE_PX})">
    <clipPath id="loupe"><circle cx=${LOUPE_PX} cy=${LOUPE_PX} r=${LOUPE_PX} /></clipPath>
    <g clip-path="url(#loupe)">${part(item, close, 2 * LOUPE_PX, 2 * LOUPE_PX)}<g transform=${matrix(close)}>${lineDrawings(item)}</g>
      <g class="scale" transform="translate(${LOUPE_PX - bar / 2} ${1.45 * LOUPE_PX})"><path d="M0 -4v8M0 0h${bar}m0 -4v8" /><text x=${bar / 2} dy="1.2em">${inches(SCALE_MM)}</text></g></g>
    <circle class="rim" cx=${LOUPE_PX} cy=${LOUPE_PX} r=${LOUPE_PX} />
  </g>`;
}

/** Where it decides: a point that the first answer names, else where its line ends. */
function decidingPoint(item: OnAirItem): Point | null {
  const witness = (answersOf(item)[0]?.verdict.witness ?? []).filter((one) => one.role !== "arc");
  const point = witness.find((one) => one.type === "point");
  const line = witness.find((one) => one.type === "segment");
  const at = point?.centre_mm ?? point?.points_mm?.[0] ?? line?.points_mm?.at(-1) ?? null;
  return at !== null && isOnTable(at, item.table) ? at : null;
}

/** What is in sight of the table, cut by the server from the picture that was measured in. */
function part({ id, table: { size } }: OnAirItem, frame: Frame, width: number, height: number): SVGTemplateResult | typeof nothing {
  const [left, right] = [-frame.ex / frame.sx, (width - frame.ex) / frame.sx].map((x) => Math.round(Math.min(size.width_mm, Math.max(0, x)))) as [number, number];
  const [near, far] = [(height - frame.ey) / frame.sy, -frame.ey / frame.sy].map((y) => Math.round(Math.min(size.depth_mm, Math.max(0, y)))) as [number, number];
  if (right <= left || far <= near) return nothing;
  const [x, y] = onScreen(frame, [left, far]);
  const search = new URLSearchParams({ left_mm: String(left), near_mm: String(near), right_mm: String(right), far_mm: String(far) });
  return svg`<image class="part" href="api/v1/overlay/air/${id}/part.jpg?${search.toString()}" x=${x} y=${y}
    width=${scaleOf(frame) * (right - left)} height=${scaleOf(frame) * (far - near)} preserveAspectRatio="none" />`;
}

/** The whole table, in the box that the address names: with its picture, or the lines alone. */
export function wholeTable(item: OnAirItem, params: Params): TemplateResult {
  const box = params.box ?? largest(item.table, params.safe_px, params.widgets.has("lowerthird") ? LOWER_THIRD_PX : 0);
  const { width_mm, depth_mm } = item.table.size;
  const scale = Math.min(box.width / width_mm, box.height / depth_mm) / LARGER;
  const frame = { sx: scale, sy: -scale, ex: box.x / LARGER, ey: box.y / LARGER + scale * depth_mm };
  const named = item.table.miniatures.filter((m) => isNamed(item, m.unit ?? m.id));
  return html`<svg class="layer whole" viewBox="0 0 ${WIDE_PX / LARGER} ${HIGH_PX / LARGER}" role="img" aria-label=${altText(item)}>
    ${params.widgets.has("table") ? ground(item, frame) : nothing}
    ${drawing(item, frame, params.widgets.has("table") ? item.table.miniatures : named, { width_px: WIDE_PX / LARGER, height_px: HIGH_PX / LARGER })}
  </svg>`;
}

export function answersOf(item: OnAirItem): AnsweredLine[] {
  return item.lines.filter(isAnswered);
}

/** The picture that was measured in, else that of the moment it was put on air; null: none. */
function groundAddress({ id, picture, table: { rest } }: OnAirItem): string | null {
  if (rest?.is_pictured) return pictureAddress(rest);
  return picture ? `api/v1/overlay/air/${id}.jpg` : null;
}

/** When what is shown was measured; where the picture under it is another, it says so. */
export function measuredAt({ picture, table: { rest } }: OnAirItem): string | null {
  if (rest === null) return null;
  if (rest.is_pictured) return words.asOf(clockTime(rest.at_s));
  return picture ? words.asOfApart(clockTime(rest.at_s)) : null;
}

/** Picture and edge of the table; terrain is filled where there is no picture. */
function ground(item: OnAirItem, frame: Frame): SVGTemplateResult {
  const { table } = item;
  const { width_mm, depth_mm } = table.size;
  const address = groundAddress(item);
  const [x, y] = onScreen(frame, [0, depth_mm]);
  const scale = scaleOf(frame);
  return svg`${address !== null
    ? svg`<image href=${address} x=${x} y=${y} width=${scale * width_mm} height=${scale * depth_mm}
        preserveAspectRatio="none" />`
    : nothing}
    <g transform=${matrix(frame)}>
      <rect class=${address !== null ? "edge" : "edge mat"} width=${width_mm} height=${depth_mm} />
      ${table.areas.map((area) => svg`<polygon class="area ${area.kind} ${address !== null ? "" : "filled"}" points=${points(area.outline_mm)} />`)}
    </g>`;
}

/** `loupe`: the middle of what lies on top. */
function drawing(item: OnAirItem, frame: Frame, miniatures: DrawnTable["miniatures"], stage: Size, loupe?: Point): SVGTemplateResult {
  const lines = answersOf(item);
  const blockers = new Set(lines.flatMap((line) => line.verdict.blockers));
  const role = (id: string) => (id === item.a ? "a" : id === item.b ? "b" : blockers.has(id) ? "blocker" : "");
  // Names last, and those of the two on top: nothing may hide who is meant.
  const tagged = everyone(item.table).filter((m) => role(m.id) !== "").sort((m, n) => role(m.id).length - role(n.id).length);
  const layout = new LabelLayout(item.table.miniatures, frame, stage);
  if (loupe) layout.reserve({ x: loupe[0], y: loupe[1], half: LOUPE_PX, high: LOUPE_PX });
  const tags = tagged.map((m) => tag(m, frame, m.id === item.a ? "A" : m.id === item.b ? "B" : m.name, role(m.id), layout, otherOf(item, m.id)));
  return svg`<g transform=${matrix(frame)}>
      ${miniatures.map((m) => svg`<g class="base ${role(m.unit ?? m.id)} ${sideClass(m, item.table)} ${m.facing_deg === null ? "no-facing" : ""}">${footprint(m, scaleOf(frame))}</g>`)}
      ${lineDrawings(item)}
    </g>
    ${baseInitials(item.table, frame)}
    ${lines.map((line) => label(line, lines, frame, layout))}
    ${tags}`;
}

/** What decides the answers, in table millimetres; the first answer's on top. */
export function lineDrawings(item: OnAirItem): SVGTemplateResult[] {
  return answersOf(item).reverse().map((line) => witnesses(line.verdict, item.lines.length === 1 || line.verdict.value["decided_by"] === "arc", facingSigmasOf(item.table), ruledMood(line, moodOf(line))));
}

/** The other of the two; null for who is neither, or where there is only one. */
function otherOf({ a, b, table }: OnAirItem, id: string): DrawnTable["miniatures"][number] | null {
  const other = id === a ? b : id === b ? a : null;
  return everyone(table).find((m) => m.id === other) ?? null;
}

function isNamed({ a, b, lines }: OnAirItem, id: string): boolean {
  return id === a || id === b || lines.some((line) => line.verdict?.blockers.includes(id));
}

/** Everything that decides, and some table around it. */
function frameAround(item: OnAirItem, width_px: number, height_px: number, closest: number): Frame {
  const named = everyone(item.table).filter((m) => isNamed(item, m.id)).flatMap((m) => extent(m.at_mm, radius_mm(m)));
  // Lines of sight and measure; an arc goes on far beyond what it decides.
  const lines = answersOf(item).flatMap((line) => line.verdict.witness.filter((one) => one.role !== "arc"));
  const rings = lines.flatMap((one) => (one.type === "circle" && one.centre_mm ? extent(one.centre_mm, one.radius_mm ?? 0) : []));
  const all = [...named, ...rings, ...lines.flatMap((one) => one.points_mm ?? []).filter((at) => isOnTable(at, item.table))];
  const extents = all.length > 0 ? all : extent([item.table.size.width_mm / 2, item.table.size.depth_mm / 2], item.table.size.width_mm / 2);
  const [x0, x1] = range(extents.map(([x]) => x));
  const [y0, y1] = range(extents.map(([, y]) => y));
  const scale = Math.min(
    width_px / (x1 - x0 + 2 * AROUND_MM), height_px / (y1 - y0 + 2 * AROUND_MM), closest);
  const { width_mm, depth_mm } = item.table.size;
  const x = clampMiddle((x0 + x1) / 2, width_px / scale, width_mm);
  const y = clampMiddle((y0 + y1) / 2, height_px / scale, depth_mm);
  return { sx: scale, sy: -scale, ex: width_px / 2 - scale * x, ey: height_px / 2 + scale * y };
}

/** The middle of what is seen, so that no more than need be lies beyond the table's edge. */
function clampMiddle(middle: number, named: number, side: number): number {
  return named >= side ? side / 2 : Math.min(side - named / 2, Math.max(named / 2, middle));
}

function isOnTable([x, y]: Point, { size }: DrawnTable): boolean {
  return x >= 0 && y >= 0 && x <= size.width_mm && y <= size.depth_mm;
}

function extent([x, y]: Point, by_mm: number): Point[] {
  return [[x - by_mm, y - by_mm], [x + by_mm, y + by_mm]];
}

function range(values: readonly number[]): Point {
  return [Math.min(...values), Math.max(...values)];
}

/** As large as the table fits between the safe edges, at the right; above the lower third, where there is one. */
function largest({ size }: DrawnTable, safe_px: number, below_px: number): Box {
  const high = HIGH_PX - 2 * safe_px - below_px;
  const scale = Math.min(high / size.depth_mm, (WIDE_PX - 2 * safe_px) / size.width_mm);
  const [width, height] = [scale * size.width_mm, scale * size.depth_mm];
  return { x: WIDE_PX - safe_px - width, y: safe_px + (high - height) / 2, width, height };
}

function matrix({ sx, sy, ex, ey }: Frame): string {
  return `matrix(${sx} 0 0 ${sy} ${ex} ${ey})`;
}

function altText(item: OnAirItem): string {
  return words.table(item.lines.map((line) => `${line.title}: ${line.headline ?? ""}`).join(". "));
}
