/** The hall as it is after a message of its stream: whole, or what differs from before. */

import type { HallPatch, HallTable, HallView } from "../shared/types.gen";

export function applyMessage(hall: HallView | null, message: HallView | HallPatch): HallView | null {
  if (message.type === "whole" || hall === null) return message.type === "whole" ? message : null;
  const changed = new Map(message.tables.map((table) => [table.number, table]));
  const tables: readonly HallTable[] = changed.size === 0 ? hall.tables : hall.tables.map((table) => changed.get(table.number) ?? table);
  return { ...hall, ...message.affairs, now_s: message.now_s, tables };
}
