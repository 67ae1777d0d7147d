/** Ghost actions: the what-if miniature goes, turns, and comes back. */

import { clampToTable, type Point } from "../shared/geometry";
import type { Manner, State, MovePath } from "./state";
import type { Store } from "../shared/store";
import { facingAtEnd, startPath } from "./ghost-path";

export class GhostActions {
  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  /** The ghost stands here now; while a finger drags it, this comes many times a second. */
  moveTo(at: Point): void {
    this.#change({ at: clampToTable(this.store.state, at) });
  }

  addCorner(): void {
    const { path } = this.store.state;
    if (path) this.#change({ via: [...path.via, path.at] });
  }

  undoLeg(): void {
    const { path } = this.store.state;
    const last = path?.via.at(-1);
    if (path && last) this.#change({ at: last, via: path.via.slice(0, -1) });
    else if (path) this.backToStart();
  }

  backToStart(): void {
    const { path } = this.store.state;
    if (!path) return;
    this.store.set({ path: startPath(this.store.state, path.who), course: null });
    this.ask();
  }

  setManner(manner: Manner): void {
    this.#change({ manner });
  }

  turnBy(by_deg: number): void {
    const { path } = this.store.state;
    if (path) this.#change({ facing_deg: ((facingAtEnd(this.store.state, path) ?? 0) + by_deg + 360) % 360 });
  }

  /** It looks there at the end; null: along its way. */
  setFacing(facing_deg: number | null): void {
    this.#change({ facing_deg });
  }

  #change(changes: Partial<MovePath>): void {
    const { path } = this.store.state;
    if (!path) return;
    this.store.set({ path: { ...path, ...changes } });
    this.ask();
  }
}
