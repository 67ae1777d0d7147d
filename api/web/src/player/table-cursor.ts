/** Table cursor: one tab stop for all bases, and arrow keys that go from each to the next in that direction. */

import { onScreen, viewportFrame, type Point } from "../shared/geometry";
import { everyone } from "../shared/entities";
import type { State } from "./state";
import type { Store } from "../shared/store";

const TOWARD: Readonly<Record<string, Point>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SIDEWAYS_WEIGHT = 2; // what lies straight ahead is nearer than what lies aside

/** Who has the tab stop: who had the focus last, else A, else the first. */
export function cursorOf({ cursor, a, table }: State): string | null {
  const stops = everyone(table).map((m) => m.id);
  return [cursor, a].find((id) => id !== null && stops.includes(id)) ?? stops[0] ?? null;
}

export class TableCursor {
  constructor(private readonly store: Store<State>) {}

  note(id: string): void {
    if (this.store.state.cursor !== id) this.store.set({ cursor: id });
  }

  /** The nearest in the direction of the key takes the focus; false where it is no such key. */
  go(from: string, key: string): boolean {
    const toward = TOWARD[key];
    if (!toward) return false;
    const next = nearestToward(this.store.state, from, toward);
    if (next !== null) document.querySelector<SVGElement>(`.base[data-id="${CSS.escape(next)}"][role="button"]`)?.focus();
    return true;
  }
}

function nearestToward(state: State, from: string, [dx, dy]: Point): string | null {
  const frame = viewportFrame(state);
  const stops = everyone(state.table);
  const start = stops.find((m) => m.id === from);
  if (!frame || !start) return null;
  const [x0, y0] = onScreen(frame, start.at_mm);
  const ahead = stops.flatMap((m) => {
    const [x, y] = onScreen(frame, m.at_mm);
    const [along, aside] = [(x - x0) * dx + (y - y0) * dy, Math.abs((x - x0) * dy - (y - y0) * dx)];
    return along > 0.5 ? [{ id: m.id, off: along + SIDEWAYS_WEIGHT * aside }] : [];
  });
  return ahead.sort((one, other) => one.off - other.off)[0]?.id ?? null;
}
