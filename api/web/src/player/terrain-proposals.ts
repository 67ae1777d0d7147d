/** Terrain proposals from the picture: fetched when a player asks, and laid, redrawn or rejected by a tap. */

import { freeId } from "../shared/entities";
import { outlineOf } from "../shared/geometry";
import type { Store } from "../shared/store";
import { SAY } from "../shared/strings";
import type { Correction, EffectGiven, Problem, Proposals, ProposedDisc, ProposedSides, ProposedTerrain, TerrainGiven } from "../shared/types.gen";
import type { Corrections } from "./corrections";
import type { SideAssignment, State } from "./state";
import type { Toast } from "./toast";
import { membersOf } from "./unit-manoeuvre";

export class TerrainProposals {
  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
    private readonly corrections: Corrections,
  ) {}

  /** What the newest picture suggests and nobody has laid or rejected. */
  async fetchProposals(): Promise<void> {
    const suggested = await this.#fetch();
    if (suggested === null) return this.toast.showNews(SAY.unreachable);
    const proposals = [...suggested.terrain, ...suggested.discs];
    this.store.set({ proposals });
    if (suggested.is_hand_in_the_way) this.toast.showNews(SAY.handInTheWay);
    else if (proposals.length === 0) this.toast.showNews(SAY.nothingProposed);
  }

  /** It is that, and lies so. */
  async layTerrain(proposed: ProposedTerrain, kind: TerrainGiven["kind"]): Promise<void> {
    const { polygon_mm, sigma_mm } = proposed;
    const id = freeId(kind, this.store.state.table?.areas ?? []);
    if (await this.corrections.send({ do: "lay", terrain: [{ id, kind, polygon_mm, sigma_mm }] })) this.#dropProposal(proposed);
  }

  /** A flat disc lies there, and is that. */
  async layDisc(disc: ProposedDisc, kind: EffectGiven["kind"]): Promise<void> {
    const { centre_mm, diameter_mm, sigma_mm } = disc;
    const id = freeId(kind, this.store.state.table?.areas ?? []);
    if (await this.corrections.send({ do: "lay", effects: [{ id, kind, centre_mm, diameter_mm, sigma_mm }] })) this.#dropProposal(disc);
  }

  /** Open it as a piece that is being drawn: its corners, its kind, its height. */
  redrawTerrain({ polygon_mm, sigma_mm, kinds }: ProposedTerrain): void {
    const kind = kinds[0]?.kind ?? null;
    const was = { id: "", kind: kind ?? "rough", polygon_mm, sigma_mm };
    this.corrections.setDrawing({ id: null, was, kind, corners: polygon_mm, height_mm: null, isReshaped: false });
  }

  /** There is nothing of the kind. */
  async rejectProposal(proposed: ProposedTerrain | ProposedDisc): Promise<void> {
    if (await this.corrections.send({ do: "reject", polygon_mm: outlineOf(proposed) })) this.#dropProposal(proposed);
  }

  #dropProposal(gone: ProposedTerrain | ProposedDisc): void {
    const { proposals } = this.store.state;
    this.store.set({ proposals: proposals?.filter((one) => one !== gone) ?? null });
  }

  async #fetch(): Promise<Proposals | null> {
    try {
      const answer = await fetch("api/v1/proposals");
      return answer.ok ? ((await answer.json()) as Proposals) : null;
    } catch {
      return null;
    }
  }
}

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
