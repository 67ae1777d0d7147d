/** Camera actions: find the table anew, photograph it, check the calibration. */

import type { Toast } from "./toast";
import { problemOf, Refusal } from "../shared/problem";
import type { State } from "./state";
import type { Store } from "../shared/store";
import type { PhotographResult, Problem } from "../shared/types.gen";
import { SAY } from "../shared/strings";

export class CameraActions {
  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
  ) {}

  /** The camera hangs well and still: find the table anew. */
  register(): void {
    this.toast.showNews(SAY.searchingForTable);
    void this.#postCommand("register");
  }

  /** Compare what is known with what the camera measures. */
  check(): void {
    this.store.set({ isChecking: true, check: null });
    void this.#postCommand("check");
  }

  putCheckAway(): void {
    this.store.set({ isChecking: false, check: null });
  }

  /** Send a photograph; `anotherSide`: nothing was moved since the one before, and both are joined. */
  async photograph(file: File, anotherSide: boolean): Promise<void> {
    this.store.set({ isPhotographing: true });
    try {
      const answer = await fetch(`api/v1/photographs?another_side=${anotherSide}`, { method: "POST", body: file });
      const said = (await answer.json()) as PhotographResult | Problem;
      if (!answer.ok) throw new Refusal(said as Problem);
      this.toast.showNews(SAY.photographed((said as PhotographResult).miniatures));
    } catch (wrong) {
      this.toast.showNews(problemOf(wrong).detail);
    }
    this.store.set({ isPhotographing: false });
  }

  async #postCommand(what: "register" | "check"): Promise<void> {
    try {
      const answer = await fetch(`api/v1/${what}`, { method: "POST" });
      if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
    } catch (wrong) {
      this.store.set({ isChecking: false });
      this.toast.showNews(problemOf(wrong).detail);
    }
  }
}
