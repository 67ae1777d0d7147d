/** What a player does with a ghost: it goes, turns, and comes back. */

import { withinTable, type Point } from "./geometry";
import type { Manner, State, Way } from "./state";
import type { Store } from "./store";
import { facingAtEnd, wayFrom } from "./way";

export class Moving {
  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  /** The ghost stands here now; while a finger drags it, this comes many times a second. */
  to(at: Point): void {
    this.#go({ at: withinTable(this.store.state, at) });
  }

  corner(): void {
    const { way } = this.store.state;
    if (way) this.#go({ via: [...way.via, way.at] });
  }

  undoLeg(): void {
    const { way } = this.store.state;
    const last = way?.via.at(-1);
    if (way && last) this.#go({ at: last, via: way.via.slice(0, -1) });
    else if (way) this.backToStart();
  }

  backToStart(): void {
    const { way } = this.store.state;
    if (!way) return;
    this.store.set({ way: wayFrom(this.store.state, way.who), course: null });
    this.ask();
  }

  manner(manner: Manner): void {
    this.#go({ manner });
  }

  turn(by_deg: number): void {
    const { way } = this.store.state;
    if (way) this.#go({ facing_deg: ((facingAtEnd(this.store.state, way) ?? 0) + by_deg + 360) % 360 });
  }

  /** It looks there at the end; null: along its way. */
  face(facing_deg: number | null): void {
    this.#go({ facing_deg });
  }

  #go(changes: Partial<Way>): void {
    const { way } = this.store.state;
    if (!way) return;
    this.store.set({ way: { ...way, ...changes } });
    this.ask();
  }
}
