/** Actions of the corner page: take a picture, place corners, have the server judge them. */

import { problemOf, Refusal } from "../shared/problem";
import type { Store } from "../shared/store";
import type { Problem } from "../shared/types.gen";
import type { Zoom } from "../shared/zoom";
import { frameOf, toPicture, toStage, type Place, type State } from "./state";
import type { TapAssessment, CornerImage, Taps } from "../shared/types.gen";
import { CORNERS } from "./strings";

const SETTLES_MS = 250;
const FINGER_PX = 24;

export class Actions {
  zoom: Zoom | null = null;
  picture: ImageBitmap | null = null;
  #judgeTimer = 0;
  #newestQuestion = 0;

  constructor(private readonly store: Store<State>) {}

  /** Take a new picture; taps belong to the one they were made in. */
  async takePicture({ room = false } = {}): Promise<void> {
    this.store.set({ isBusy: true, problem: null });
    try {
      const look = await postJson<CornerImage>(`api/v1/corners/look${room ? "?room=true" : ""}`, {});
      const answer = await fetch(`api/v1/corners/look/${look.version}.jpg`);
      if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
      this.picture = await createImageBitmap(await answer.blob());
      const table_mm = look.table_mm ?? this.store.state.table_mm;
      this.store.set({ look, table_mm, corners: [], before: [], picked: null, judged: null, isBusy: false });
      this.zoom?.showWhole();
    } catch (wrong) {
      this.store.set({ isBusy: false, problem: problemOf(wrong) });
    }
  }

  /** A tap on the stage: the next corner, one to pick, or a new place for the picked one. */
  tap(at: Place): void {
    const { look, corners, picked } = this.store.state;
    const frame = frameOf(this.store.state);
    const place = toPicture(frame, at);
    if (!look || !isWithin(place, look)) return;
    const hit = corners.findIndex((one) => Math.hypot(toStage(frame, one)[0] - at[0], toStage(frame, one)[1] - at[1]) < FINGER_PX);
    if (hit >= 0) this.pick(hit);
    else if (corners.length < CORNERS) this.#setCorners([...corners, place], corners.length);
    else if (picked !== null) this.#setCorners(replaceCorner(corners, picked, place), picked);
  }

  pick(number: number): void {
    this.store.set({ picked: number });
  }

  /** A corner is being dragged: nothing is remembered until `dropped`. */
  drag(number: number, at: Place): void {
    const { look, corners } = this.store.state;
    const place = toPicture(frameOf(this.store.state), at);
    if (!look || !isWithin(place, look)) return;
    this.store.set({ corners: replaceCorner(corners, number, place), picked: number, judged: null, problem: null });
  }

  endDrag(was: readonly Place[]): void {
    if (was === this.store.state.corners) return;
    this.store.set({ before: [...this.store.state.before, was] });
    this.#judgeCornersSoon();
  }

  nudge(dx: number, dy: number): void {
    const { look, corners, picked } = this.store.state;
    const place = picked === null ? undefined : corners[picked];
    if (!look || picked === null || !place) return;
    const to: Place = [place[0] + dx, place[1] + dy];
    if (isWithin(to, look)) this.#setCorners(replaceCorner(corners, picked, to), picked);
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

function isWithin([x, y]: Place, look: CornerImage): boolean {
  return x >= 0 && y >= 0 && x <= look.width_px - 1 && y <= look.height_px - 1;
}

async function postJson<Answer>(address: string, body: unknown): Promise<Answer> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  const said = (await answer.json()) as unknown;
  if (!answer.ok) throw new Refusal(said as Problem);
  return said as Answer;
}
