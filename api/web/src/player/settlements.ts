/** Settlements: what the players do about a line that is too close to call. */

import { inNames } from "../shared/entities";
import { get, send } from "../shared/http";
import { postJson } from "../shared/ndjson-request";
import { problemOf } from "../shared/problem";
import { moodOf, type AnsweredLine, type Mood } from "../shared/format";
import type { Dispute, DisputeDeed, DisputeView, Settlement } from "../shared/types.gen";
import type { State } from "./state";
import type { Store } from "../shared/store";

/** So long a question may be that the hall hears. */
const MOST_WORDS = 300;
/** Kinds whose answer is a length that a tape can be laid to. */
const TAPED = new Set(["range", "within", "melee-range"]);

export class Settlements {
  constructor(private readonly store: Store<State>) {}

  /** Dispute an answer: the sheet opens on both phones and on the judge's page. */
  async dispute({ verdict, title, yes, no }: AnsweredLine): Promise<void> {
    const { a, b, sheet } = this.store.state;
    if (a === null || b === null) return;
    const far_mm = sheet?.lines.find((line) => line.slot === "distance")?.verdict?.measured[0]?.value_mm;
    const isTaped = TAPED.has(verdict.kind) && far_mm !== undefined && verdict.margin_mm !== null;
    const limit_mm = isTaped ? far_mm + (verdict.margin_mm ?? 0) : null;
    await this.#attempt(() => postJson<Dispute>("api/v1/dispute", { query: verdict.query, a, b, title, yes, no, limit_mm }));
  }

  /** Agree, roll, tell what the tape says, call the judge, or put it away; every screen hears of it by the socket. */
  async answer(deed: DisputeDeed): Promise<void> {
    const { dispute } = this.store.state;
    await this.#attempt(() => send<Dispute | null>("PUT", "dispute", deed));
    if (deed.how === "judge" && dispute) await this.#callHall(dispute);
  }

  async lookForJudge(): Promise<void> {
    try {
      this.store.set({ hasJudge: (await get<DisputeView>("dispute")).has_judge });
    } catch {
      // The line is down; the page says so elsewhere.
    }
  }

  /** The hall's judges hear of it too, where the table belongs to one. */
  async #callHall(dispute: Dispute): Promise<void> {
    const { call, table } = this.store.state;
    if (call?.in_hall) await this.#attempt(() => postJson("api/v1/call", { verdict: inNames(dispute.title, dispute, table).slice(0, MOST_WORDS) }));
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (wrong) {
      this.store.set({ askProblem: problemOf(wrong) });
    }
  }
}

/** What was settled about this very question; null: nothing that holds. */
export function settlementOf({ settled }: Pick<State, "settled">, { verdict }: AnsweredLine): Settlement | null {
  const asked = keyOf(verdict.query);
  return settled.find((one) => keyOf(one.query) === asked) ?? null;
}

/** What holds of a line now: the ruling, else how the players settled it, else the referee's answer. */
export function standingMood(line: AnsweredLine, state: Pick<State, "settled">): Mood {
  if (line.ruling) return line.ruling.answer ?? moodOf(line);
  const settled = settlementOf(state, line)?.answer;
  return settled === "yes" || settled === "no" ? settled : moodOf(line);
}

export function keyOf(query: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(query).filter(([, value]) => value !== null).sort(([one], [other]) => (one < other ? -1 : 1)));
}
