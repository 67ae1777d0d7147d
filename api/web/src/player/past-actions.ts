/** Actions of the bar: look at an earlier moment, play the game from there, hand a link to it on. */

import { Refusal, problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { DrawnTable, Moment, Problem } from "../shared/types.gen";
import { linkOf, readLink, writeLink, type Link } from "./link";
import { laidOut, layingMoment, momentAt, nearestMoment, type BarMoment } from "./moment-list";
import type { State } from "./state";
import type { Toast } from "./toast";
import { SAY } from "../shared/strings";

const MOST_AT_ONCE = 1000;
const MOST_TABLES = 64;
const TICK_MS = 100;
/** The present goes on while somebody looks at the bar. */
const RENEW_MS = 4000;

/** What of the page follows. */
export interface PastHandlers {
  layTable(table: DrawnTable | null): void;
  askAnew(): void;
  setPair(a: string | null, b: string | null): void;
}

export class PastActions {
  /** the table as it is now, whatever is looked at */
  #now: DrawnTable | null = null;
  readonly #tables = new Map<number, DrawnTable>();
  #isOpened = false;
  #wanted: number | null = null;
  #timer = 0;
  #renewing: Promise<void> | null = null;

  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
    private readonly then: PastHandlers,
  ) {
    addEventListener("hashchange", () => void this.#open(readLink(location.hash)));
    setInterval(() => void (this.#isShown() && !this.store.state.isReplay && this.renew()), RENEW_MS);
  }

  /** The table as it is now; who looks at an earlier one goes on looking at that. */
  layNow(table: DrawnTable | null): void {
    this.#now = table;
    if (this.store.state.at === null) this.then.layTable(table);
    if (this.#isOpened || table === null) return;
    this.#isOpened = true;
    void this.#open(readLink(location.hash));
  }

  /** Fetch what has happened since. */
  async renew(): Promise<void> {
    this.#renewing ??= this.#fetchMoments().finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  /** Look at this moment; null: at the table as it is now. */
  async goTo(n: number | null): Promise<void> {
    this.#wanted = n;
    if (n === null) return this.#goToNow();
    try {
      const laying = layingMoment(this.store.state.moments, n);
      const [table, settled] = await Promise.all([this.#tableOf(laying), read<State["settled"]>(`settlements?at=${n}`)]);
      if (this.#wanted !== n) return;
      const one = this.store.state.moments.find((moment) => moment.n === n);
      this.store.set({ at: n, settled, playhead_s: this.store.state.rate > 0 ? this.store.state.playhead_s : (one?.since_s ?? 0) });
      this.then.layTable(table);
      this.then.askAnew();
    } catch (wrong) {
      this.pause();
      this.toast.showAnswer(problemOf(wrong).detail);
    }
  }

  #goToNow(): void {
    this.pause();
    this.store.set({ at: null, settled: [] });
    this.then.layTable(this.#now);
    this.then.askAnew();
    void read<State["settled"]>("settlements").then((settled) => this.store.state.at === null && this.store.set({ settled }), () => undefined);
  }

  /** The bar was drawn to this place. */
  scrub(since_s: number): void {
    this.pause();
    this.store.set({ playhead_s: since_s });
    const { moments, at } = this.store.state;
    const nearest = nearestMoment(moments, since_s);
    if (nearest && nearest.n !== at) void this.goTo(nearest.n);
  }

  /** To the next or the previous moment. */
  step(by: 1 | -1): void {
    this.pause();
    const { moments, at } = this.store.state;
    const here = at === null ? moments.length : moments.findIndex((one) => one.n === at);
    const next = moments[here + by];
    if (next) void this.goTo(next.n);
    else if (by === 1 && !this.store.state.isReplay) void this.goTo(null);
  }

  /** Play at so many times the game's own pace; the same again: stop. */
  play(rate: number): void {
    const { rate: was, moments, at } = this.store.state;
    this.pause();
    if (rate === was) return;
    const [first, last] = [moments[0], moments.at(-1)];
    if (!first || !last) return;
    const isAtEnd = at === null || at >= last.n;
    const from = isAtEnd ? first : (moments.find((one) => one.n === at) ?? first);
    this.store.set({ rate, playhead_s: isAtEnd ? 0 : Math.max(from.since_s, this.store.state.playhead_s) });
    if (from.n !== at) void this.goTo(from.n);
    let before_ms = performance.now();
    this.#timer = window.setInterval(() => {
      const now_ms = performance.now();
      this.#advance((rate * (now_ms - before_ms)) / 1000, last);
      before_ms = now_ms;
    }, TICK_MS);
  }

  pause(): void {
    clearInterval(this.#timer);
    if (this.store.state.rate !== 0) this.store.set({ rate: 0 });
  }

  /** Hand a link to what is shown on: by the phone's own way where it has one, else it is shown to be copied. */
  async share(topic = this.store.state.topic): Promise<void> {
    this.pause();
    await this.renew();
    const pinned = this.store.state.at ?? this.store.state.moments.at(-1)?.n ?? null;
    await this.shareAddress(`${location.pathname}${writeLink({ ...linkOf(this.store.state), topic, at: pinned })}`);
  }

  /** The same for an address on this server, such as that of a ruling. */
  async shareAddress(path: string): Promise<void> {
    const address = new URL(path, location.href).href;
    this.store.set({ shared: address });
    try {
      await navigator.share?.({ title: document.title, url: address });
    } catch {
      // who thinks better of it, or has nothing to share by, still has the link on the page
    }
  }

  async copyLink(): Promise<void> {
    const { shared } = this.store.state;
    try {
      await navigator.clipboard.writeText(shared ?? "");
      this.toast.showAnswer(SAY.copied);
    } catch {
      document.querySelector<HTMLInputElement>(".share input")?.select(); // over plain http no page writes to the clipboard
    }
  }

  endSharing(): void {
    this.store.set({ shared: null });
  }

  #advance(by_s: number, last: BarMoment): void {
    const { moments, at } = this.store.state;
    const playhead_s = Math.min(last.since_s, this.store.state.playhead_s + by_s);
    this.store.set({ playhead_s });
    const reached = momentAt(moments, playhead_s);
    if (reached && reached.n !== at && reached.n !== this.#wanted) void this.goTo(reached.n);
    if (playhead_s >= last.since_s) this.pause();
  }

  /** Show what a link says; a game that is over begins with its first table at rest. */
  async #open(link: Link): Promise<void> {
    const { isReplay } = this.store.state;
    if (link.at !== null || isReplay) await this.renew();
    const at = link.at ?? (isReplay ? (this.store.state.moments[0]?.n ?? null) : null);
    if (at !== this.store.state.at) await this.goTo(at);
    if (link.a !== null) this.then.setPair(link.a, link.b);
    this.store.set({ openSlot: link.line, topic: link.topic });
  }

  #isShown(): boolean {
    const { at, tool, section } = this.store.state;
    return at !== null || (tool === "table" && section === "past");
  }

  async #tableOf(n: number): Promise<DrawnTable> {
    const known = this.#tables.get(n);
    if (known) return known;
    const table = await read<DrawnTable>(`bench/table?at=${n}`);
    this.#tables.set(n, table);
    for (const oldest of [...this.#tables.keys()].slice(0, -MOST_TABLES)) this.#tables.delete(oldest);
    return table;
  }

  async #fetchMoments(): Promise<void> {
    try {
      for (;;) {
        const after = this.store.state.moments.at(-1)?.n ?? 0;
        const more = await read<readonly Moment[]>(`moments?after=${after}&most=${MOST_AT_ONCE}`);
        if (more.length > 0) this.store.set({ moments: laidOut(this.store.state.moments, more) });
        if (more.length < MOST_AT_ONCE) return;
      }
    } catch {
      // The line is down; the next time reads on.
    }
  }
}

async function read<Answer>(address: string): Promise<Answer> {
  const answer = await fetch(`api/v1/${address}`);
  if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
  return (await answer.json()) as Answer;
}
