/** Commands of a judge to clocks and stream, a tap each; what the server refuses is shown as a notice. */

import { send } from "../shared/http";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { Production, Scoreboard, SeatOverview } from "../shared/types.gen";
import type { GivenTime, Source, State } from "./state";

const NOTICE_MS = 5000;

export class Commands {
  #noticeEnds = 0;

  constructor(protected readonly store: Store<State>) {}

  // clocks

  async setClocks(minutes: number, increment_s = 0): Promise<void> {
    await this.attempt(() => send("PUT", "clocks", { minutes, increment_s }));
  }

  async putClocksAway(): Promise<void> {
    await this.attempt(() => send("DELETE", "clocks"));
  }

  /** How the game stands; `seen` is the line of the score that was looked at, 0 where there was none. */
  async setScore(round: number, points: Record<string, number>, seen: number): Promise<void> {
    await this.attempt(async () => {
      const scoreboard = await send<Scoreboard>("PUT", "scoreboard/score", { round, points, seen });
      const { bench } = this.store.state;
      if (bench) this.store.set({ bench: { ...bench, scoreboard } });
    });
  }

  async passClock(to: string): Promise<void> {
    await this.attempt(() => send("POST", "clocks/pass", { to }));
  }

  async stopClocks(): Promise<void> {
    await this.attempt(() => send("POST", "clocks/stop", {}));
  }

  async startClocks(): Promise<void> {
    await this.attempt(() => send("POST", "clocks/start"));
  }

  async renewCode(door: string, withdraws: boolean): Promise<void> {
    await this.attempt(async () => {
      const seated = await send<SeatOverview>("POST", "seats/renew", { door, withdraws });
      this.store.set({ seated });
    });
  }

  async giveBackOutage(): Promise<void> {
    await this.attempt(() => send("POST", "clocks/give-back"));
  }

  changeGivenTime(changes: Partial<GivenTime>): void {
    this.store.set({ givenTime: { ...this.store.state.givenTime, ...changes } });
  }

  async giveTime(): Promise<void> {
    await this.attempt(() => send("POST", "clocks/extend", this.store.state.givenTime));
  }

  // stream

  async changeProduction(changes: Partial<Production>): Promise<void> {
    const { bench } = this.store.state;
    if (bench) await this.attempt(() => send("PUT", "overlay/production", { ...bench.production, ...changes }));
  }

  async resolveItem(id: number): Promise<void> {
    await this.attempt(() => send("POST", `overlay/air/${id}/resolved`, {}));
  }

  async takeOffAir(): Promise<void> {
    await this.attempt(() => send("DELETE", "overlay/air"));
  }

  changeSource(changes: Partial<Source>): void {
    this.store.set({ source: { ...this.store.state.source, ...changes } });
  }

  protected async attempt(deed: () => Promise<unknown>): Promise<void> {
    try {
      await deed();
    } catch (wrong) {
      this.showNotice(problemOf(wrong).detail);
    }
  }

  protected showNotice(notice: string): void {
    clearTimeout(this.#noticeEnds);
    this.store.set({ notice });
    this.#noticeEnds = window.setTimeout(() => this.store.set({ notice: null }), NOTICE_MS);
  }
}

/** Idempotency key of a write, the same until its answer has come: a second tap, or one after bad Wi-Fi, writes nothing twice. */
export class IdempotencyKeys {
  #last = { said: "", key: "" };

  keyOf(newestRuling: unknown): string {
    const said = JSON.stringify(newestRuling);
    if (said !== this.#last.said) this.#last = { said, key: randomKey() };
    return this.#last.key;
  }

  forget(key: string): void {
    if (this.#last.key === key) this.#last = { said: "", key: "" };
  }
}

/** Plain http has no `randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
