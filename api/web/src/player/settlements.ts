/** Settlements: what the players do about a line that is too close to call. */

import { postJson } from "../shared/ndjson-request";
import { problemOf } from "../shared/problem";
import { moodOf, type AnsweredLine, type Mood } from "../shared/format";
import type { NewSettlement, Settlement } from "../shared/types.gen";
import type { State } from "./state";
import type { Store } from "../shared/store";

export class Settlements {
  constructor(private readonly store: Store<State>) {}

  /** They agreed on it, or throw the shared die; the answer reaches every phone by the socket. */
  async settle({ verdict }: AnsweredLine, how: NewSettlement["how"], answer: NewSettlement["answer"] = null): Promise<void> {
    try {
      await postJson<Settlement>("api/v1/settlements", { query: verdict.query, how, answer });
    } catch (wrong) {
      this.store.set({ askProblem: problemOf(wrong) });
    }
  }

  /** The judge at this table hears of it, and the hall's judges where the table belongs to one. */
  async callJudge(line: AnsweredLine): Promise<void> {
    await this.settle(line, "judge-called");
    const told = await fetch("api/v1/call");
    const isInHall = told.ok && ((await told.json()) as { in_hall: boolean }).in_hall;
    if (isInHall) await postJson("api/v1/call", { verdict: `${line.title}: ${line.headline ?? ""}` });
  }
}

/** What was settled about this very question; null: nothing that holds. */
export function settlementOf({ settled }: State, { verdict }: AnsweredLine): Settlement | null {
  const asked = keyOf(verdict.query);
  return settled.find((one) => keyOf(one.query) === asked) ?? null;
}

/** What holds of a line now: the ruling, else how the players settled it, else the referee's answer. */
export function standingMood(line: AnsweredLine, state: State): Mood {
  if (line.ruling) return line.ruling.answer ?? moodOf(line);
  const settled = moodOf(line) === "close" ? settlementOf(state, line)?.answer : null;
  return settled === "yes" || settled === "no" ? settled : moodOf(line);
}

function keyOf(query: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(query).filter(([, value]) => value !== null).sort(([one], [other]) => (one < other ? -1 : 1)));
}
