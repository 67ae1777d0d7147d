/** SVG's way of writing points. */

import type { Point } from "../../shared/geometry";

export function points(outline: readonly Point[]): string {
  return outline.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
}
