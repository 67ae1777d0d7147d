/** Sides as they look: proposed by the server, changed with a tap, told as one step. */

import { membersOf } from "./drill";
import type { Notes } from "./notes";
import type { Siding, State } from "./state";
import type { Store } from "./store";
import type { Correction, Problem, SidesProposed } from "./types.gen";
import { SAY } from "./view/words";

type Single = Extract<Correction, { readonly do: "several" }>["corrections"][number];

export class SidesByLook {
  constructor(
    private readonly store: Store<State>,
    private readonly notes: Notes,
    private readonly tell: (correction: Correction) => Promise<boolean>,
  ) {}

  async propose(): Promise<void> {
    try {
      const answer = await fetch("api/v1/sides/proposed");
      if (!answer.ok) return this.notes.say(((await answer.json()) as Problem).detail);
      const proposed = (await answer.json()) as SidesProposed;
      if (proposed.sides.length === 0) return this.notes.say(proposed.says);
      this.store.set({ siding: sidingOf(proposed) });
    } catch {
      this.notes.say(SAY.unreachable);
    }
  }

  /** To the other side, then to neither. */
  turn(id: string): void {
    const { siding } = this.store.state;
    if (!siding) return;
    const round = [...siding.names, null];
    const next = round[(round.indexOf(siding.of[id] ?? null) + 1) % round.length] ?? null;
    const turned = Object.fromEntries([id, ...membersOf(this.store.state, id).map((m) => m.id)].map((one) => [one, next]));
    this.store.set({ siding: { ...siding, of: { ...siding.of, ...turned } } });
  }

  leave(): void {
    this.store.set({ siding: null });
  }

  async confirm(): Promise<void> {
    const { siding, table } = this.store.state;
    if (!siding) return;
    const standing = (table?.miniatures ?? []).map((m) => m.id);
    const corrections = siding.names.flatMap((side): Single[] => {
      const ids = standing.filter((id) => siding.of[id] === side);
      return ids.length > 0 ? [{ do: "miniature", ids, side }] : [];
    });
    if (corrections.length === 0 || (await this.tell({ do: "several", corrections }))) this.leave();
  }
}

function sidingOf({ sides, unsure, says }: SidesProposed): Siding {
  const of = [...sides.flatMap(({ name, ids }) => ids.map((id) => [id, name] as const)), ...unsure.map((id) => [id, null] as const)];
  return { names: sides.map(({ name }) => name), of: Object.fromEntries(of), says };
}
