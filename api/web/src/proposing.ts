/** What the picture suggests: looked for when a player asks, and laid, redrawn or rejected by a tap. */

import { freeId, type Correcting } from "./correcting";
import type { Notes } from "./notes";
import type { State } from "./state";
import type { Store } from "./store";
import { outlineOf } from "./geometry";
import type { EffectGiven, ProposedDisc, ProposedTerrain, Proposals, TerrainGiven } from "./types.gen";
import { SAY } from "./view/words";

export class Proposing {
  constructor(
    private readonly store: Store<State>,
    private readonly notes: Notes,
    private readonly table: Correcting,
  ) {}

  /** What the newest picture suggests and nobody has laid or rejected. */
  async look(): Promise<void> {
    const told = await this.#fetched();
    if (told === null) return this.notes.say(SAY.unreachable);
    const proposals = [...told.terrain, ...told.discs];
    this.store.set({ proposals });
    if (told.is_hand_in_the_way) this.notes.say(SAY.handInTheWay);
    else if (proposals.length === 0) this.notes.say(SAY.nothingProposed);
  }

  /** It is that, and lies so. */
  async lay(proposed: ProposedTerrain, kind: TerrainGiven["kind"]): Promise<void> {
    const { polygon_mm, sigma_mm } = proposed;
    const id = freeId(kind, this.store.state.table?.areas ?? []);
    if (await this.table.tell({ do: "lay", terrain: [{ id, kind, polygon_mm, sigma_mm }] })) this.#leave(proposed);
  }

  /** A flat disc lies there, and is that. */
  async layDisc(disc: ProposedDisc, kind: EffectGiven["kind"]): Promise<void> {
    const { centre_mm, diameter_mm, sigma_mm } = disc;
    const id = freeId(kind, this.store.state.table?.areas ?? []);
    if (await this.table.tell({ do: "lay", effects: [{ id, kind, centre_mm, diameter_mm, sigma_mm }] })) this.#leave(disc);
  }

  /** Open it as a piece that is being drawn: its corners, its kind, its height. */
  redraw({ polygon_mm, sigma_mm, kinds }: ProposedTerrain): void {
    const kind = kinds[0]?.kind ?? null;
    const was = { id: "", kind: kind ?? "rough", polygon_mm, sigma_mm };
    this.table.draw({ id: null, was, kind, corners: polygon_mm, height_mm: null, isReshaped: false });
  }

  /** There is nothing of the kind. */
  async reject(proposed: ProposedTerrain | ProposedDisc): Promise<void> {
    if (await this.table.tell({ do: "reject", polygon_mm: outlineOf(proposed) })) this.#leave(proposed);
  }

  #leave(gone: ProposedTerrain | ProposedDisc): void {
    const { proposals } = this.store.state;
    this.store.set({ proposals: proposals?.filter((one) => one !== gone) ?? null });
  }

  async #fetched(): Promise<Proposals | null> {
    try {
      const answer = await fetch("api/v1/proposals");
      return answer.ok ? ((await answer.json()) as Proposals) : null;
    } catch {
      return null;
    }
  }
}
