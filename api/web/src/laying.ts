/** What a player does with a template: lays it, aims it, rolls for it. */

import { asked } from "./asking";
import { aimedAt, triedOn } from "./blast";
import { withinTable, type Point } from "./geometry";
import { problemOf } from "./refusal";
import { isMine, miniature, type Aim, type Blast, type State } from "./state";
import type { Store } from "./store";
import type { Verdict } from "./types.gen";

export class Laying {
  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  change(changes: Partial<Blast>): void {
    this.store.set({ blast: { ...this.store.state.blast, ...changes }, aims: null });
    this.ask();
  }

  takeUp(): void {
    this.change({ at: null, on: null, from: null, isMissed: false });
  }

  at(at: Point): void {
    this.change({ at: withinTable(this.store.state, at), on: null });
  }

  /** Shift the template, as the arrow keys do. */
  shift([dx, dy]: Point): void {
    const place = aimedAt(this.store.state);
    if (place) this.at([place[0] + dx, place[1] + dy]);
  }

  /** Whom to lay it on so that it is over most: everybody but mine is tried. */
  async findBest(): Promise<void> {
    const { state } = this.store;
    const tried = triedOn(state);
    if (tried.length === 0) return;
    try {
      const verdicts = await asked<Verdict[]>("api/v1/ask", tried.map(([, query]) => query));
      const aims = verdicts.map((verdict, i) => aimOf(state, tried[i]?.[0] ?? "", verdict));
      this.store.set({ aims: aims.sort((one, other) => other.hits - one.hits || one.ofMine - other.ofMine), askProblem: null });
    } catch (wrong) {
      this.store.set({ askProblem: problemOf(wrong) });
    }
  }

  on(id: string): void {
    const { blast } = this.store.state;
    const needsFrom = blast.shape === "spray" && blast.from === null;
    if (blast.isPickingFrom || needsFrom) this.change({ from: id, isPickingFrom: false });
    else this.change({ on: id, at: null });
  }
}

function aimOf(state: State, id: string, verdict: Verdict): Aim {
  const under = verdict.members.filter((one) => one.answer === "yes");
  const ofMine = under.filter((one) => isMine(state, miniature(state, one.id))).length;
  return { id, hits: under.length - ofMine, ofMine };
}
