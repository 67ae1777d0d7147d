/** A sentence on top of the page, for as long as it takes to read. */

import type { State } from "./state";
import type { Store } from "./store";

const NOTICE_MS = 4500;

export class Notes {
  #ends = 0;

  constructor(private readonly store: Store<State>) {}

  say(notice: string): void {
    clearTimeout(this.#ends);
    this.store.set({ notice });
    this.#ends = window.setTimeout(() => this.store.set({ notice: null }), NOTICE_MS);
  }
}
