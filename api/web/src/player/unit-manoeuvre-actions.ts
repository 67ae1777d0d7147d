/** Manoeuvre actions of a unit: steps, a charge, a flight; and its move is played. */

import { startManoeuvre, placesOf, withStep } from "./unit-manoeuvre";
import { withWheel, type WheelSide } from "./unit-wheel";
import type { ManoeuvrePlan, State } from "./state";
import type { Store } from "../shared/store";
import type { Step } from "../shared/types.gen";

const PLAYED_MS = 1100;

export class ManoeuvreActions {
  #frame = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  /** Move, march, charge or flee. */
  setKind(what: ManoeuvrePlan["do"]): void {
    this.#change({ do: what });
  }

  addStep(step: Step): void {
    const { manoeuvre } = this.store.state;
    if (manoeuvre) this.#change({ steps: withStep(manoeuvre.steps, step) });
  }

  /** The unit wheels by so much as a dragged corner tells. */
  wheel(side: WheelSide, by_deg: number): void {
    const { manoeuvre } = this.store.state;
    if (manoeuvre) this.#change({ steps: withWheel(manoeuvre.steps, side, by_deg) });
  }

  undoStep(): void {
    const { manoeuvre } = this.store.state;
    if (manoeuvre) this.#change({ steps: manoeuvre.steps.slice(0, -1) });
  }

  setRoll(roll_in: number | null): void {
    this.#change({ roll_in });
  }

  backToStart(): void {
    const { manoeuvre } = this.store.state;
    if (manoeuvre) this.#change(startManoeuvre(this.store.state, manoeuvre.who) ?? {});
  }

  /** Show it on its way, or at its end at once to those who want no motion. */
  playMove(): void {
    cancelAnimationFrame(this.#frame);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isCalm || Object.keys(placesOf(this.store.state)).length === 0) return this.store.set({ playback: 1 });
    const began = performance.now();
    const drawFrame = () => {
      const playback = Math.min(1, (performance.now() - began) / PLAYED_MS);
      this.store.set({ playback });
      if (playback < 1) this.#frame = requestAnimationFrame(drawFrame);
    };
    drawFrame();
  }

  #change(changes: Partial<ManoeuvrePlan>): void {
    const { manoeuvre } = this.store.state;
    if (!manoeuvre) return;
    this.store.set({ manoeuvre: { ...manoeuvre, ...changes } });
    this.ask();
  }
}
