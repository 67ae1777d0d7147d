/** Geometry of table millimetres and screen pixels. The far edge is up, or down when the far player holds the phone; on a narrow screen a wide table lies on its side. */

import type { DrawnMiniature, ProposedDisc, ProposedTerrain, TableSize } from "./types.gen";

export type Point = readonly [number, number];

/** Zoom and shift on top of the fit of the whole table, CSS pixels. */
export interface View {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width_px: number;
  readonly height_px: number;
}

/** A table on the stage: what part of it is looked at, and from which edge. */
export interface Viewport {
  readonly table: { readonly size: TableSize } | null;
  readonly stage: Size;
  readonly view: View;
  readonly isTurned: boolean;
  /** whether a table wider than deep lies on its side; null: on a narrow screen */
  readonly quarter?: boolean | null;
  readonly isNarrow?: boolean;
}

/** Screen pixels of a table point: `x_px = sx * x_mm + ex`, `y_px = sy * y_mm + ey`; on its side, `y_mm` and `x_mm` there. */
export interface Frame {
  readonly sx: number;
  readonly sy: number;
  readonly ex: number;
  readonly ey: number;
  readonly isQuarter?: boolean;
}

const MARGIN_PX = 6;

/** Pixels per millimetre when the whole table fits. */
function fitScale(table: TableSize, stage: Size): number {
  const across = (stage.width_px - 2 * MARGIN_PX) / table.width_mm;
  const along = (stage.height_px - 2 * MARGIN_PX) / table.depth_mm;
  return Math.max(0.01, Math.min(across, along));
}

/** Whether the table lies on its side: its near edge to the right, or to the left for the far player. */
export function isQuarterTurned({ table, quarter, isNarrow }: Pick<Viewport, "table" | "quarter" | "isNarrow">): boolean {
  return isWide(table) && (quarter ?? isNarrow ?? false);
}

export function isWide(table: Viewport["table"]): boolean {
  return table !== null && table.size.width_mm > table.size.depth_mm;
}

export function frameOf(size: TableSize, stage: Size, view: View, isTurned: boolean, isQuarter = false): Frame {
  const table = isQuarter ? { width_mm: size.depth_mm, depth_mm: size.width_mm } : size;
  const fit = fitScale(table, stage);
  const left = (stage.width_px - fit * table.width_mm) / 2;
  const top = (stage.height_px - fit * table.depth_mm) / 2;
  const s = fit * view.k;
  const x0 = view.x + view.k * left;
  const y0 = view.y + view.k * top;
  if (isQuarter) {
    return isTurned ? { sx: s, sy: s, ex: x0, ey: y0, isQuarter } : { sx: -s, sy: -s, ex: x0 + s * table.width_mm, ey: y0 + s * table.depth_mm, isQuarter };
  }
  return isTurned
    ? { sx: -s, sy: s, ex: x0 + s * table.width_mm, ey: y0 }
    : { sx: s, sy: -s, ex: x0, ey: y0 + s * table.depth_mm };
}

export function viewportFrame(viewport: Viewport): Frame | null {
  const { table, stage, view, isTurned } = viewport;
  return table && frameOf(table.size, stage, view, isTurned, isQuarterTurned(viewport));
}

export function onScreen({ sx, sy, ex, ey, isQuarter }: Frame, [x, y]: Point): Point {
  return isQuarter ? [sx * y + ex, sy * x + ey] : [sx * x + ex, sy * y + ey];
}

export function onTable({ sx, sy, ex, ey, isQuarter }: Frame, [x, y]: Point): Point {
  const [across, down] = [(x - ex) / sx, (y - ey) / sy];
  return isQuarter ? [down, across] : [across, down];
}

/** Table millimetres to the screen, as SVG and CSS write it. */
export function matrixOf({ sx, sy, ex, ey, isQuarter }: Frame): string {
  return isQuarter ? `matrix(0 ${sy} ${sx} 0 ${ex} ${ey})` : `matrix(${sx} 0 0 ${sy} ${ex} ${ey})`;
}

/** The same for its picture, whose rows begin at the far edge. */
export function pictureMatrix({ sx, sy, ex, ey, isQuarter }: Frame, { depth_mm }: TableSize): string {
  return isQuarter ? `matrix(0, ${sy}, ${-sx}, 0, ${ex + sx * depth_mm}, ${ey})` : `matrix(${sx}, 0, 0, ${-sy}, ${ex}, ${ey + sy * depth_mm})`;
}

/** The place, or the nearest on the table. */
export function clampToTable({ table }: Pick<Viewport, "table">, [x, y]: Point): Point {
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return table ? [within(x, table.size.width_mm), within(y, table.size.depth_mm)] : [x, y];
}

/** Whether a point lies within an outline, by how often a ray from it crosses the outline. */
export function isInside([x, y]: Point, outline: readonly Point[]): boolean {
  return outline.reduce((inside, [x0, y0], i) => {
    const [x1, y1] = outline[(i + 1) % outline.length] ?? [x0, y0];
    return y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0) ? !inside : inside;
  }, false);
}

