/** A sentence on top of the page, for as long as it takes to read. */

import type { State } from "./state";
import type { Store } from "./store";

const NOTICE_MS = 4500;

export class Notes {
  #ends = 0;
  #isAnswer = false;
  #waits: string | null = null;

  constructor(private readonly store: Store<State>) {}

  /** News; where an answer is being read it comes after that. */
  say(notice: string): void {
    if (this.#isAnswer) this.#waits = notice;
    else this.#show(notice);
  }

  /** Why a tap of this player's came to nothing: no news takes its place before it is read. */
  answer(notice: string): void {
    this.#isAnswer = true;
    this.#show(notice);
  }

  #show(notice: string): void {
    clearTimeout(this.#ends);
    this.store.set({ notice });
    this.#ends = window.setTimeout(() => this.#end(), NOTICE_MS);
  }

  #end(): void {
    const next = this.#waits;
    this.#isAnswer = false;
    this.#waits = null;
    if (next === null) this.store.set({ notice: null });
    else this.#show(next);
  }
}
