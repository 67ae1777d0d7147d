/** Text of events, counts and facings, and the badge of the picture's freshness. */

import { age, inches, stepText } from "../shared/format";
import { STALE_S } from "../shared/freshness";
import { mayCorrect, miniature, type NewsAnswer, type State } from "./state";
import type { CountMismatch, DrawnMiniature, EventLine } from "../shared/types.gen";
import { SAY } from "../shared/strings";

const ROUND_MM = 5; // so much longer than straight, and a way is told

/** How large a base is, what a base of an odd size is taken for, or how many stand in a unit and how wide. */
export function describeSize({ base, count, files, guessed_size_mm }: DrawnMiniature): string {
  if (count !== null) return files === null ? SAY.inUnit(count) : SAY.inRanks(count, files);
  return guessed_size_mm === null ? sizeOf({ base }) : SAY.takenFor(sizeOf({ base }), guessed_size_mm);
}

export function sizeOf({ base }: Pick<DrawnMiniature, "base">): string {
  return base.shape === "round" ? `${base.diameter_mm} mm` : `${base.width_mm} × ${base.depth_mm} mm`;
}

export function countText({ base, expected, seen, left }: CountMismatch): string {
  return SAY.counted(sizeOf({ base }), expected, seen, left);
}

export function facingText({ facing_deg }: Pick<DrawnMiniature, "facing_deg">): string {
  return facing_deg === null ? SAY.facingUnknown : SAY.faces(Math.round(facing_deg) % 360);
}

export function listNames(state: State, ids: readonly string[]): string {
  return ids.map((id) => miniature(state, id)?.name ?? id).join(", ");
}

export function eventText(state: State, event: EventLine): string {
  const who = listNames(state, event.ids) || SAY.something;
  switch (event.type) {
    case "moved":
      return SAY.moved(who, state.table?.is_measuring_free ? distanceText(event) : "");
    case "turned":
      return SAY.turned(who);
    case "removed":
      return SAY.removed(who);
    case "appeared":
      return event.from_mm ? SAY.back(who) : SAY.appeared(who);
    case "in-hand":
      return SAY.inHand(who);
    case "swapped":
      return SAY.swapped(who);
    case "camera-moved":
      return SAY.cameraMovedBy(event.detail);
    case "obstructed":
      return SAY.obstructed;
    case "lost-source":
      return SAY.sourceGone;
    case "back":
      return event.ids.length === 0 ? SAY.backInView : SAY.back(who);
    case "unsure":
      return event.detail ?? SAY.unsure(who);
  }
}

/** How far a miniature went, and by how long a way where it was seen to go round. */
function distanceText({ from_mm, to_mm, travelled_mm }: EventLine): string {
  if (!from_mm || !to_mm) return "";
  const straight_mm = Math.hypot(to_mm[0] - from_mm[0], to_mm[1] - from_mm[1]);
  const isRound = travelled_mm !== null && travelled_mm > straight_mm + ROUND_MM;
  return ` ${inches(straight_mm)}${isRound ? SAY.byWay(inches(travelled_mm)) : ""}`;
}

/** What another seat has just corrected or taken back, and the tap that answers it, for who may; null where nobody else did. */
export function newsOf(before: State["steps"], now: State["steps"], state: State): readonly [string, NewsAnswer | null] | null {
  const { seat, table } = state;
  const known = Math.max(0, ...before.map((step) => step.changed_n));
  const step = now.find((one) => one.changed_n > known && one.changed_by !== seat);
  if (!step) return null;
  const who = SAY.seat[step.changed_by];
  const says = stepText(step.says, Object.fromEntries((table?.miniatures ?? []).map((m) => [m.id, m.name])));
  const how = step.is_undone ? "redo" : step.is_open ? "agree" : "undo";
  return [step.is_undone ? SAY.takesBack(who, says) : SAY.corrects(who, says), mayCorrect(state) ? { how, n: step.n } : null];
}

export interface Badge {
  readonly tone: "good" | "wait" | "bad";
  readonly says: string;
}

/** How old the newest look at the table is by now. */
export function pictureAge_s({ fresh, now_ms, freshAt_ms }: State): number | null {
  return fresh.age_s === null ? null : fresh.age_s + (now_ms - freshAt_ms) / 1000;
}

/** What the badge says of the picture's freshness. */
export function badge(state: State): Badge {
  const { fresh } = state;
  if (state.isReplay && state.link === "open") return { tone: "good", says: SAY.replayed };
  if (state.link === "lost") return { tone: "bad", says: SAY.noConnection };
  if (state.link === "connecting") return { tone: "wait", says: SAY.connectingShort };
  if (state.isPhotographing) return { tone: "wait", says: SAY.measuringPhotograph };
  if (fresh.source === "still") return { tone: "good", says: SAY.fixedState };
  const old_s = pictureAge_s(state);
  if (fresh.source === "lost") return { tone: "bad", says: old_s === null ? SAY.sourceLost : SAY.sourceLostAgo(age(old_s)) };
  if (fresh.source === "ended") return { tone: "wait", says: SAY.ended };
  if (state.problem?.type === "world/camera_moved") return { tone: "bad", says: SAY.cameraMoved };
  if (state.problem?.type === "world/camera_hidden") return { tone: "bad", says: SAY.viewCovered };
  if (old_s === null) return { tone: "wait", says: state.byPhotograph ? SAY.noPhotographShort : SAY.searchingShort };
  if (!fresh.is_visible) return { tone: "bad", says: SAY.notInView };
  if (fresh.in_hand.length > 0) return { tone: "wait", says: SAY.inHand(listNames(state, fresh.in_hand)) };
  if (fresh.hand) return { tone: "wait", says: SAY.handOver };
  if (!fresh.is_settled) return { tone: "wait", says: SAY.notAtRest };
  return { tone: old_s > STALE_S ? "wait" : "good", says: SAY.ago(age(old_s)) };
}
