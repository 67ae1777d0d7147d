/** Actions of the corner page: take a picture, place corners, have the server judge them. */

import { postJson } from "../shared/ndjson-request";
import { fetchPicture, type PictureStage, type Place } from "../shared/picture-stage";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { CornerImage, TapAssessment, Taps } from "../shared/types.gen";
import type { State } from "./state";
import { CORNERS } from "./strings";

const SETTLES_MS = 250;

export class Actions {
  #judgeTimer = 0;
  #newestQuestion = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly stage: PictureStage,
  ) {}

  /** Take a new picture; taps belong to the one they were made in. */
  async takePicture({ room = false } = {}): Promise<void> {
    this.store.set({ isBusy: true, problem: null });
    try {
      const look = await postJson<CornerImage>(`api/v1/corners/look${room ? "?room=true" : ""}`, {});
      const picture = await fetchPicture(`api/v1/corners/look/${look.version}.jpg`);
      const table_mm = look.table_mm ?? this.store.state.table_mm;
      this.store.set({ look, table_mm, corners: [], before: [], picked: null, judged: null, isBusy: false });
      this.stage.show(picture);
    } catch (wrong) {
      this.store.set({ isBusy: false, problem: problemOf(wrong) });
    }
  }

  /** A tap on the picture: the next corner, or a new place for the picked one. */
  tap(place: Place): void {
    const { look, corners, picked } = this.store.state;
    if (!look) return;
    if (corners.length < CORNERS) this.#setCorners([...corners, place], corners.length);
    else if (picked !== null) this.#setCorners(replaceCorner(corners, picked, place), picked);
  }

  pick(number: number): void {
    this.store.set({ picked: number });
  }

  /** A corner is being dragged: nothing is remembered until it is dropped. */
  drag(number: number, place: Place): void {
    const { corners } = this.store.state;
    this.store.set({ corners: replaceCorner(corners, number, place), picked: number, judged: null, problem: null });
  }

  drop(number: number, from: Place): void {
    const { before, corners } = this.store.state;
    this.store.set({ before: [...before, replaceCorner(corners, number, from)] });
    this.#judgeCornersSoon();
  }

  nudge(dx: number, dy: number): void {
    const { corners, picked } = this.store.state;
    const place = picked === null ? undefined : corners[picked];
    if (picked === null || !place) return;
    const to: Place = [place[0] + dx, place[1] + dy];
    if (this.stage.holds(to)) this.#setCorners(replaceCorner(corners, picked, to), picked);
  }

  undo(): void {
    const { before } = this.store.state;
    const corners = before[before.length - 1];
    if (!corners) return;
    this.store.set({ corners, before: before.slice(0, -1), picked: null, judged: null, problem: null });
    this.#judgeCornersSoon();
  }

  setTableSize(table_mm: readonly [number, number] | null, isOther: boolean): void {
    this.store.set({ table_mm, isOther, judged: null, problem: null });
    this.#judgeCornersSoon();
  }

  toggleMap(): void {
    this.store.set({ isMapShown: !this.store.state.isMapShown });
  }

  async keepPose(): Promise<void> {
    await this.#judgeCorners(true);
  }

  #setCorners(corners: readonly Place[], picked: number): void {
    const before = [...this.store.state.before, this.store.state.corners];
    this.store.set({ corners, before, picked, judged: null, problem: null });
    this.#judgeCornersSoon();
  }

  #judgeCornersSoon(): void {
    clearTimeout(this.#judgeTimer);
    this.#judgeTimer = window.setTimeout(() => void this.#judgeCorners(false), SETTLES_MS);
  }

  async #judgeCorners(keep: boolean): Promise<void> {
    const { look, corners, table_mm } = this.store.state;
    const [a, b, c, d] = corners;
    if (!look || !table_mm || !a || !b || !c || !d) return;
    const number = ++this.#newestQuestion;
    this.store.set({ isBusy: true });
    try {
      const taps: Taps = { version: look.version, corners_px: [a, b, c, d], table_mm, keep };
      const judged = await postJson<TapAssessment>("api/v1/corners", taps);
      if (number === this.#newestQuestion) this.store.set({ judged, problem: null, isBusy: false });
    } catch (wrong) {
      if (number === this.#newestQuestion) this.store.set({ judged: null, problem: problemOf(wrong), isBusy: false, isMapShown: false });
    }
  }
}

function replaceCorner(corners: readonly Place[], number: number, place: Place): readonly Place[] {
  return corners.map((one, i) => (i === number ? place : one));
}
