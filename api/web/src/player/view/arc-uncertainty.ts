/** Arc uncertainty: how far an arc line may swing, its miniature's facing being as unsure as it is. */

import { svg, nothing, type SVGTemplateResult } from "lit";
import { everyone } from "../../shared/entities";
import { arcPoints, directionTo, type Point } from "../../shared/geometry";
import { miniature, type State } from "../state";
import type { DrawnTable, Verdict, Witness } from "../../shared/types.gen";
import { ghostsOf } from "../ghost-path";
import { points } from "./svg-path";

/** How surely a miniature is known to look where it looks, and the middle about which it turns. */
export interface FacingSigma {
  readonly at_mm: Point;
  readonly sigma_deg: number;
}

export type FacingSigmas = (id: string) => FacingSigma | null;

const SIGMAS = 2;
/** Wider than this, and front and back would run into each other. */
const WIDEST_DEG = 85;

/** As the table tells them. */
export function facingSigmasOf(table: Pick<DrawnTable, "units" | "miniatures"> | null): FacingSigmas {
  return (id) => {
    const m = everyone(table).find((one) => one.id === id) ?? table?.miniatures.find((one) => one.id === id);
    return m && m.facing_deg !== null ? { at_mm: m.at_mm, sigma_deg: m.sigma_facing_deg } : null;
  };
}

/** As the player supposes them: a ghost stands elsewhere, and who was told to look somewhere looks as surely as a thumb points. */
export function supposedFacingSigmas(state: State): FacingSigmas {
  const measured = facingSigmasOf(state.table);
  const ghosts = ghostsOf(state);
  return (id) => {
    const at_mm = ghosts[id]?.at_mm ?? miniature(state, id)?.at_mm;
    const sigma_deg = measured(id)?.sigma_deg ?? 0;
    return at_mm ? { at_mm, sigma_deg } : null;
  };
}

/** The band of twice its sigma on either side of an arc line, in true size. */
export function fan({ role, type, points_mm, of }: Witness, sigmas: FacingSigmas): SVGTemplateResult | typeof nothing {
  const [from, to] = points_mm ?? [];
  const sigma = sigmas(of[0] ?? "");
  if (role !== "arc" || type !== "segment" || !from || !to || !sigma?.sigma_deg) return nothing;
  const about = pivot(from, to, sigma.at_mm);
  const swing_deg = Math.min(SIGMAS * sigma.sigma_deg, WIDEST_DEG);
  return svg`${[from, to].filter((end) => distance(about, end) > 0).map((end) => {
    const ahead_deg = directionTo(about, end);
    const rim = arcPoints(about, distance(about, end), ahead_deg - swing_deg, ahead_deg + swing_deg);
    return svg`<polygon class="fan" points=${points([about, ...rim])} />`;
  })}`;
}

/** The facing that an arc line of this answer hangs on, and in how much doubt it is; null: in none. */
export function doubtOf({ witness }: Verdict, sigmas: FacingSigmas): { readonly id: string; readonly sigma_deg: number } | null {
  for (const { role, of } of witness) {
    const id = of[0];
    const sigma_deg = role === "arc" && id !== undefined ? (sigmas(id)?.sigma_deg ?? 0) : 0;
    if (id !== undefined && sigma_deg > 0) return { id, sigma_deg };
  }
  return null;
}

/** Whether the arc is what decides: it says so, or no other line of the answer could. */
export function isByArc({ value, witness }: Verdict): boolean {
  if (value.decided_by !== undefined) return value.decided_by === "arc";
  return !witness.some(({ role }) => role === "clear" || role === "blocked" || role === "touching");
}

/** An arc line runs through the middle of its base, or begins there or at a corner. */
function pivot(from: Point, to: Point, middle: Point): Point {
  const candidates: readonly Point[] = [[(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], from, to];
  return candidates.reduce((best, one) => (distance(one, middle) < distance(best, middle) ? one : best));
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
