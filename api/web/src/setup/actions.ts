/** Actions of the set-up page: each choice and each picture goes to the server at once, which keeps it. */

import { fetchPicture, type GripHandlers, type PictureStage, type Place } from "../shared/picture-stage";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { CameraChoice, Problem, SetupChoice, SetupStarted, SetupStatus, TapPicture, TerrainStatus } from "../shared/types.gen";
import { PhotographActions } from "./photograph";
import { request, ROUTE } from "./request";
import { hasSource, LAST, stepOf, TAPS, type State } from "./state";
import { sendingOf, TERRAIN, WORDS } from "./strings";

const COMES_BACK_MS = 500;

export class Actions {
  readonly photograph: PhotographActions;

  constructor(
    private readonly store: Store<State>,
    private readonly stage: PictureStage,
  ) {
    this.photograph = new PhotographActions(store, stage);
  }

  async open(): Promise<void> {
    await this.#try(WORDS.loading, async () => {
      const status = await request<SetupStatus>("GET", "");
      this.store.set({ status, step: stepOf(status) });
      await this.#showTerrain();
      if (hasSource(status.eye)) await this.#listCameras();
    });
  }

  goTo(step: number): void {
    this.store.set({ step, problems: [] });
    void this.#showTerrain();
  }

  /** Take a choice; of a photograph each is the last of its step. */
  async choose(choice: SetupChoice): Promise<void> {
    await this.#try(WORDS.loading, async () => {
      const status = await request<SetupStatus>("PUT", "", choice);
      const isLast = status.eye === "photograph" && (choice.eye ?? choice.table_mm) !== undefined && !this.store.state.isOther;
      this.store.set({ status, step: isLast ? stepOf(status) : this.store.state.step });
      if (choice.edition !== undefined) await this.#showTerrain(); // each edition knows other kinds
      if (choice.eye !== undefined && hasSource(choice.eye)) await this.#listCameras();
    });
  }

  showOther(): void {
    this.store.set({ isOther: true });
  }

  async send(files: readonly File[]): Promise<void> {
    const problems: Problem[] = [];
    for (const [k, file] of files.entries()) {
      this.store.set({ busy: sendingOf(k, files.length), problems });
      try {
        this.store.set({ status: await request<SetupStatus>("POST", `/pictures?name=${encodeURIComponent(file.name)}`, file) });
      } catch (wrong) {
        problems.push(problemOf(wrong));
      }
    }
    this.store.set({ busy: null, problems });
  }

  async look(): Promise<void> {
    await this.#try(WORDS.sending, async () => this.store.set({ status: await request<SetupStatus>("POST", "/pictures/look") }));
  }

  /** A picture of two blank sheets, to be tapped in. */
  async lookAtSheets(): Promise<void> {
    await this.#try(WORDS.sending, async () => {
      const sheets = await request<TapPicture>("POST", "/sheets/look");
      this.stage.show(await fetchPicture(`${ROUTE}/sheets/look/${sheets.version}.jpg`));
      this.store.set({ sheets, taps: [], picked: null });
    });
  }

  /** The corners of the sheets: with the fourth, and whenever one is set right, the server solves. */
  readonly sheetGrips: GripHandlers = {
    tap: (place) => {
      const { taps } = this.store.state;
      if (taps.length < TAPS) this.#setTaps([...taps, place]);
    },
    pick: (picked) => this.store.set({ picked }),
    drag: (picked, place) => this.store.set({ picked, taps: this.store.state.taps.map((tap, k) => (k === picked ? place : tap)) }),
    drop: () => this.#setTaps(this.store.state.taps),
  };

  #setTaps(taps: readonly Place[]): void {
    const { sheets } = this.store.state;
    this.store.set({ taps, picked: null });
    if (!sheets || taps.length < TAPS) return;
    void this.#try(WORDS.sending, async () => {
      this.store.set({ status: await request<SetupStatus>("POST", "/sheets", { version: sheets.version, taps_px: taps }) });
    });
  }

  undoTap(): void {
    this.store.set({ taps: this.store.state.taps.slice(0, -1), picked: null, problems: [] });
  }

  async remove(name: string): Promise<void> {
    await this.#try(WORDS.loading, async () => this.store.set({ status: await request<SetupStatus>("DELETE", `/pictures/${encodeURIComponent(name)}`) }));
  }

  async proposeTerrain(): Promise<void> {
    await this.#try(TERRAIN.proposing, () => this.#askTerrain("POST", "/propose"));
  }

  /** A tap on the terrain: taken, left out, kept or taken up again. */
  async terrain(method: string, path: string, body?: unknown): Promise<void> {
    await this.#try(WORDS.loading, () => this.#askTerrain(method, path, body));
  }

  async #askTerrain(method: string, path: string, body?: unknown): Promise<void> {
    this.store.set({ terrain: await request<TerrainStatus>(method, `/terrain${path}`, body) });
  }

  /** On the last step what is proposed and kept is shown. */
  async #showTerrain(): Promise<void> {
    if (this.store.state.step === LAST) await this.#try(WORDS.loading, () => this.#askTerrain("GET", ""));
  }

  async play(): Promise<void> {
    await this.#try(WORDS.opening, async () => {
      const { path } = await request<SetupStarted>("POST", "/begin");
      this.store.set({ isLeaving: true });
      await this.#wait();
      location.assign(path);
    });
  }

  /** Until the table's own server answers where the set-up's did. */
  async #wait(): Promise<void> {
    for (;;) {
      await new Promise((done) => setTimeout(done, COMES_BACK_MS));
      const answer = await fetch(ROUTE, { cache: "no-store" }).catch(() => null);
      if (answer?.status === 404) return; // the table's server knows no set-up
    }
  }

  async #listCameras(): Promise<void> {
    this.store.set({ cameras: await request<readonly CameraChoice[]>("GET", "/cameras") });
  }

  async #try(busy: string, act: () => Promise<void>): Promise<void> {
    this.store.set({ busy, problems: [] });
    try {
      await act();
      this.store.set({ busy: null });
    } catch (wrong) {
      this.store.set({ busy: null, problems: [problemOf(wrong)] });
    }
  }
}
