/** What a player does with a unit that manoeuvres: steps, a charge, a flight; and its way is played. */

import { drillFrom, placesOf, withStep } from "./drill";
import type { Drill, State } from "./state";
import type { Store } from "./store";
import type { Step } from "./types.gen";

const PLAYED_MS = 1100;

export class Drilling {
  #playing = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  /** Move, march, charge or flee. */
  as(what: Drill["do"]): void {
    this.#change({ do: what });
  }

  step(step: Step): void {
    const { drill } = this.store.state;
    if (drill) this.#change({ steps: withStep(drill.steps, step) });
  }

  undo(): void {
    const { drill } = this.store.state;
    if (drill) this.#change({ steps: drill.steps.slice(0, -1) });
  }

  roll(roll_in: number | null): void {
    this.#change({ roll_in });
  }

  backToStart(): void {
    const { drill } = this.store.state;
    if (drill) this.#change(drillFrom(this.store.state, drill.who) ?? {});
  }

  /** Show it on its way, or at its end at once to those who want no motion. */
  play(): void {
    cancelAnimationFrame(this.#playing);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isCalm || Object.keys(placesOf(this.store.state)).length === 0) return this.store.set({ played: 1 });
    const began = performance.now();
    const on = () => {
      const played = Math.min(1, (performance.now() - began) / PLAYED_MS);
      this.store.set({ played });
      if (played < 1) this.#playing = requestAnimationFrame(on);
    };
    on();
  }

  #change(changes: Partial<Drill>): void {
    const { drill } = this.store.state;
    if (!drill) return;
    this.store.set({ drill: { ...drill, ...changes } });
    this.ask();
  }
}
