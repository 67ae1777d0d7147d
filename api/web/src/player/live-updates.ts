/** Live updates: messages of the socket, taken into the state. */

import { applyChange, isNextMessage, freshnessUpdate } from "./server-messages";
import { LiveSocket } from "../shared/live-socket";
import type { Toast } from "./toast";
import type { PictureCanvas } from "../shared/picture-canvas";
import type { State } from "./state";
import type { Store } from "../shared/store";
import type { Alarm, ClocksView, Dispute, DrawnTable, Freshness, Scoreboard, ServerMessage } from "../shared/types.gen";
import { nameSeats } from "../shared/language";
import { countText, eventText, newsOf, sizeOf } from "./event-text";

/** What follows from what is told. */
export interface UpdateHandlers {
  layTable(table: DrawnTable | null): void;
  askAnew(): void;
  rereadCard(): void;
  takeClocks(both: ClocksView | null): void;
  takeDispute(dispute: Dispute | null): void;
  /** a seat at a table that signs its log, and each ruling, which is signed at once */
  countersign(): void;
}

export class LiveUpdates {
  readonly #live: LiveSocket;
  /** the table as it is now, whatever is looked at */
  #table: DrawnTable | null = null;

  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
    private readonly picture: PictureCanvas,
    private readonly then: UpdateHandlers,
  ) {
    this.#live = new LiveSocket({
      onMessage: (message) => this.#handleMessage(message),
      onOpen: () => this.#handleOpen(),
      onLost: () => this.store.set({ link: "lost" }),
    });
  }

  begin(): void {
    this.#live.connect();
    document.addEventListener("visibilitychange", () => {
      this.#requestPictures();
      if (!document.hidden) this.#live.wake();
    });
    addEventListener("online", () => this.#live.wake());
  }

  /** What was asked while the connection was away is asked again: an error from then says nothing of now. */
  #handleOpen(): void {
    const wasLost = this.store.state.link === "lost";
    this.store.set({ link: "open", ...(wasLost ? { askProblem: null } : {}) });
    this.#requestPictures();
    if (wasLost) this.then.askAnew();
  }

  #requestPictures(): void {
    this.#live.send({ type: "pictures", wanted: !document.hidden });
  }

  #handleMessage(message: ServerMessage): void {
    if (message.type === "refused") {
      console.warn("the server did not understand", message.problem);
      return;
    }
    if (message.type === "hello") {
      this.store.set({ rights: message.rights, seat: message.seat, byPhotograph: message.by_photograph, isReplay: message.is_replay, hasJoined: message.has_joined, keepsEvidence: message.keeps_evidence, tableKey: message.table_key });
      if (message.table_key !== null && !message.is_replay && message.rights.includes("correct")) this.then.countersign();
      return;
    }
    if (!isNextMessage(this.store.state, message)) {
      this.#live.send({ type: "snapshot" });
      return;
    }
    this.store.set({ seq: message.seq });
    this.#applyMessage(message);
  }

  #applyMessage(message: Exclude<ServerMessage, { type: "refused" | "hello" }>): void {
    switch (message.type) {
      case "snapshot":
        this.#announceCounts(message.fresh);
        void watchProof(message.alarms);
        this.store.set({ title: message.title, problem: message.problem, steps: message.steps, rulings: message.rulings, alarms: message.alarms, ...this.#settledNow(message.settled), ...freshnessUpdate(message.fresh) });
        this.then.takeClocks(message.clocks);
        this.#takeScoreboard(message.scoreboard);
        this.#showPicture(message.picture);
        this.then.layTable((this.#table = message.table));
        this.then.takeDispute(message.dispute);
        return;
      case "change":
        this.then.layTable((this.#table = applyChange(this.#table, message)));
        return;
      case "picture":
        this.#showPicture(message.version);
        return;
      case "fresh":
        this.#announceCounts(message.fresh);
        this.store.set(freshnessUpdate(message.fresh));
        return;
      case "trouble":
        this.store.set({ problem: message.problem });
        this.then.askAnew(); // a halt refuses what was answered before, and its end answers what was refused
        return;
      case "check":
        this.store.set({ check: message.check, isChecking: false });
        return;
      case "steps":
        this.#applySteps(message.steps);
        return;
      case "rulings":
        this.store.set({ rulings: message.rulings });
        if (this.store.state.phoneProof !== null) this.then.countersign();
        this.then.askAnew(); // a ruling lies over the answer, or has ended
        return;
      case "event":
        if (this.store.state.at !== null) return; // who looks at an earlier moment hears nothing of now
        this.toast.showNews(eventText(this.store.state, message.event));
        return;
      case "clocks":
        this.then.takeClocks(message.clocks);
        return;
      case "scoreboard":
        this.#takeScoreboard(message.scoreboard);
        return;
      case "alarms":
        void watchProof(message.alarms);
        this.store.set({ alarms: message.alarms });
        return;
      case "settled":
        this.store.set(this.#settledNow(message.settled));
        return;
      case "dispute":
        this.then.takeDispute(message.dispute);
        return;
      case "notice":
        this.toast.showNews(message.text);
    }
  }

  /** Who looks at an earlier moment goes on looking at what was settled then. */
  #settledNow(settled: State["settled"]): Partial<State> {
    return this.store.state.at === null ? { settled } : {};
  }

  #takeScoreboard(scoreboard: Scoreboard): void {
    nameSeats(scoreboard);
    this.store.set({ scoreboard });
  }

  /** What somebody else corrected is told; a list that is looked at is remembered as it was under the finger. */
  #applySteps(steps: State["steps"]): void {
    const { tool, section, steps: before } = this.store.state;
    const isLookedAt = tool === "table" && section === "steps";
    const news = newsOf(before, steps, this.store.state);
    if (news !== null) this.toast.showNews(...news);
    this.store.set({ steps, stepsBefore: isLookedAt ? { steps: before, until_ms: performance.now() } : null });
    this.then.rereadCard();
    this.then.askAnew(); // what was told by one may be agreed to now
  }

  /** Says once of each size that another number of it is seen than is expected. */
  #announceCounts({ amiss }: Freshness): void {
    const known = this.store.state.fresh.amiss.map(sizeOf);
    const news = amiss.filter((one) => !known.includes(sizeOf(one)));
    if (news.length > 0) this.toast.showNews(news.map(countText).join("; "));
  }

  #showPicture(picture: number): void {
    this.store.set({ picture });
    void this.picture.show(picture);
  }
}

/** A game that is not what the table wrote is rare: its line is brought when it is needed. */
async function watchProof(alarms: readonly Alarm[]): Promise<void> {
  const forged = alarms.find(({ code }) => code === "proof");
  if (forged) (await import("../shared/red-line")).showRedLine(forged.says);
}
