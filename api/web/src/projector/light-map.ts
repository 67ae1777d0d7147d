/** Light map: table millimetres to the page's pixels by the projector's lens and pose, and drawings laid out by it. */

import { isInside, pointToward, type Point } from "../shared/geometry";
import type { Projector, Surface } from "../shared/types.gen";

const STEP_MM = 8;
const STEP_DEG = 1;

export class LightMap {
  /** `ratio`: the page's own pixels in a CSS pixel */
  constructor(
    private readonly projector: Projector,
    private readonly surfaces: readonly Surface[],
    private readonly ratio: number,
  ) {}

  /** Where light for a point shines from, CSS pixels; on raised ground as high as that, or at the height given. */
  at([x, y]: Point, z_mm = this.heightAt([x, y])): Point {
    const { lens, pose } = this.projector;
    const along = (i: 0 | 1 | 2) => pose.rotation[i][0] * x + pose.rotation[i][1] * y + pose.rotation[i][2] * z_mm + pose.translation_mm[i];
    const [u, v] = [along(0) / along(2), along(1) / along(2)];
    const [k1 = 0, k2 = 0] = lens.dist;
    const r2 = u * u + v * v;
    const bent = 1 + r2 * (k1 + r2 * k2);
    // A pixel's middle has whole coordinates in the calibration, and halves on a page.
    const onPage = (focal: number, value: number, centre: number) => (focal * value * bent + centre + 0.5) / this.ratio;
    return [onPage(lens.K[0][0], u, lens.K[0][2]), onPage(lens.K[1][1], v, lens.K[1][2])];
  }

  /** CSS pixels of a millimetre there. */
  scaleAt([x, y]: Point): number {
    const [p, q, r] = [this.at([x, y]), this.at([x + 1, y]), this.at([x, y + 1])];
    return Math.sqrt(Math.abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])));
  }

  /** What text at a point is drawn by, its letters upright for who sits at the near edge, or at the far one. */
  textMatrix([x, y]: Point, isFar: boolean): string {
    const [p, q, r] = [this.at([x, y]), this.at([x + 1, y]), this.at([x, y + 1])];
    const turn = isFar ? -1 : 1;
    return `matrix(${turn * (q[0] - p[0])} ${turn * (q[1] - p[1])} ${turn * (p[0] - r[0])} ${turn * (p[1] - r[1])} ${p[0]} ${p[1]})`;
  }

  /** How high the ground is there. */
  heightAt(at: Point): number {
    return Math.max(0, ...this.surfaces.filter(({ outline_mm }) => isInside(at, outline_mm)).map(({ z_mm }) => z_mm));
  }
}

/** The same drawing, in table millimetres, as the projector must show it; a group's `data-sigma` softens what is in it. */
export function layOut(drawing: Element, map: LightMap): Element[] {
  return [...drawing.children].flatMap((child) => {
    if (child.tagName === "g") return [layOutGroup(child, map)];
    const through = outlineOf(child);
    return through.length > 0 ? [pathOf(child, through, map)] : [];
  });
}

function layOutGroup(group: Element, map: LightMap): Element {
  const laid = group.cloneNode(false) as SVGElement;
  laid.append(...layOut(group, map));
  const sigma_mm = Number(group.getAttribute("data-sigma") ?? 0);
  const middle = Number.isFinite(sigma_mm) && sigma_mm > 0 ? outlineOf(group.querySelector("circle, polyline, polygon") ?? group)[0] : undefined;
  if (middle) laid.style.setProperty("--soft", `${(sigma_mm * map.scaleAt(middle)).toFixed(2)}px`);
  return laid;
}

function pathOf(element: Element, through: readonly Point[], map: LightMap): SVGPathElement {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const isClosed = element.tagName === "polygon" || element.tagName === "circle";
  const text = through.map((point) => map.at(point).map((value) => value.toFixed(3)).join(" ")).join("L");
  path.setAttribute("d", through.length === 1 ? `M${text}h0` : `M${text}${isClosed ? "Z" : ""}`);
  path.setAttribute("class", `${element.getAttribute("class") ?? ""} ${element.tagName === "circle" ? "round" : ""}`.trim());
  const wide_mm = Number(element.getAttribute("stroke-width") ?? 0);
  if (wide_mm > 0) path.style.setProperty("stroke-width", `${wide_mm * map.scaleAt(through[0] as Point)}px`);
  return path;
}

/** The points of a circle, a line or a dot, so near to each other that straight lines between them will do. */
function outlineOf(element: Element): readonly Point[] {
  const number = (name: string) => Number(element.getAttribute(name) ?? 0);
  switch (element.tagName) {
    case "circle":
      return Array.from({ length: 360 / STEP_DEG }, (_, i) => pointToward([number("cx"), number("cy")], i * STEP_DEG, number("r")));
    case "polyline":
    case "polygon":
      return subdivided(pointsOf(element.getAttribute("points") ?? ""), element.tagName === "polygon");
    case "path":
      return pointsOf((element.getAttribute("d") ?? "").replace(/h0$/, ""));
    default:
      return [];
  }
}

function pointsOf(text: string): Point[] {
  const numbers = (text.match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map(Number);
  return numbers.flatMap((x, i) => (i % 2 === 0 && numbers[i + 1] !== undefined ? [[x, numbers[i + 1] as number] as const] : []));
}

function subdivided(outline: readonly Point[], isClosed: boolean): readonly Point[] {
  return outline.flatMap(([x, y], i) => {
    const next = outline[i + 1] ?? (isClosed ? outline[0] : undefined);
    if (!next) return [[x, y] as const];
    const parts = Math.max(1, Math.ceil(Math.hypot(next[0] - x, next[1] - y) / STEP_MM));
    return Array.from({ length: parts }, (_, k) => [x + ((next[0] - x) * k) / parts, y + ((next[1] - y) * k) / parts] as const);
  });
}
