/** Clock actions: the chess clock in the player's hand, set and passed on the server. */

import { send } from "../shared/http";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { ClocksView, ClockView } from "../shared/types.gen";
import type { State } from "./state";
import type { Toast } from "./toast";

const FALL_MS = 900;
const FALL_HZ = 660;

export class ClockActions {
  #sound: AudioContext | null = null;

  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
  ) {}

  /** What the server told; a flag that falls is heard and felt by who has the clock before them. */
  take(both: ClocksView | null): void {
    const fell = (one: ClockView) => this.store.state.clocks?.both.players.some((was) => was.player === one.player && !was.has_run_out);
    if (both?.players.some((one) => one.has_run_out && fell(one))) this.#fall();
    const at_ms = performance.now();
    this.store.set({ clocks: both && { both, at_ms }, now_ms: at_ms });
  }

  /** A browser plays a sound only after a tap: the one that opens the clock. */
  open(): void {
    this.#sound ??= new AudioContext();
    this.store.set({ isClockOpen: true });
  }

  close(): void {
    this.store.set({ isClockOpen: false });
  }

  async set(minutes: number, increment_s: number): Promise<void> {
    await this.#attempt(() => send("PUT", "clocks", { minutes, increment_s }));
  }

  async pass(to: string): Promise<void> {
    navigator.vibrate?.(20);
    await this.#attempt(() => send("POST", "clocks/pass", { to }));
  }

  #fall(): void {
    navigator.vibrate?.([300, 100, 300]);
    if (this.#sound === null) return;
    const tone = new OscillatorNode(this.#sound, { frequency: FALL_HZ, type: "triangle" });
    tone.connect(this.#sound.destination);
    tone.start();
    tone.stop(this.#sound.currentTime + FALL_MS / 1000);
  }

  async #attempt(deed: () => Promise<unknown>): Promise<void> {
    try {
      await deed();
    } catch (wrong) {
      this.toast.showAnswer(problemOf(wrong).detail);
    }
  }
}
