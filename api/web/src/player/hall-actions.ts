/** Hall actions: call a judge with one tap, and say how the game of the round ended. */

import { send } from "../shared/http";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import { SAY } from "../shared/strings";
import type { CallRequest, CallStatus, GameResult, Match } from "../shared/types.gen";
import type { State } from "./state";
import type { Toast } from "./toast";

const LOOK_MS = 3000;
const MOST_WORDS = 300;

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
      this.store.set({ call, match });
    } catch {
      // The line is down; the page says so elsewhere.
    }
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
  const name = (id: string) => [...(table?.miniatures ?? []), ...(table?.units ?? [])].find((m) => m.id === id)?.name ?? id;
  return `${line.title}: ${line.headline ?? "…"} (A ${name(sheet.a)}, B ${name(sheet.b)})`.slice(0, MOST_WORDS);
}

async function read<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(`api/v1/${path}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(path);
  return (await answer.json()) as Answer;
}
