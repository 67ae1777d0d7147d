/** Toast: a sentence on top of the page, for as long as it takes to read and to answer it. */

import type { NewsAnswer, State } from "./state";
import type { Store } from "../shared/store";

const NOTICE_MS = 6000;

export class Toast {
  #timer = 0;
  #isAnswerShown = false;
  #nextNews: readonly [string, NewsAnswer | null] | null = null;

  constructor(private readonly store: Store<State>) {}

  /** News, and the one tap that answers it; where an answer is being read it comes after that. */
  showNews(notice: string, newsAnswer: NewsAnswer | null = null): void {
    if (this.#isAnswerShown) this.#nextNews = [notice, newsAnswer];
    else this.#show(notice, newsAnswer);
  }

  /** Why a tap of this player's came to nothing: no news takes its place before it is read. */
  showAnswer(notice: string): void {
    this.#isAnswerShown = true;
    this.#show(notice, null);
  }

  /** It goes; what waited behind it comes. */
  end(): void {
    const next = this.#nextNews;
    this.#isAnswerShown = false;
    this.#nextNews = null;
    if (next === null) this.store.set({ notice: null, newsAnswer: null });
    else this.#show(...next);
  }

  #show(notice: string, newsAnswer: NewsAnswer | null): void {
    clearTimeout(this.#timer);
    this.store.set({ notice, newsAnswer });
    this.#timer = window.setTimeout(() => this.end(), NOTICE_MS);
  }
}
