/** Template actions: a player lays a template, aims it, rolls for it. */

import { clampToTable, type Point } from "../shared/geometry";
import { postJson } from "../shared/ndjson-request";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { Verdict } from "../shared/types.gen";
import { facingAtEnd, startPath } from "./ghost-path";
import { questionAddress } from "./queries";
import { isMine, miniature, type Aim, type Manner, type MovePath, type State, type TemplatePlan } from "./state";
import { targetQueries } from "./template-query";

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

/** Ghost actions: the what-if miniature goes, turns, and comes back. */
export class GhostActions {
  constructor(
    private readonly store: Store<State>,
    private readonly ask: () => void,
  ) {}

  /** The ghost stands here now; while a finger drags it, this comes many times a second. */
  moveTo(at: Point): void {
    this.#change({ at: clampToTable(this.store.state, at) });
  }

  addCorner(): void {
    const { path } = this.store.state;
    if (path) this.#change({ via: [...path.via, path.at] });
  }

  undoLeg(): void {
    const { path } = this.store.state;
    const last = path?.via.at(-1);
    if (path && last) this.#change({ at: last, via: path.via.slice(0, -1) });
    else if (path) this.backToStart();
  }

  backToStart(): void {
    const { path } = this.store.state;
    if (!path) return;
    this.store.set({ path: startPath(this.store.state, path.who), course: null });
    this.ask();
  }

  setManner(manner: Manner): void {
    this.#change({ manner });
  }

  turnBy(by_deg: number): void {
    const { path } = this.store.state;
    if (path) this.#change({ facing_deg: ((facingAtEnd(this.store.state, path) ?? 0) + by_deg + 360) % 360 });
  }

  /** It looks there at the end; null: along its way. */
  setFacing(facing_deg: number | null): void {
    this.#change({ facing_deg });
  }

  #change(changes: Partial<MovePath>): void {
    const { path } = this.store.state;
    if (!path) return;
    this.store.set({ path: { ...path, ...changes } });
    this.ask();
  }
}
