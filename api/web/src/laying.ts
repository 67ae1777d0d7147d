/** What a player does with a template: lays it, aims it, rolls for it. */

import { aimedAt } from "./blast";
import { withinTable, type Point } from "./geometry";
import type { Blast, State } from "./state";
import type { Store } from "./store";

export class Laying {
  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  change(changes: Partial<Blast>): void {
    this.store.set({ blast: { ...this.store.state.blast, ...changes } });
    this.ask();
  }

  at(at: Point): void {
    this.change({ at: withinTable(this.store.state, at), on: null });
  }

  /** Shift the template, as the arrow keys do. */
  shift([dx, dy]: Point): void {
    const place = aimedAt(this.store.state);
    if (place) this.at([place[0] + dx, place[1] + dy]);
  }

  on(id: string): void {
    const { blast } = this.store.state;
    const needsFrom = blast.shape === "spray" && blast.from === null;
    if (blast.isPickingFrom || needsFrom) this.change({ from: id, isPickingFrom: false });
    else this.change({ on: id, at: null });
  }
}
