/** Freshness: how a table was seen last, as the key of its words and as a tone. */

import type { Freshness } from "./types.gen";

/** A look at the table as old as this is no look at it now. */
export const STALE_S = 3;

export type Look = "still" | "lost" | "ended" | "away" | "hand" | "moving" | "looking" | "seen";

export function lookOf({ source, is_visible, hand, is_settled, age_s }: Freshness): Look {
  if (source === "still" || source === "lost" || source === "ended") return source;
  if (!is_visible) return "away";
  if (hand) return "hand";
  if (!is_settled) return "moving";
  return age_s === null ? "looking" : "seen";
}

export function lookTone(fresh: Freshness, isTroubled: boolean): "good" | "wait" | "bad" {
  const look = lookOf(fresh);
  if (isTroubled || look === "lost" || look === "away") return "bad";
  return look === "still" || (look === "seen" && (fresh.age_s ?? 0) <= STALE_S) ? "good" : "wait";
}
