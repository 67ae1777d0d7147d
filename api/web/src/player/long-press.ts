/** Long press: a finger that rests on a base is told its name, and that is no tap. */

import { hitAt, viewportFrame, type Point } from "../shared/geometry";
import type { State } from "./state";
import type { Store } from "../shared/store";

const REST_MS = 450;
const STILL_PX = 8;

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
