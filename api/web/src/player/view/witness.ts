/** Witness of a verdict: the geometry that decides, drawn on the table. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import { figures, moodOf, type AnsweredLine, type Mood } from "../../shared/format";
import { arcPoints, onScreen, type Frame, type Point } from "../../shared/geometry";
import type { Verdict, Witness } from "../../shared/types.gen";
import { fan, isByArc, type FacingSigmas } from "./arc-uncertainty";
import { leaderLine, textWidth, type LabelLayout } from "./label-layout";
import { points } from "./svg-path";

/** What stands of a line where that is not the referee's own answer: the line is drawn so. */
export function ruledMood(line: AnsweredLine, mood: Mood): Mood | null {
  return line.ruling || mood !== moodOf(line) ? mood : null;
}

/** Arc lines belong to an opened line only, or to one that the arc decides: else they would hide the line that does. */
export function witnesses(verdict: Verdict, isOpen: boolean, sigmas: FacingSigmas, stands: Mood | null = null): SVGTemplateResult {
  const isClose = verdict.answer === "too-close";
  const showsArc = isOpen || (verdict.value.decided_by === "arc" && verdict.answer !== "yes");
  const drawn = verdict.witness.filter((one) => showsArc || one.role !== "arc");
  const tone = ({ role }: Witness) => (isClose && (role !== "arc" || isByArc(verdict)) ? "close" : "");
  return svg`${beyond(verdict)}${drawn.map((one) => svg`<g class="witness ${one.role} ${tone(one)} ${stands === null || one.role === "arc" ? "" : `stands-${stands}`}">${band(one, verdict)}${fan(one, sigmas)}${witnessDrawing(one)}</g>`)}`;
}

/** What would decide where the likeliest condition turns, dotted; only lines, which cover nothing. */
function beyond({ flips_if }: Verdict): SVGTemplateResult[] {
  const lines = (flips_if[0]?.witness ?? []).filter(({ type, role }) => (type === "segment" || type === "polyline") && role !== "arc");
  return lines.map((one) => svg`<g class="witness beyond ${one.role}">${witnessDrawing(one)}</g>`);
}

/** How far the deciding line may be off to either side, twice its sigma, in true size. */
function band(one: Witness, { sigma_mm, answer, value }: Verdict): SVGTemplateResult | typeof nothing {
  if (value.decided_by === "arc") return nothing; // then the facing is in doubt, and not this line
  const isDeciding = one.type === "segment" && (one.role === "clear" || one.role === "blocked" || one.role === "touching");
  if (!isDeciding || !sigma_mm || answer === null) return nothing;
  return svg`<polyline class="band" points=${points(one.points_mm ?? [])} stroke-width=${4 * sigma_mm} />`;
}

/** Every stroke twice: a dark casing keeps it readable on any mat. */
export function witnessDrawing(one: Witness): SVGTemplateResult | typeof nothing {
  const twice = (draw: (name: string) => SVGTemplateResult) => svg`${draw("casing")}${draw("stroke")}`;
  const through = one.points_mm ?? [];
  const centre = one.centre_mm ?? through[0];
  switch (one.type) {
    case "segment":
    case "polyline":
      return twice((name) => svg`<polyline class=${name} points=${points(through)} />`);
    case "polygon":
      return svg`<polygon class="fill" points=${points(through)} /><polygon class="stroke" points=${points(through)} />`;
    case "arc": {
      if (!one.centre_mm) return nothing;
      const along = arcPoints(one.centre_mm, one.radius_mm ?? 100, one.from_deg ?? 0, one.to_deg ?? 360);
      return twice((name) => svg`<polyline class=${name} points=${points(along)} />`);
    }
    case "circle":
      return centre ? twice((name) => svg`<circle class=${name} cx=${centre[0]} cy=${centre[1]} r=${one.radius_mm ?? 5} />`) : nothing;
    case "point":
      return centre ? svg`<path class="dot" d="M${centre[0]} ${centre[1]}h0" />` : nothing;
  }
}

const TEXT_PX = 14;
const LABEL_PX = 24;
/** Where along its line a length is written, and how far off it, the best first. */
const ALONG = [0.5, 0.35, 0.65, 0.2, 0.8];
const OFF_PX = [7, 26, 50, 80];
const SAME_MM = 0.5;

/** The length beside a measured line, in screen pixels, on the side where no other line runs; nothing where the table has no room. */
export function label(line: AnsweredLine, others: readonly AnsweredLine[], frame: Frame, layout: LabelLayout): SVGTemplateResult | typeof nothing {
  if (line.verdict.status !== "measured") return nothing;
  const [from, to] = measuredEnds(line, frame);
  const text = figures(line.verdict)?.large;
  if (!from || !to || !text) return nothing;
  const wide = textWidth(text, TEXT_PX) + 14;
  const along = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [nx, ny] = [(from[1] - to[1]) / along, (to[0] - from[0]) / along];
  const middle = midpoint(from, to);
  const taken = others.filter((other) => other !== line).map((other) => firstEnds(other, frame));
  const side = taken.some(([p, q]) => p && q && offsetAlong(middle, midpoint(p, q), [nx, ny]) > 0) ? -1 : 1;
  const beside_px = (Math.abs(nx) * wide) / 2 + (Math.abs(ny) * LABEL_PX) / 2;
  const places = OFF_PX.flatMap((off) => [side, -side].flatMap((to_side) => ALONG.map((share): Point => {
    const [x, y] = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
    return [x + nx * to_side * (beside_px + off), y + ny * to_side * (beside_px + off)];
  })));
  const free = layout.firstFree(places, wide / 2, LABEL_PX / 2) ?? layout.nearestFree(middle, wide / 2, LABEL_PX / 2);
  if (free === null) return nothing;
  const [x, y] = free;
  const isFar = Math.hypot(x - middle[0], y - middle[1]) > beside_px + along / 2;
  return svg`${isFar ? leaderLine({ x, y, leader: [[x, y], middle] }) : nothing}<g class="length" transform="translate(${x} ${y})" aria-hidden="true">
    <rect x=${-wide / 2} y=${-LABEL_PX / 2} width=${wide} height=${LABEL_PX} rx="12" /><text dy="0.35em">${text}</text>
  </g>`;
}

/** Both ends of the segment whose length a line of the sheet tells, on the screen; other segments only show where. */
function measuredEnds({ verdict }: AnsweredLine, frame: Frame): readonly Point[] {
  const length_mm = verdict.measured[0]?.value_mm ?? 0;
  const isIt = ([from, to]: readonly Point[]) => from && to && Math.abs(Math.hypot(to[0] - from[0], to[1] - from[1]) - length_mm) < SAME_MM;
  const it = verdict.witness.find((one) => one.type === "segment" && isIt(one.points_mm ?? []));
  return (it?.points_mm ?? []).map((point) => onScreen(frame, point));
}

/** Both ends of the segment that a line of the sheet draws first, on the screen. */
function firstEnds({ verdict }: AnsweredLine, frame: Frame): readonly Point[] {
  const segment = verdict.witness.find((one) => one.type === "segment")?.points_mm ?? [];
  return segment.map((point) => onScreen(frame, point));
}

function midpoint(p: Point, q: Point): Point {
  return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
}

function offsetAlong(from: Point, to: Point, normal: Point): number {
  return (to[0] - from[0]) * normal[0] + (to[1] - from[1]) * normal[1];
}
