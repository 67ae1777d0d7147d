/** Range rings around one miniature, its front arc, and how far everybody is. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import { inches, isAnswered } from "../../shared/format";
import { onScreen, radius_mm, scaleOf, pointToward, type Frame, type Point } from "../../shared/geometry";
import { isRingHidden, miniature, type State } from "../state";
import type { MiniatureSheet, OtherMiniature, Ring, Witness } from "../../shared/types.gen";
import { isOfTheirs } from "./miniature-sheet";
import { facingSigmasOf, type FacingSigmas } from "./arc-uncertainty";
import { leaderLine, textWidth, type LabelLayout } from "./label-layout";
import { points } from "./svg-path";
import { witnesses } from "./witness";
import { SAY } from "../../shared/strings";

const PLACES_DEG = [90, 45, 135, 0, 180, 315, 225, 270];
const PILL_PX = 20;
const TEXT_PX = 12.5;
const FARTHEST_PX = 16;
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

/** In screen pixels: names of the rings, and how far everybody is; none over another. */
export function ringLabels(around: MiniatureSheet, state: State, frame: Frame, layout: LabelLayout): SVGTemplateResult {
  const visible = around.rings.filter((one) => !isRingHidden(one, state));
  const ringNames = [...visible].reverse().map((one) => ringLabel(one, frame, layout));
  const isThreat = (other: OtherMiniature) => other.lines.some(isOfTheirs);
  const first = [...around.others].sort((one, other) => Number(isThreat(other)) - Number(isThreat(one)));
  return svg`${ringNames}${zones(around, state, frame, layout)}${first.map((other) => farLabel(other, isThreat(other) ? "far threat" : "far", state, frame, layout))}`;
}

const ZONES = { front: 0, left: 90, rear: 180, right: 270 } as const;
const ZONES_MM = [70, 120, 180, 260];

/** The names of a unit's zones, each ahead of its own side. */
function zones({ front, who }: MiniatureSheet, state: State, frame: Frame, layout: LabelLayout): SVGTemplateResult | typeof nothing {
  const m = miniature(state, who);
  if (front?.kind !== "arc" || !m || m.facing_deg === null || m.base.shape === "round") return nothing;
  const { width_mm, depth_mm } = m.base;
  const drawn = Object.entries(ZONES).map(([zone, turn]) => {
    const half = (turn % 180 ? width_mm : depth_mm) / 2;
    const at = (off: number) => onScreen(frame, pointToward(m.at_mm, (m.facing_deg ?? 0) + turn, half + off));
    return pill(ZONES_MM.map(at), SAY.zone[zone as keyof typeof ZONES], "zone", layout);
  });
  return svg`${drawn}`;
}

/** How far somebody is: below the base, else around it; nothing where there is no room. */
function farLabel(other: OtherMiniature, name: string, state: State, frame: Frame, layout: LabelLayout): SVGTemplateResult | typeof nothing {
  const m = miniature(state, other.id);
  if (!m || other.distance_mm === null) return nothing;
  const text = inches(other.distance_mm);
  const place = layout.beside({ at: onScreen(frame, m.at_mm), radius: radius_mm(m) * scaleOf(frame), first_deg: 90 }, halfOf(text), PILL_PX / 2, FARTHEST_PX);
  return place === null ? nothing : svg`${leaderLine(place)}${words([place.x, place.y], text, name)}`;
}

function halfOf(text: string): number {
  return textWidth(text, TEXT_PX) / 2 + 7;
}

function ringLabel(one: Ring, frame: Frame, layout: LabelLayout): SVGTemplateResult | typeof nothing {
  const circle = circleOf(one);
  if (!circle?.centre_mm || circle.radius_mm === null || circle.radius_mm * scaleOf(frame) < LEAST_PX) return nothing;
  const text = `${one.name ?? SAY.ring[one.slot]} ${+one.length_in.toFixed(2)}″`;
  const { centre_mm, radius_mm: out } = circle;
  return pill(PLACES_DEG.map((turn) => onScreen(frame, pointToward(centre_mm, turn, out))), text, `ring ${one.slot}`, layout);
}

/** The words on a dark ground at the first of these places that is free; nothing where none is. */
function pill(places: readonly Point[], text: string, name: string, layout: LabelLayout): SVGTemplateResult | typeof nothing {
  const place = layout.firstFree(places, halfOf(text), PILL_PX / 2);
  return place === null ? nothing : words(place, text, name);
}

function words([x, y]: Point, text: string, name: string): SVGTemplateResult {
  const half = halfOf(text);
  return svg`<g class="pill ${name}" transform="translate(${x} ${y})" aria-hidden="true">
    <rect x=${-half} y=${-PILL_PX / 2} width=${2 * half} height=${PILL_PX} rx=${PILL_PX / 2} /><text dy="0.35em">${text}</text></g>`;
}
