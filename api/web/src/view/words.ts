/** Sentences about the table and its camera. */

import { age, inches } from "../format";
import { miniature, type State } from "../state";
import type { DrawnMiniature, EventLine } from "../types.gen";

export function sizeOf({ base }: DrawnMiniature): string {
  return base.shape === "round" ? `${base.diameter_mm} mm` : `${base.width_mm} × ${base.depth_mm} mm`;
}

export function facingOf({ facing_deg }: DrawnMiniature): string {
  return facing_deg === null ? "facing ?" : `faces ${Math.round(facing_deg) % 360}°`;
}

export function happened(state: State, event: EventLine): string {
  const who = event.ids.map((id) => miniature(state, id)?.name ?? id).join(", ") || "Something";
  switch (event.type) {
    case "moved":
      return `${who} moved${far(event)}`;
    case "turned":
      return `${who} turned`;
    case "removed":
      return `${who} left the table`;
    case "appeared":
      return `${who} is new on the table`;
    case "in-hand":
      return `${who} in hand`;
    case "swapped":
      return `${who} changed places`;
    case "camera-moved":
      return `The camera moved${event.detail ? `: ${event.detail}` : ""}`;
    case "obstructed":
      return "Something is in front of the camera";
    case "lost-source":
      return "The camera went away";
    case "back":
      return who === "Something" ? "The table is back in view" : `${who} is back`;
    case "unsure":
      return event.detail ?? `${who}: not sure which is which`;
  }
}

function far({ from_mm, to_mm }: EventLine): string {
  if (!from_mm || !to_mm) return "";
  return ` ${inches(Math.hypot(to_mm[0] - from_mm[0], to_mm[1] - from_mm[1]))}`;
}

export interface Badge {
  readonly tone: "good" | "wait" | "bad";
  readonly says: string;
}

const STALE_S = 3;

/** What the badge says of the picture's freshness. */
export function badge(state: State): Badge {
  const { fresh } = state;
  if (state.link !== "open") return { tone: "bad", says: state.link === "lost" ? "no connection" : "connecting" };
  if (fresh.source === "still") return { tone: "good", says: "fixed state" };
  const old_s = fresh.age_s === null ? null : fresh.age_s + (state.now_ms - state.freshAt_ms) / 1000;
  if (fresh.source === "lost") return { tone: "bad", says: old_s === null ? "source lost" : `source lost, ${age(old_s)} ago` };
  if (fresh.source === "ended") return { tone: "wait", says: "recording ended" };
  if (state.problem?.type === "world/camera_moved") return { tone: "bad", says: "camera moved" };
  if (state.problem?.type === "world/camera_hidden") return { tone: "bad", says: "view covered" };
  if (old_s === null) return { tone: "wait", says: "looking at the table" };
  if (!fresh.is_visible) return { tone: "bad", says: "table not in view" };
  if (fresh.hand) return { tone: "wait", says: "hand over the table" };
  if (!fresh.is_settled) return { tone: "wait", says: "table not at rest" };
  return { tone: old_s > STALE_S ? "wait" : "good", says: `${age(old_s)} ago` };
}
