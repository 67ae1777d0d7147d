/** Ground below the bases: the table's edge, and terrain, hatched by its kind where no picture lies under it. */

import { nothing, svg, type SVGTemplateResult } from "lit";
import type { DrawnArea, DrawnTable } from "../../shared/types.gen";
import { points } from "./svg-path";

export function ground({ size, areas }: DrawnTable, isPainted: boolean): SVGTemplateResult {
  return svg`${isPainted ? nothing : hatches()}<rect class=${isPainted ? "edge" : "edge mat"} width=${size.width_mm} height=${size.depth_mm} />
    ${areas.map((one) => area(one, isPainted))}`;
}

/** Its outline, and without a picture a hatch by what kind of ground it is: colour never speaks alone. */
function area({ kind, outline_mm }: DrawnArea, isPainted: boolean): SVGTemplateResult {
  const drawn = svg`<polygon class="area ${kind} ${isPainted ? "" : "filled"}" points=${points(outline_mm)}><title>${kind.replaceAll("-", " ")}</title></polygon>`;
  const hatch = isPainted ? undefined : HATCH_OF.get(kind);
  return hatch ? svg`${drawn}<polygon class="hatched" points=${points(outline_mm)} fill="url(#hatch-${hatch})" />` : drawn;
}

type Hatch = "dots" | "rising" | "falling" | "crossed" | "level";
const HATCH_KINDS: Readonly<Record<Hatch, readonly string[]>> = {
  dots: ["forest", "hedge", "marsh", "cloud", "fog"],
  rising: ["hill", "platform", "terraced-obstruction"],
  falling: ["rough", "rubble", "ruin", "scree"],
  crossed: ["obstruction", "building", "structure", "wall", "fence", "obstacle", "linear-obstacle", "monument", "impassable"],
  level: ["trench", "shallow-water", "water", "deep-water", "river", "acid-bath", "burning-earth", "burning"],
};
const HATCH_OF = new Map((Object.keys(HATCH_KINDS) as Hatch[]).flatMap((hatch) => HATCH_KINDS[hatch].map((kind) => [kind, hatch] as const)));
const HATCHES: Readonly<Record<Hatch, string>> = {
  dots: "M8 8h.1M20 20h.1", rising: "M-4 28L28 -4M10 42L42 10", falling: "M-4 -4L28 28M10 -18L42 14",
  crossed: "M-4 28L28 -4M-4 -4L28 28", level: "M0 6h24M0 18h24",
};
const HATCH_MM = 24;

/** Patterns in table millimetres. */
function hatches(): SVGTemplateResult {
  return svg`<defs>${Object.entries(HATCHES).map(([name, d]) => svg`<pattern id="hatch-${name}" width=${HATCH_MM} height=${HATCH_MM} patternUnits="userSpaceOnUse">
    <path class="hatch ${name}" d=${d} /></pattern>`)}</defs>`;
}
