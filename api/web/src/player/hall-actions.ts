/** Hall actions: call a judge with one tap, and say how the game of the round ended. */

import { inNames } from "../shared/entities";
import { send } from "../shared/http";
import { problemOf, Refusal } from "../shared/problem";
import type { Store } from "../shared/store";
import { SAY } from "../shared/strings";
import type { CallRequest, CallStatus, ClocksView, ClockView, GameResult, Match, PhotographResult, Problem } from "../shared/types.gen";
import type { State } from "./state";
import type { Toast } from "./toast";

const LOOK_MS = 3000;
const MOST_WORDS = 300;
const WARNINGS_S = [15 * 60, 5 * 60];
const FALL_MS = 900;
const FALL_HZ = 660;

export class HallActions {
  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
  ) {}

  /** Look what the hall says for as long as the page is open; a table without a hall is asked once. */
  async begin(): Promise<void> {
    await this.look();
    if (this.store.state.call?.in_hall !== false) setTimeout(() => void this.begin(), LOOK_MS);
  }

  async look(): Promise<void> {
    try {
      const call = await read<CallStatus>("call");
      const match = call.in_hall ? await read<Match | null>("match") : null;
      this.#warnOfTime(this.store.state.match, match);
      this.store.set({ call, match });
    } catch {
      // The line is down; the page says so elsewhere.
    }
  }

  /** Fifteen and five minutes before the round ends, once each. */
  #warnOfTime(was: Match | null, match: Match | null): void {
    if (match === null || match.left_s === null || match.left_s <= 0) return;
    const left_s = match.left_s;
    const before_s = was?.round === match.round ? (was.left_s ?? Infinity) : Infinity;
    if (!WARNINGS_S.some((limit_s) => left_s <= limit_s && before_s > limit_s)) return;
    navigator.vibrate?.([200, 100, 200]);
    this.toast.showNews(SAY.hall.timeLeft(Math.max(1, Math.round(left_s / 60))));
  }

  /** One tap: the verdict that is opened goes along. */
  async callJudge(): Promise<void> {
    const verdict = disputed(this.store.state);
    const call = await this.#attempt(() => send<CallStatus>("POST", "call", { verdict } satisfies CallRequest));
    if (!call) return;
    this.store.set({ call });
    this.toast.showAnswer(SAY.hall.called);
  }

  async withdraw(): Promise<void> {
    const call = await this.#attempt(() => send<CallStatus>("DELETE", "call"));
    if (call) this.store.set({ call });
  }

  async tellResult(result: GameResult): Promise<void> {
    const match = await this.#attempt(() => send<Match>("PUT", "match/result", result));
    if (match) this.store.set({ match });
  }

  async #attempt<Answer>(work: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await work();
    } catch (wrong) {
      this.toast.showAnswer(problemOf(wrong).detail);
      return null;
    }
  }
}

/** The verdict that is opened, in the words that stand on the phone; null: none is. */
export function disputed({ sheet, openSlot, table }: Pick<State, "sheet" | "openSlot" | "table">): string | null {
  const line = sheet?.lines.find((one) => one.slot === openSlot);
  if (!sheet || !line) return null;
  return `${inNames(line.title, sheet, table)}: ${line.headline ?? "…"}`.slice(0, MOST_WORDS);
}

async function read<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(`api/v1/${path}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(path);
  return (await answer.json()) as Answer;
}

/** Clock actions: the chess clock in the player's hand, set and passed on the server. */
export class ClockActions {
  #sound: AudioContext | null = null;

  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
  ) {}

  /** What the server told; a flag that falls is heard and felt by who has the clock before them. */
  take(both: ClocksView | null): void {
    const fell = (one: ClockView) => this.store.state.clocks?.both.players.some((was) => was.player === one.player && !was.has_run_out);
    if (both?.players.some((one) => one.has_run_out && fell(one))) this.#fall();
    const at_ms = performance.now();
    this.store.set({ clocks: both && { both, at_ms }, now_ms: at_ms });
  }

  /** A browser plays a sound only after a tap: the one that opens the clock. */
  open(): void {
    this.#sound ??= new AudioContext();
    this.store.set({ isClockOpen: true });
  }

  close(): void {
    this.store.set({ isClockOpen: false });
  }

  async set(minutes: number, increment_s: number): Promise<void> {
    await this.#attempt(() => send("PUT", "clocks", { minutes, increment_s }));
  }

  async pass(to: string): Promise<void> {
    navigator.vibrate?.(20);
    await this.#attempt(() => send("POST", "clocks/pass", { to }));
  }

  #fall(): void {
    navigator.vibrate?.([300, 100, 300]);
    if (this.#sound === null) return;
    const tone = new OscillatorNode(this.#sound, { frequency: FALL_HZ, type: "triangle" });
    tone.connect(this.#sound.destination);
    tone.start();
    tone.stop(this.#sound.currentTime + FALL_MS / 1000);
  }

  async #attempt(deed: () => Promise<unknown>): Promise<void> {
    try {
      await deed();
    } catch (wrong) {
      this.toast.showAnswer(problemOf(wrong).detail);
    }
  }
}

/** Camera actions: find the table anew, photograph it, check the calibration. */
export class CameraActions {
  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
  ) {}

  /** The camera hangs well and still: find the table anew. */
  register(): void {
    this.toast.showNews(SAY.searching);
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