export function scaleOf(frame: Frame): number {
  return Math.abs(frame.sx);
}

/** Half the base's largest extent. */
export function radius_mm(miniature: DrawnMiniature): number {
  const base = miniature.base;
  return base.shape === "round" ? base.diameter_mm / 2 : Math.hypot(base.width_mm, base.depth_mm) / 2;
}

/** How far a tap is outside a base, in pixels; negative inside. */
function offBy_px(frame: Frame, tap: Point, miniature: DrawnMiniature): number {
  const [x, y] = onScreen(frame, miniature.at_mm);
  return Math.hypot(tap[0] - x, tap[1] - y) - radius_mm(miniature) * scaleOf(frame);
}

export const FINGER_PX = 22;
const CLEARLY_PX = 7;

export type Hit = { readonly id: string } | { readonly crowd: Point } | null;

/**
 * What a finger means: the base under or nearest to it, within 22 px of its rim. Where two are about as near, it is a
 * crowd, and the answer is the place to look at more closely.
 */
export function hitAt(frame: Frame, tap: Point, miniatures: readonly DrawnMiniature[]): Hit {
  const near = miniatures
    .map((m) => ({ id: m.unit ?? m.id, off: offBy_px(frame, tap, m) }))
    .filter((one) => one.off <= FINGER_PX)
    .sort((one, other) => one.off - other.off)
    .filter((one, i, all) => all.findIndex((other) => other.id === one.id) === i); // a unit is as near as its nearest
  const [first, second] = near;
  if (!first) return null;
  const isClear = !second || first.off <= -CLEARLY_PX || second.off - first.off >= CLEARLY_PX;
  return isClear ? { id: first.id } : { crowd: onTable(frame, tap) };
}

/** The view that shows these table points in the middle, `around_mm` of table about them at least. */
export function viewOf(viewport: Viewport, points: readonly Point[], around_mm: number): View {
  if (!viewport.table || points.length === 0) return viewport.view;
  const whole = viewportFrame({ ...viewport, view: { k: 1, x: 0, y: 0 } }) as Frame;
  const places = points.map((p) => onScreen(whole, p));
  const [x0, x1] = extent(places.map((p) => p[0]));
  const [y0, y1] = extent(places.map((p) => p[1]));
  const room = around_mm * scaleOf(whole);
  const { width_px, height_px } = viewport.stage;
  const k = Math.min(width_px / (x1 - x0 + room), height_px / (y1 - y0 + room), MOST_ZOOM);
  const zoom = Math.max(1, k);
  return { k: zoom, x: width_px / 2 - (zoom * (x0 + x1)) / 2, y: height_px / 2 - (zoom * (y0 + y1)) / 2 };
}

/** The view that keeps in the middle what is there, on a stage of another size; all of the table stays all of it. */
export function viewOnStage(viewport: Viewport, stage: Size): View {
  const { view, stage: before } = viewport;
  const frame = viewportFrame(viewport);
  const whole = viewportFrame({ ...viewport, stage, view: { k: 1, x: 0, y: 0 } });
  if (frame === null || whole === null || (view.k === 1 && view.x === 0 && view.y === 0)) return view;
  const [x, y] = onScreen(whole, onTable(frame, [before.width_px / 2, before.height_px / 2]));
  return { k: view.k, x: stage.width_px / 2 - view.k * x, y: stage.height_px / 2 - view.k * y };
}

export const MOST_ZOOM = 14;

function extent(values: readonly number[]): Point {
  return [Math.min(...values), Math.max(...values)];
}

/** Points along an arc, anticlockwise from one direction to the other. */
export function arcPoints(centre: Point, radius: number, from_deg: number, to_deg: number): Point[] {
  const turn = (((to_deg - from_deg) % 360) + 360) % 360 || 360;
  const steps = Math.max(2, Math.ceil(turn / 4));
  return Array.from({ length: steps + 1 }, (_, i) => pointToward(centre, from_deg + (turn * i) / steps, radius));
}

/** The point this far away in this direction. */
export function pointToward([x, y]: Point, direction_deg: number, by_mm: number): Point {
  const turn = (direction_deg * Math.PI) / 180;
  return [x + by_mm * Math.cos(turn), y + by_mm * Math.sin(turn)];
}

/** The direction from one point to another, degrees anticlockwise from +x. */
export function directionTo([x0, y0]: Point, [x1, y1]: Point): number {
  return (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
}

/** Where something proposed lies. */
export function outlineOf(proposed: ProposedTerrain | ProposedDisc): readonly Point[] {
  return proposed.what === "terrain" ? proposed.polygon_mm : arcPoints(proposed.centre_mm, proposed.diameter_mm / 2, 0, 360).slice(1);
}
