/** Actions of the set-up page: each choice and each picture goes to the server at once, which keeps it. */

import { problemOf, Refusal } from "../shared/problem";
import type { Store } from "../shared/store";
import type { CameraChoice, Problem, SetupChoice, SetupStarted, SetupStatus, SheetPicture, TerrainStatus } from "../shared/types.gen";
import { LAST, stepOf, TAPS, type State, type Tap } from "./state";
import { sendingOf, TERRAIN, WORDS } from "./strings";

const ROUTE = "api/v1/setup";
const COMES_BACK_MS = 500;

export class Actions {
  constructor(private readonly store: Store<State>) {}

  async open(): Promise<void> {
    await this.#try(WORDS.loading, async () => {
      const status = await ask<SetupStatus>("GET", "");
      this.store.set({ status, step: stepOf(status) });
      await this.#showTerrain();
      if (status.eye !== "phone") await this.#listCameras();
    });
  }

  goTo(step: number): void {
    this.store.set({ step, problems: [] });
    void this.#showTerrain();
  }

  async choose(choice: SetupChoice): Promise<void> {
    await this.#try(WORDS.loading, async () => {
      this.store.set({ status: await ask<SetupStatus>("PUT", "", choice) });
      if (choice.edition !== undefined) await this.#showTerrain(); // each edition knows other kinds
      if (choice.eye !== undefined && choice.eye !== "phone") await this.#listCameras();
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
        this.store.set({ status: await ask<SetupStatus>("POST", `/pictures?name=${encodeURIComponent(file.name)}`, file) });
      } catch (wrong) {
        problems.push(problemOf(wrong));
      }
    }
    this.store.set({ busy: null, problems });
  }

  async look(): Promise<void> {
    await this.#try(WORDS.sending, async () => this.store.set({ status: await ask<SetupStatus>("POST", "/pictures/look") }));
  }

  /** A picture of two blank sheets, to be tapped in. */
  async lookAtSheets(): Promise<void> {
    await this.#try(WORDS.sending, async () => this.store.set({ sheets: await ask<SheetPicture>("POST", "/sheets/look"), taps: [] }));
  }

  /** The next corner; after the fourth the server solves. */
  async tapSheet(at: Tap): Promise<void> {
    const { sheets, taps } = this.store.state;
    if (!sheets || taps.length === TAPS) return;
    this.store.set({ taps: [...taps, at] });
    if (taps.length + 1 < TAPS) return;
    await this.#try(WORDS.sending, async () => {
      this.store.set({ status: await ask<SetupStatus>("POST", "/sheets", { version: sheets.version, taps_px: this.store.state.taps }) });
    });
  }

  undoTap(): void {
    this.store.set({ taps: this.store.state.taps.slice(0, -1), problems: [] });
  }

  async remove(name: string): Promise<void> {
    await this.#try(WORDS.loading, async () => this.store.set({ status: await ask<SetupStatus>("DELETE", `/pictures/${encodeURIComponent(name)}`) }));
  }

  async proposeTerrain(): Promise<void> {
    await this.#try(TERRAIN.proposing, () => this.#askTerrain("POST", "/propose"));
  }

  /** A tap on the terrain: taken, left out, kept or taken up again. */
  async terrain(method: string, path: string, body?: unknown): Promise<void> {
    await this.#try(WORDS.loading, () => this.#askTerrain(method, path, body));
  }

  async #askTerrain(method: string, path: string, body?: unknown): Promise<void> {
    this.store.set({ terrain: await ask<TerrainStatus>(method, `/terrain${path}`, body) });
  }

  /** On the last step what is proposed and kept is shown. */
  async #showTerrain(): Promise<void> {
    if (this.store.state.step === LAST) await this.#try(WORDS.loading, () => this.#askTerrain("GET", ""));
  }

  async play(): Promise<void> {
    await this.#try(WORDS.opening, async () => {
      const { path } = await ask<SetupStarted>("POST", "/begin");
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
    this.store.set({ cameras: await ask<readonly CameraChoice[]>("GET", "/cameras") });
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

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const isFile = body instanceof Blob;
  const headers = body === undefined || isFile ? undefined : { "Content-Type": "application/json" };
  const sent = body === undefined ? null : isFile ? body : JSON.stringify(body);
  const answer = await fetch(`${ROUTE}${path}`, { method, body: sent, ...(headers ? { headers } : {}) });
  const said = (await answer.json()) as unknown;
  if (!answer.ok) throw new Refusal(said as Problem);
  return said as Answer;
}
