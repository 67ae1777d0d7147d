/** The profile card of a miniature: its numbers are read from the server and changed with a tap. */

import type { Toast } from "./toast";
import { membersOf } from "./unit-manoeuvre";
import type { State } from "./state";
import type { Store } from "../shared/store";
import type { Correction, ProfileGiven } from "../shared/types.gen";
import { SAY } from "../shared/strings";

/** Ends the source of a card that a player changed; the server knows by it that the numbers are somebody's word. */
const CHANGED = ", changed for this game";

/** What may be told of a miniature. */
export type About = Omit<Extract<Correction, { readonly do: "miniature" }>, "do" | "ids">;

/** What of a state the cards of its miniatures are read from. */
interface StateWithCards {
  readonly miniatures?: readonly { readonly id: string; readonly unit?: string | null; readonly profile?: ProfileGiven }[];
  readonly units?: readonly { readonly id: string }[];
}

interface CardRead {
  readonly card: ProfileGiven;
  readonly inUnit: string | null;
  readonly unitIds: readonly string[];
}

export class ProfileCard {
  /** The card of the one who is picked with all that this phone changed of it; null where it could not be read. */
  #card: Promise<ProfileGiven | null> = Promise.resolve(null);
  /** How many changes the server has not answered. */
  #unanswered = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
    private readonly tell: (correction: Correction) => Promise<boolean>,
  ) {}

  /** Read the card of this one. What is changed before it has come is changed of what comes, and outlives it. */
  read(id: string): void {
    const read: Promise<ProfileGiven | null> = this.#fetch(id).then((answer) => {
      if (answer && read === this.#card && this.store.state.picked === id) this.store.set({ ...answer });
      return answer?.card ?? null;
    });
    this.#card = read;
  }

  /** Somebody corrected the table: who is looked at may have another card. */
  reread(): void {
    const { picked } = this.store.state;
    if (picked !== null && this.#unanswered === 0) this.read(picked);
  }

  /** Tell what this one is. */
  async describe(id: string, about: About): Promise<void> {
    const { profile } = about;
    if (profile) {
      this.#card = Promise.resolve(profile);
      this.store.set({ card: profile });
    }
    await this.#rereadAfter(() => this.#send(id, about));
  }

  /** Change some of its card. A step replaces all of the card, so it waits until the card is known. */
  async change(id: string, change: (card: ProfileGiven) => ProfileGiven): Promise<void> {
    const changed = this.#card.then(async (card) => {
      const known = card ?? (await this.#fetch(id))?.card;
      return known ? sayChanged(change(known)) : null;
    });
    this.#card = changed;
    this.store.set({ card: change(this.store.state.card ?? {}) });
    await this.#rereadAfter(async () => {
      const profile = await changed;
      if (profile === null) return this.toast.showAnswer(SAY.unreachable);
      if (changed === this.#card) this.store.set({ card: profile });
      await this.#send(id, { profile });
    });
  }

  async #send(id: string, about: About): Promise<void> {
    const ids = membersOf(this.store.state, id).map((m) => m.id);
    await this.tell({ do: "miniature", ids, ...about });
  }

  /** The server has the last word on the card, once it has answered all that was changed of it. */
  async #rereadAfter(tell: () => Promise<void>): Promise<void> {
    this.#unanswered += 1;
    await tell();
    this.#unanswered -= 1;
    this.reread();
  }

  async #fetch(id: string): Promise<CardRead | null> {
    try {
      const answer = await fetch("api/v1/state");
      if (!answer.ok) return null;
      const { miniatures = [], units = [] } = (await answer.json()) as StateWithCards;
      const one = miniatures.find((m) => m.id === id || m.unit === id);
      return { card: one?.profile ?? {}, inUnit: one?.unit ?? null, unitIds: units.map((unit) => unit.id) };
    } catch {
      this.toast.showNews(SAY.unreachable);
      return null;
    }
  }
}

/** A card that was changed by hand says so wherever its numbers are told. */
function sayChanged(card: ProfileGiven): ProfileGiven {
  const { source } = card;
  return source == null || source.endsWith(CHANGED) ? card : { ...card, source: `${source}${CHANGED}` };
}
