/** My army: how the units of a list fare, each word a step that both players see and either takes back. */

import type { ArmyCorrectionGiven, Casualty, NamingEntry, NewTurn } from "../shared/types.gen";
import type { Store } from "../shared/store";
import type { ArmyLists } from "./army-lists";
import type { Corrections } from "./corrections";
import type { State } from "./state";
import { membersOf } from "./unit-manoeuvre";

/** What is told of a unit; what is left out stays as it was. */
export type Told = Omit<ArmyCorrectionGiven, "do">;

export class MyArmy {
  constructor(
    private readonly store: Store<State>,
    private readonly corrections: Corrections,
    private readonly lists: ArmyLists,
  ) {}

  /** Open a unit, or close it. */
  toggle(unit: string): void {
    const { openUnit } = this.store.state;
    this.store.set({ openUnit: openUnit === unit ? null : unit, falling: null });
  }

  /** One of an entry is lost: one without a name, else the only base of that name, else the base that is tapped next. */
  async lose(one: NamingEntry): Promise<void> {
    const entry = one.expected.entry ?? "";
    const [only, ...others] = one.named;
    if (namelessOf(one) > 0) return this.#lose({ entry });
    if (only !== undefined && others.length === 0) return this.#lose({ entry, id: only });
    this.store.set({ falling: this.store.state.falling === entry ? null : entry });
  }

  /** A base on the table: it fell, where one of its entry is awaited. False where it means nothing here. */
  tap(id: string): boolean {
    const { falling, lists } = this.store.state;
    const one = lists?.entries.find(({ expected }) => expected.entry === falling);
    const fallen = membersOf(this.store.state, id).map((m) => m.id).find((m) => one?.named.includes(m));
    if (falling !== null && fallen !== undefined) void this.#lose({ entry: falling, id: fallen });
    return falling !== null;
  }

  /** The newest loss of an entry is taken back. */
  async regain({ casualty_step: n }: NamingEntry): Promise<void> {
    if (n !== null && (await this.corrections.settle({ how: "undo", n }))) await this.lists.reread();
  }

  async tell(told: Told): Promise<void> {
    if (await this.corrections.send({ do: "army", ...told })) await this.lists.reread();
  }

  async beginTurn(side: string): Promise<void> {
    const turn: NewTurn = { side };
    if (await this.corrections.sendStep("lists/new-turn", turn)) await this.lists.reread();
  }

  async #lose(casualty: Casualty): Promise<void> {
    this.store.set({ falling: null });
    if (await this.corrections.sendStep("lists/casualty", casualty)) await this.lists.reread();
  }
}

/** How many of an entry are neither named nor lost. */
export function namelessOf({ expected, named, casualties }: NamingEntry): number {
  return Math.max(0, expected.count - named.length - casualties);
}
