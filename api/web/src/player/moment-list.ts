/** Moments of a game on a bar: where each stands, and what it is. */

import type { Moment } from "../shared/types.gen";

export type MomentKind = "rest" | "move" | "correction" | "ruling" | "clock" | "other";

/** A moment on the bar; `since_s`: how long after the first, long pauses shortened. */
export interface BarMoment extends Moment {
  readonly since_s: number;
  readonly kind: MomentKind;
}

/** So much of a pause is played: who waits longer scrubs. */
const LONGEST_PAUSE_S = 120;

const KINDS: readonly (readonly [RegExp, MomentKind])[] = [
  [/^settled$/, "rest"],
  [/^happened$/, "move"],
  [/^(corrected|undone|redone|roster)$/, "correction"],
  [/^(ruled|ruling-withdrawn|kept|doubt-settled|judge-called)$/, "ruling"],
  [/^clock/, "clock"],
];

/** Moments that change what stands on the table. */
const LAYS = /^(settled|corrected|undone|redone)$/;

/** These moments after those that are known already; before the first table at rest there is nothing to see. */
export function laidOut(known: readonly BarMoment[], more: readonly Moment[]): readonly BarMoment[] {
  const all = [...known];
  for (const one of more) {
    if (all.length === 0 && one.type !== "settled") continue;
    const before = all.at(-1);
    const pause_s = before ? Math.min(LONGEST_PAUSE_S, Math.max(0, one.at_s - before.at_s)) : 0;
    all.push({ ...one, since_s: (before?.since_s ?? 0) + pause_s, kind: KINDS.find(([type]) => type.test(one.type))?.[1] ?? "other" });
  }
  return all;
}

/** The newest moment at or before this place of the bar. */
export function momentAt(moments: readonly BarMoment[], since_s: number): BarMoment | null {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.since_s ?? 0) <= since_s) low = middle + 1;
    else high = middle;
  }
  return moments[Math.max(0, low - 1)] ?? null;
}

export function nearestMoment(moments: readonly BarMoment[], since_s: number): BarMoment | null {
  const before = momentAt(moments, since_s);
  const after = before && moments[moments.indexOf(before) + 1];
  return before && after && after.since_s - since_s < since_s - before.since_s ? after : before;
}

/** The newest moment up to this one that changed what stands on the table: their tables are one and the same. */
export function layingMoment(moments: readonly BarMoment[], n: number): number {
  return moments.findLast((one) => one.n <= n && LAYS.test(one.type))?.n ?? n;
}
