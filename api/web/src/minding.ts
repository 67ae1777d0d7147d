/** What a player asks of the camera: to find the table anew, and to check itself. */

import type { Notes } from "./notes";
import { problemOf, Refusal } from "./refusal";
import type { State } from "./state";
import type { Store } from "./store";
import type { Problem } from "./types.gen";
import { SAY } from "./view/words";

export class Minding {
  constructor(
    private readonly store: Store<State>,
    private readonly notes: Notes,
  ) {}

  /** The camera hangs well and still: find the table anew. */
  register(): void {
    this.notes.say(SAY.lookingForTable);
    void this.#mind("register");
  }

  /** Compare what is known with what the camera measures. */
  check(): void {
    this.store.set({ isChecking: true, check: null });
    void this.#mind("check");
  }

  putCheckAway(): void {
    this.store.set({ isChecking: false, check: null });
  }

  async #mind(what: "register" | "check"): Promise<void> {
    try {
      const answer = await fetch(`api/v1/${what}`, { method: "POST" });
      if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
    } catch (wrong) {
      this.store.set({ isChecking: false });
      this.notes.say(problemOf(wrong).detail);
    }
  }
}
