/** Toast: a sentence on top of the page, for as long as it takes to read. */

import type { State } from "./state";
import type { Store } from "../shared/store";

const NOTICE_MS = 4500;

export class Toast {
  #timer = 0;
  #isAnswerShown = false;
  #nextNews: string | null = null;

  constructor(private readonly store: Store<State>) {}

  /** News; where an answer is being read it comes after that. */
  showNews(notice: string): void {
    if (this.#isAnswerShown) this.#nextNews = notice;
    else this.#show(notice);
  }

  /** Why a tap of this player's came to nothing: no news takes its place before it is read. */
  showAnswer(notice: string): void {
    this.#isAnswerShown = true;
    this.#show(notice);
  }

  #show(notice: string): void {
    clearTimeout(this.#timer);
    this.store.set({ notice });
    this.#timer = window.setTimeout(() => this.#end(), NOTICE_MS);
  }

  #end(): void {
    const next = this.#nextNews;
    this.#isAnswerShown = false;
    this.#nextNews = null;
    if (next === null) this.store.set({ notice: null });
    else this.#show(next);
  }
}
