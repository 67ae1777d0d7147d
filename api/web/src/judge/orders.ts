/** What a judge orders in one tap, at the clocks and at the stream; what the server refuses is told. */

import { problemOf } from "../refusal";
import type { Store } from "../store";
import { tell } from "./server";
import type { GivenTime, Source, State } from "./state";
import type { Production } from "./types.gen";

const NOTICE_MS = 5000;

export class Orders {
  #noticeEnds = 0;

  constructor(protected readonly store: Store<State>) {}

  // clocks

  async setClocks(minutes: number): Promise<void> {
    await this.attempt(() => tell("PUT", "clocks", { minutes }));
  }

  async putClocksAway(): Promise<void> {
    await this.attempt(() => tell("DELETE", "clocks"));
  }

  async passClock(to: string): Promise<void> {
    await this.attempt(() => tell("POST", "clocks/pass", { to }));
  }

  async stopClocks(): Promise<void> {
    await this.attempt(() => tell("POST", "clocks/stop", {}));
  }

  async startClocks(): Promise<void> {
    await this.attempt(() => tell("POST", "clocks/start"));
  }

  giving(changes: Partial<GivenTime>): void {
    this.store.set({ giving: { ...this.store.state.giving, ...changes } });
  }

  async give(): Promise<void> {
    await this.attempt(() => tell("POST", "clocks/extend", this.store.state.giving));
  }

  // stream

  async produce(changes: Partial<Production>): Promise<void> {
    const { bench } = this.store.state;
    if (bench) await this.attempt(() => tell("PUT", "overlay/production", { ...bench.production, ...changes }));
  }

  async resolve(id: number): Promise<void> {
    await this.attempt(() => tell("POST", `overlay/air/${id}/resolved`, {}));
  }

  async takeOffAir(): Promise<void> {
    await this.attempt(() => tell("DELETE", "overlay/air"));
  }

  source(changes: Partial<Source>): void {
    this.store.set({ source: { ...this.store.state.source, ...changes } });
  }

  protected async attempt(deed: () => Promise<unknown>): Promise<void> {
    try {
      await deed();
    } catch (wrong) {
      this.note(problemOf(wrong).detail);
    }
  }

  protected note(notice: string): void {
    clearTimeout(this.#noticeEnds);
    this.store.set({ notice });
    this.#noticeEnds = window.setTimeout(() => this.store.set({ notice: null }), NOTICE_MS);
  }
}
