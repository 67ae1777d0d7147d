/** Server messages: what each changes of the state. */

import type { State } from "./state";
import type { DrawnTable, TableChange, ServerMessage } from "../shared/types.gen";

const STAYS_MM = 2;

/** What a message about the table changes; the rest of it is the caller's to do. */
export function freshnessUpdate(fresh: State["fresh"]): Partial<State> {
  const now_ms = performance.now();
  return { fresh, freshAt_ms: now_ms, now_ms };
}

/** Whether nothing was missed between what is known and this message. */
export function isNextMessage(state: State, message: Exclude<ServerMessage, { type: "refused" | "hello" }>): boolean {
  return message.type === "snapshot" || message.seq === state.seq + 1;
}

/** Whether a miniature stands where it stood. */
export function isWhereItStood(was: DrawnTable | null, table: DrawnTable | null, id: string): boolean {
  const place = (of: DrawnTable | null) => [...(of?.miniatures ?? []), ...(of?.units ?? [])].find((m) => m.id === id)?.at_mm;
  const [before, now] = [place(was), place(table)];
  return before !== undefined && now !== undefined && Math.hypot(before[0] - now[0], before[1] - now[1]) < STAYS_MM;
}

/** Whether a miniature moved, and nobody knows any more which way it looks. */
export function hasLostFacing(was: DrawnTable | null, table: DrawnTable | null, id: string): boolean {
  const facing = (of: DrawnTable | null) => of?.miniatures.find((m) => m.id === id)?.facing_deg;
  return typeof facing(was) === "number" && facing(table) === null && !isWhereItStood(was, table, id);
}

export function applyChange(table: DrawnTable | null, change: TableChange): DrawnTable | null {
  if (!table) return null;
  const replaced = new Map(change.changed.map((m) => [m.id, m]));
  const kept = table.miniatures.filter((m) => !change.gone.includes(m.id)).map((m) => replaced.get(m.id) ?? m);
  const known = new Set(kept.map((m) => m.id));
  const miniatures = [...kept, ...change.changed.filter((m) => !known.has(m.id))];
  return { ...table, state_id: change.state_id, miniatures, units: change.units ?? table.units, areas: change.areas ?? table.areas, unconfirmed: change.unconfirmed ?? table.unconfirmed, is_complete: change.is_complete, missing: change.missing, rest: change.rest };
}
