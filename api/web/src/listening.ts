/** What the server tells over the live socket. */

import { changed, follows, heard } from "./hearing";
import { Live } from "./live";
import type { Notes } from "./notes";
import type { Picture } from "./picture";
import type { State } from "./state";
import type { Store } from "./store";
import type { DrawnTable, Freshness, Told } from "./types.gen";
import { counted, happened, newsOf, sizeOf } from "./view/news";

/** What follows from what is told. */
export interface Then {
  lay(table: DrawnTable | null): void;
  askAnew(): void;
  corrected(): void;
}

export class Listening {
  readonly #live: Live;

  constructor(
    private readonly store: Store<State>,
    private readonly notes: Notes,
    private readonly picture: Picture,
    private readonly then: Then,
  ) {
    this.#live = new Live({
      told: (message) => this.#told(message),
      opened: () => this.#opened(),
      lost: () => this.store.set({ link: "lost" }),
    });
  }

  begin(): void {
    this.#live.connect();
    document.addEventListener("visibilitychange", () => {
      this.#wantPictures();
      if (!document.hidden) this.#live.wake();
    });
    addEventListener("online", () => this.#live.wake());
  }

  #opened(): void {
    this.store.set({ link: "open" });
    this.#wantPictures();
  }

  #wantPictures(): void {
    this.#live.say({ type: "pictures", wanted: !document.hidden });
  }

  #told(message: Told): void {
    if (message.type === "refused") {
      console.warn("the server did not understand", message.problem);
      return;
    }
    if (message.type === "hello") {
      this.store.set({ rights: message.rights, seat: message.seat });
      return;
    }
    if (!follows(this.store.state, message)) {
      this.#live.say({ type: "snapshot" });
      return;
    }
    this.store.set({ seq: message.seq });
    this.#take(message);
  }

  #take(message: Exclude<Told, { type: "refused" | "hello" }>): void {
    switch (message.type) {
      case "snapshot":
        this.#count(message.fresh);
        this.store.set({ title: message.title, problem: message.problem, steps: message.steps, ...heard(message.fresh) });
        this.#show(message.picture);
        this.then.lay(message.table);
        return;
      case "change":
        this.then.lay(changed(this.store.state.table, message));
        return;
      case "picture":
        this.#show(message.version);
        return;
      case "fresh":
        this.#count(message.fresh);
        this.store.set(heard(message.fresh));
        return;
      case "trouble":
        this.store.set({ problem: message.problem });
        this.then.askAnew(); // a halt refuses what was answered before, and its end answers what was refused
        return;
      case "check":
        this.store.set({ check: message.check, isChecking: false });
        return;
      case "steps":
        this.#correct(message.steps);
        return;
      case "event":
        this.notes.say(happened(this.store.state, message.event));
        return;
      case "notice":
        this.notes.say(message.text);
    }
  }

  /** What somebody else corrected is told; a list that is looked at is remembered as it was under the finger. */
  #correct(steps: State["steps"]): void {
    const { tool, section, seat, steps: before } = this.store.state;
    const isLookedAt = tool === "table" && section === "steps";
    const news = newsOf(before, steps, seat);
    if (news !== null) this.notes.say(news);
    this.store.set({ steps, stepsBefore: isLookedAt ? { steps: before, until_ms: performance.now() } : null });
    this.then.corrected();
  }

  /** Says once of each size that another number of it is seen than is expected. */
  #count({ amiss }: Freshness): void {
    const known = this.store.state.fresh.amiss.map(sizeOf);
    const news = amiss.filter((one) => !known.includes(sizeOf(one)));
    if (news.length > 0) this.notes.say(news.map(counted).join("; "));
  }

  #show(picture: number): void {
    this.store.set({ picture });
    void this.picture.show(picture);
  }
}
