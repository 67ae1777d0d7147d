/** Range rings around one miniature, its front arc, and how far everybody is. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import { inches, isAnswered } from "../../shared/format";
import { onScreen, radius_mm, scaleOf, pointToward, type Frame, type Point, type Size } from "../../shared/geometry";
import { isRingHidden, miniature, type State } from "../state";
import type { MiniatureSheet, DrawnMiniature, OtherMiniature, Ring, Witness } from "../../shared/types.gen";
import { isOfTheirs } from "./miniature-sheet";
import { facingSigmasOf, type FacingSigmas } from "./arc-uncertainty";
import { points } from "./svg-path";
import { witnesses } from "./witness";
import { SAY } from "../../shared/strings";

const PLACES_DEG = [90, 45, 135, 0, 180, 315, 225, 270];
const PILL_PX = 20;
const LETTER_PX = 7.4;
const LETTER_UP_PX = 16;
const LEAST_PX = 34; // the name of a smaller ring would hide what is in it

/** In table millimetres. */
export function rings(around: MiniatureSheet, state: State): SVGTemplateResult {
  const visible = around.rings.filter((ring) => !isRingHidden(ring, state));
  const longest = Math.max(...visible.map((ring) => circleOf(ring)?.radius_mm ?? 0), 0);
  return svg`<g class="around">${visible.map(ring)}${front(around, longest)}</g>${shots(around, facingSigmasOf(state.table))}`;
}

/** Lines of sight to those it may shoot at, and what is in the way of the others. */
function shots({ others }: MiniatureSheet, sigmas: FacingSigmas): SVGTemplateResult {
  const sights = others.flatMap((other) => other.lines).filter(isAnswered).filter((line) => line.slot === "sight");
  return svg`${sights.map((line) => witnesses(line.verdict, false, sigmas))}`;
}

function circleOf(ring: Ring): Witness | undefined {
  return ring.verdict.witness.find((one) => one.type === "circle");
}

function ring(one: Ring): SVGTemplateResult | typeof nothing {
  const circle = circleOf(one);
  if (!circle?.centre_mm || circle.radius_mm === null) return nothing;
  const [x, y] = circle.centre_mm;
  const draw = (name: string) => svg`<circle class=${name} cx=${x} cy=${y} r=${circle.radius_mm} />`;
  return svg`<g class="ring ${one.slot}">${draw("casing")}${draw("line")}</g>`;
}

/** The lines that part the zones of a unit, else the line that the front arc ends at, as long as the longest ring is wide. */
function front({ front }: MiniatureSheet, long_mm: number): SVGTemplateResult | typeof nothing {
  if (front?.kind === "arc") return svg`${front.witness.filter((one) => one.role === "arc").map((one) => arcLine(points(one.points_mm ?? [])))}`;
  const line = front?.witness.find((one) => one.role === "arc")?.points_mm;
  const [p, q] = line ?? [];
  if (!p || !q) return nothing;
  const middle: Point = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
  const half = Math.hypot(q[0] - p[0], q[1] - p[1]) / 2 || 1;
  const grown = Math.max(1, long_mm / half);
  const out = ([x, y]: Point): Point => [middle[0] + (x - middle[0]) * grown, middle[1] + (y - middle[1]) * grown];
  return arcLine(points([out(p), out(q)]));
}

function arcLine(through: string): SVGTemplateResult {
  return svg`<g class="witness arc"><polyline class="casing" points=${through} /><polyline class="stroke" points=${through} /></g>`;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly half: number;
  readonly high: number;
}

/** In screen pixels: names of the rings, and how far everybody is; none over another. */
export function ringLabels(around: MiniatureSheet, state: State, frame: Frame): SVGTemplateResult {
  const taken: Box[] = [...(state.table?.miniatures.map((m) => boxOf(m, frame)) ?? []), ...letterOf(state, frame)];
  const visible = around.rings.filter((one) => !isRingHidden(one, state));
  const ringNames = [...visible].reverse().map((one) => ringLabel(one, frame, state.stage, taken));
  const isThreat = (other: OtherMiniature) => other.lines.some(isOfTheirs);
  const first = [...around.others].sort((one, other) => Number(isThreat(other)) - Number(isThreat(one)));
  return svg`${ringNames}${zones(around, state, frame, taken)}${first.map((other) => farLabel(other, isThreat(other) ? "far threat" : "far", state, frame, taken))}`;
}

const ZONES = { front: 0, left: 90, rear: 180, right: 270 } as const;
const ZONES_MM = [70, 120, 180, 260];

