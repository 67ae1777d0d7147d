/** Rulings on a player's phone: that one was seen is told to everybody. */

import { postJson } from "../shared/ndjson-request";
import { problemOf } from "../shared/problem";
import type { Toast } from "./toast";

export class Rulings {
  constructor(private readonly toast: Toast) {}

  /** The notice goes when the other player has tapped it too. */
  async confirmSeen(number: number): Promise<void> {
    try {
      await postJson(`api/v1/rulings/${number}/seen`, {});
    } catch (wrong) {
      this.toast.showAnswer(problemOf(wrong).detail);
    }
  }
}
