/** Template actions: a player lays a template, aims it, rolls for it. */

import { questionAddress } from "./queries";
import { postJson } from "../shared/ndjson-request";
import { aimPoint, targetQueries } from "./template-query";
import { clampToTable, type Point } from "../shared/geometry";
import { problemOf } from "../shared/problem";
import { isMine, miniature, type Aim, type TemplatePlan, type State } from "./state";
import type { Store } from "../shared/store";
import type { Verdict } from "../shared/types.gen";

export class TemplateActions {
  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  changeTemplate(changes: Partial<TemplatePlan>): void {
    this.store.set({ template: { ...this.store.state.template, ...changes }, aims: null });
    this.ask();
  }

  removeTemplate(): void {
    this.changeTemplate({ at: null, on: null, from: null, isMissed: false });
  }

  layAt(at: Point): void {
    this.changeTemplate({ at: clampToTable(this.store.state, at), on: null });
  }

  /** Shift the template, as the arrow keys do. */
  shiftBy([dx, dy]: Point): void {
    const place = aimPoint(this.store.state);
    if (place) this.layAt([place[0] + dx, place[1] + dy]);
  }

  /** Whom to lay it on so that it is over most: everybody but mine is tried. */
  async findBestTargets(): Promise<void> {
    const { state } = this.store;
    const tried = targetQueries(state);
    if (tried.length === 0) return;
    try {
      const verdicts = await postJson<Verdict[]>(questionAddress("ask", state), tried.map(([, query]) => query));
      const aims = verdicts.map((verdict, i) => aimOf(state, tried[i]?.[0] ?? "", verdict));
      this.store.set({ aims: aims.sort((one, other) => other.hits - one.hits || one.ofMine - other.ofMine), askProblem: null });
    } catch (wrong) {
      this.store.set({ askProblem: problemOf(wrong) });
    }
  }

  layOn(id: string): void {
    const { template } = this.store.state;
    const needsFrom = template.shape === "spray" && template.from === null;
    if (template.isPickingFrom || needsFrom) this.changeTemplate({ from: id, isPickingFrom: false });
    else this.changeTemplate({ on: id, at: null });
  }
}

function aimOf(state: State, id: string, verdict: Verdict): Aim {
  const under = verdict.members.filter((one) => one.answer === "yes");
  const ofMine = under.filter((one) => isMine(state, miniature(state, one.id))).length;
  return { id, hits: under.length - ofMine, ofMine };
}