/** The names of a unit's zones, each ahead of its own side. */
function zones({ front, who }: MiniatureSheet, state: State, frame: Frame, taken: Box[]): SVGTemplateResult | typeof nothing {
  const m = miniature(state, who);
  if (front?.kind !== "arc" || !m || m.facing_deg === null || m.base.shape === "round") return nothing;
  const { width_mm, depth_mm } = m.base;
  const drawn = Object.entries(ZONES).map(([zone, turn]) => {
    const half = (turn % 180 ? width_mm : depth_mm) / 2;
    const at = (off: number) => onScreen(frame, pointToward(m.at_mm, (m.facing_deg ?? 0) + turn, half + off));
    const labelAt = (off: number) => pill(at(off), SAY.zone[zone as keyof typeof ZONES], "zone", state.stage, taken);
    return firstFitting(ZONES_MM, labelAt);
  });
  return svg`${drawn}`;
}

/** What is drawn at the first of these places where there is room. */
function firstFitting<Place>(places: readonly Place[], draw: (place: Place) => SVGTemplateResult | typeof nothing): SVGTemplateResult | typeof nothing {
  for (const place of places) {
    const drawn = draw(place);
    if (drawn !== nothing) return drawn;
  }
  return nothing;
}

/** How far somebody is: below the base, else above it, else beside it. */
function farLabel(other: OtherMiniature, name: string, state: State, frame: Frame, taken: Box[]): SVGTemplateResult | typeof nothing {
  const m = miniature(state, other.id);
  if (!m || other.distance_mm === null) return nothing;
  const [x, y] = onScreen(frame, m.at_mm);
  const text = inches(other.distance_mm);
  const [off, side] = [radius_mm(m) * scaleOf(frame) + PILL_PX / 2 + 3, radius_mm(m) * scaleOf(frame) + halfOf(text) + 3];
  const places: readonly Point[] = [[x, y + off], [x, y - off], [x + side, y], [x - side, y]];
  return firstFitting(places, (place) => pill(place, text, name, state.stage, taken));
}

function halfOf(text: string): number {
  return (text.length * LETTER_PX) / 2 + 7;
}

/** The room a base takes. */
function boxOf(m: DrawnMiniature, frame: Frame): Box {
  const [x, y] = onScreen(frame, m.at_mm);
  const half = radius_mm(m) * scaleOf(frame);
  return { x, y, half, high: half };
}

/** The room that the letter of A takes, or the length of a way. */
function letterOf(state: State, frame: Frame): readonly Box[] {
  const a = miniature(state, state.a);
  const at = state.path?.at ?? a?.at_mm;
  if (!a || !at) return [];
  const [x, y] = onScreen(frame, at);
  return [{ x, y: y - radius_mm(a) * scaleOf(frame) - LETTER_UP_PX, half: LETTER_UP_PX, high: LETTER_UP_PX }];
}

function ringLabel(one: Ring, frame: Frame, stage: Size, taken: Box[]): SVGTemplateResult | typeof nothing {
  const circle = circleOf(one);
  if (!circle?.centre_mm || circle.radius_mm === null || circle.radius_mm * scaleOf(frame) < LEAST_PX) return nothing;
  const text = `${one.name ?? SAY.ring[one.slot]} ${+one.length_in.toFixed(2)}″`;
  const { centre_mm, radius_mm: out } = circle;
  const labelAt = (turn: number) => pill(onScreen(frame, pointToward(centre_mm, turn, out)), text, `ring ${one.slot}`, stage, taken);
  return firstFitting(PLACES_DEG, labelAt);
}

/** The words on a dark ground; nothing where they would leave the stage or cover other words. */
function pill([x, y]: Point, text: string, name: string, stage: Size, taken: Box[]): SVGTemplateResult | typeof nothing {
  const half = halfOf(text);
  const isOutside = x - half < 0 || x + half > stage.width_px || y < PILL_PX / 2 || y > stage.height_px - PILL_PX / 2;
  const isOver = taken.some((box) => Math.abs(box.x - x) < box.half + half && Math.abs(box.y - y) < box.high + PILL_PX / 2);
  if (isOutside || isOver) return nothing;
  taken.push({ x, y, half, high: PILL_PX / 2 });
  return svg`<g class="pill ${name}" transform="translate(${x} ${y})" aria-hidden="true">
    <rect x=${-half} y=${-PILL_PX / 2} width=${2 * half} height=${PILL_PX} rx=${PILL_PX / 2} /><text dy="0.35em">${text}</text></g>`;
}
