/** Kept verdicts: a verdict kept with its evidence, and the slip that proves at the end that the journal is whole. */

import { postJson } from "../shared/ndjson-request";
import { problemOf, Refusal } from "../shared/problem";
import type { Store } from "../shared/store";
import type { KeptVerdict, PairGiven, Problem, ResultSlip, VerdictChoice } from "../shared/types.gen";
import type { State } from "./state";
import type { Toast } from "./toast";

export class KeptVerdicts {
  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
    private readonly question: () => PairGiven | null,
  ) {}

  /** Keep the opened line as it is told now. */
  async keep(slot: string): Promise<void> {
    const pair = this.question();
    if (!pair) return;
    const wanted: VerdictChoice = { at: this.store.state.at, pair, slot };
    try {
      const { n } = await postJson<KeptVerdict>("api/v1/kept", wanted);
      this.store.set({ kept: { ...this.store.state.kept, [keptKey(this.store.state, slot)]: n } });
    } catch (wrong) {
      this.toast.showAnswer(problemOf(wrong).detail);
    }
  }

  /** Show the slip, or put it away. */
  async toggleSlip(): Promise<void> {
    if (this.store.state.slip !== null) return this.store.set({ slip: null });
    try {
      const answer = await fetch("api/v1/slip", { cache: "no-store" });
      if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
      this.store.set({ slip: (await answer.json()) as ResultSlip });
    } catch (wrong) {
      this.toast.showAnswer(problemOf(wrong).detail);
    }
  }
}

/** What a kept line is known again by: it is another once the table or the question is. */
export function keptKey({ at, a, b, sheet }: State, slot: string): string {
  const stands = sheet?.lines.find((line) => line.slot === slot)?.verdict;
  return JSON.stringify([at, a, b, slot, stands?.state_id, stands?.query]);
}

/** Whether this line may be kept: a seat at the table, a server that keeps, and nothing merely supposed. */
export function mayKeep({ rights, keepsEvidence, tool, b }: State): boolean {
  return keepsEvidence && rights.includes("correct") && tool === "ask" && b !== null;
}
