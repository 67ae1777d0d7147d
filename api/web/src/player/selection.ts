/** Selection: whom a tap makes A and B. */

import { everyone } from "../shared/entities";
import { hitAt, viewportFrame, type Point } from "../shared/geometry";
import type { Store } from "../shared/store";
import { isMine, miniature, type State } from "./state";

const REST_MS = 450;
const STILL_PX = 8;

export interface PickedPair {
  readonly a: string | null;
  readonly b: string | null;
}

/**
 * Picking one of the two again lets it go. Where a side is chosen, mine go to A and theirs to B, and A is already filled
 * with the one of mine that was asked about last, else with the nearest. Otherwise the first is A and the next B.
 */
export function pairAfterTap(state: State, id: string): PickedPair {
  const { a, b } = state;
  if (id === b) return { a, b: null };
  if (id === a) return { a: b, b: null };
  const mine = isMine(state, miniature(state, id));
  if (a !== null && b === null) return { a, b: id };
  if (mine === true) return { a: id, b };
  if (mine === false) return { a: a ?? myNearest(state, id), b: id };
  return a === null ? { a: id, b: null } : { a, b: id };
}

function myNearest(state: State, id: string): string | null {
  const target = miniature(state, id);
  const last = miniature(state, state.lastMine);
  if (last && isMine(state, last)) return last.id;
  if (!target) return null;
  const off = ([x, y]: readonly [number, number]) => Math.hypot(x - target.at_mm[0], y - target.at_mm[1]);
  const mine = everyone(state.table).filter((m) => isMine(state, m));
  return mine.sort((m, n) => off(m.at_mm) - off(n.at_mm))[0]?.id ?? null;
}

/** Long press: a finger that rests on a base is told its name, and that is no tap. */
export class LongPress {
  #timer = 0;
  #from: Point = [0, 0];
  #wasLong = false;

  constructor(private readonly store: Store<State>) {}

  down(at: Point): void {
    this.#from = at;
    this.#wasLong = false;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#label(at), REST_MS);
  }

  move(at: Point): void {
    if (Math.hypot(at[0] - this.#from[0], at[1] - this.#from[1]) > STILL_PX) clearTimeout(this.#timer);
  }

  up(): void {
    clearTimeout(this.#timer);
  }

  /** Whether the click that follows a touch belongs to a long press; asked once. */
  takesClick(): boolean {
    const was = this.#wasLong;
    this.#wasLong = false;
    if (!was && this.store.state.labelled !== null) this.store.set({ labelled: null });
    return was;
  }

  #label(at: Point): void {
    const { state } = this.store;
    const frame = viewportFrame(state);
    const hit = frame && state.table ? hitAt(frame, at, state.table.miniatures) : null;
    if (!hit || !("id" in hit)) return;
    this.#wasLong = true;
    this.store.set({ labelled: hit.id });
  }
}
