/** Side proposals by paint: made by the server, changed with a tap, told as one step. */

import { membersOf } from "./unit-manoeuvre";
import type { Toast } from "./toast";
import type { SideAssignment, State } from "./state";
import type { Store } from "../shared/store";
import type { Correction, Problem, ProposedSides } from "../shared/types.gen";
import { SAY } from "../shared/strings";

type Single = Extract<Correction, { readonly do: "several" }>["corrections"][number];

export class SideProposals {
  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
    private readonly tell: (correction: Correction) => Promise<boolean>,
  ) {}

  async proposeSides(): Promise<void> {
    try {
      const answer = await fetch("api/v1/sides/proposed");
      if (!answer.ok) return this.toast.showNews(((await answer.json()) as Problem).detail);
      const proposed = (await answer.json()) as ProposedSides;
      if (proposed.sides.length === 0) return this.toast.showNews(proposed.says);
      this.store.set({ sideAssignment: assignmentOf(proposed) });
    } catch {
      this.toast.showNews(SAY.unreachable);
    }
  }

  /** To the other side, then to neither. */
  cycleSide(id: string): void {
    const { sideAssignment: assignment } = this.store.state;
    if (!assignment) return;
    const round = [...assignment.names, null];
    const next = round[(round.indexOf(assignment.of[id] ?? null) + 1) % round.length] ?? null;
    const turned = Object.fromEntries([id, ...membersOf(this.store.state, id).map((m) => m.id)].map((one) => [one, next]));
    this.store.set({ sideAssignment: { ...assignment, of: { ...assignment.of, ...turned } } });
  }

  close(): void {
    this.store.set({ sideAssignment: null });
  }

  async confirmSides(): Promise<void> {
    const { sideAssignment: assignment, table } = this.store.state;
    if (!assignment) return;
    const standing = (table?.miniatures ?? []).map((m) => m.id);
    const corrections = assignment.names.flatMap((side): Single[] => {
      const ids = standing.filter((id) => assignment.of[id] === side);
      return ids.length > 0 ? [{ do: "miniature", ids, side }] : [];
    });
    if (corrections.length === 0 || (await this.tell({ do: "several", corrections }))) this.close();
  }
}

function assignmentOf({ sides, unsure, says }: ProposedSides): SideAssignment {
  const of = [...sides.flatMap(({ name, ids }) => ids.map((id) => [id, name] as const)), ...unsure.map((id) => [id, null] as const)];
  return { names: sides.map(({ name }) => name), of: Object.fromEntries(of), says };
}
