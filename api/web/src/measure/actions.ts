/** Actions of the page on which bases are measured by a tap: measure, lead, turn, confirm, take back. */

import { freeId } from "../shared/entities";
import { postJson } from "../shared/ndjson-request";
import { fetchPicture, type GripHandlers, type PictureStage, type Place } from "../shared/picture-stage";
import { problemOf, Refusal } from "../shared/problem";
import type { Store } from "../shared/store";
import type { AbsenceCorrection, CorrectionStep, Correction, DrawnCandidate, DrawnTable, GapSheet, PictureAtHand, Problem, RollCallSheet, Tap, TapMeasurement } from "../shared/types.gen";
import { RegimentActions } from "./regiment";
import { doubtKey, mapPlace, outlineOf, sizeKey, uncalled, type Lack, type Measuring, type State } from "./state";
import { absenceText, baseText, WORDS } from "./strings";

const ROUTE = "api/v1/measure";
const LOUPE_MM = 1.5; // how exactly an outline is dragged where it is shown large
const RIM_TAPS = 3;
const MOST_RIM_TAPS = 12;
const NEAR = 1.7; // so many radii from the middle, and a tap means this base's rim
const AROUND = 2; // so many radii are shown around a base

export class Actions {
  #newest = 0;
  #gapsTurn = 0;
  readonly regiment: RegimentActions;

  constructor(
    private readonly store: Store<State>,
    private readonly stage: PictureStage,
  ) {
    this.regiment = new RegimentActions(store, async ({ n }, says) => {
      this.store.set({ told: { n, says, id: null } });
      await this.#reread();
    });
  }

  /** The newest picture, and what is known of the table; with a place or a miniature in the address, that is measured. */
  async open(query: URLSearchParams): Promise<void> {
    await this.#try(WORDS.loading, async () => {
      const picture = await getJson<PictureAtHand>(ROUTE);
      this.stage.show(await fetchPicture(`${ROUTE}/picture.jpg?picture=${picture.name}`));
      this.store.set({ picture, measuring: null });
      await this.#reread();
    });
    const at_mm = query.get("at")?.split(",").map(Number) ?? this.store.state.table?.miniatures.find(({ id }) => id === query.get("id"))?.at_mm;
    if (at_mm?.length === 2) await this.lookAt([at_mm[0] as number, at_mm[1] as number]);
  }

  /** Measure what stands at a place of the table. */
  async lookAt(at_mm: Place): Promise<void> {
    await this.#measure({ at_mm }, []);
  }

  /** Show the doubtful one after another, large; after the last, the whole table. */
  async callRoll(): Promise<void> {
    this.store.set({ called: this.store.state.called ?? [] });
    const [next] = uncalled(this.store.state);
    if (!next) return this.close();
    this.store.set({ called: [...(this.store.state.called ?? []), doubtKey(next)] });
    await this.lookAt(next.at_mm);
  }

  /** Every base stands in the state: told, or agreed to where the other player told it. */
  async complete(): Promise<void> {
    const { roll } = this.store.state;
    await this.#try(WORDS.telling, async () => {
      if (roll?.is_waiting) await postJson("api/v1/corrections/agree", { n: roll.step });
      else await postJson("api/v1/corrections", { do: "complete" });
      await this.#reread();
    });
  }

  /** One of these stands nowhere, and is missing no more. */
  async absent(lack: Lack, why: AbsenceCorrection["why"]): Promise<void> {
    await this.#try(WORDS.telling, async () => {
      const { n } = await postJson<CorrectionStep>("api/v1/corrections", { do: "absent", why, side: lack.side, base: lack.base });
      this.store.set({ told: { n, says: absenceText(lack, why), id: null } });
      await this.#reread();
    });
  }

  /** How many each side has on the table, where no list says so. */
  async expect(counts: readonly (readonly [string | null, number])[]): Promise<void> {
    const expected = counts.filter(([, count]) => count > 0).map(([side, count]) => ({ name: side ?? WORDS.bases, side, count }));
    await this.#try(WORDS.telling, async () => {
      await postJson("api/v1/expected", { expected }, { method: "PUT" });
      await this.#reread();
    });
  }

  async #reread(): Promise<void> {
    const [table, roll] = await Promise.all([getJson<DrawnTable>("api/v1/bench/table"), getJson<RollCallSheet>("api/v1/roll-call")]);
    this.store.set({ table, roll });
  }

  readonly grips: GripHandlers = {
    tap: (place) => this.#tap(place),
    pick: (picked) => this.store.set({ picked }),
    drag: (number, place) => this.#drag(number, place),
    drop: () => this.#drop(),
  };

  /** The outline is dragged: measured anew where it is let go. */
  dragOutline(event: PointerEvent): void {
    const outline = this.#outline();
    if (!outline) return;
    const [x, y] = outline.at_px;
    this.stage.follow(event, outline.at_px, (to) => this.#change({ shift: [to[0] - x, to[1] - y] }), () => {
      const { shift, tap } = this.store.state.measuring as Measuring;
      this.#again({ at_px: [x + shift[0], y + shift[1]], sigma_mm: LOUPE_MM, turn_deg: tap.turn_deg ?? outline.turn_deg });
    });
  }

  choose(size: string): void {
    this.#change({ size });
  }

  undo(): void {
    const { measuring } = this.store.state;
    const tap = measuring?.before.at(-1);
    if (measuring && tap) void this.#measure(tap, measuring.before.slice(0, -1), measuring.size);
    else this.close();
  }

  close(): void {
    this.#newest++;
    this.store.set({ measuring: null, regiment: null, called: null, problem: null, busy: null });
    this.stage.showWhole();
  }

  /** A base of this size stands here: the one that is there is set right, or one is added. */
  async confirm(): Promise<void> {
    const { measuring, table } = this.store.state;
    const outline = this.#outline();
    if (!measuring?.answer || !outline) return;
    const id = measuring.answer.miniature ?? freeId("base", table?.miniatures ?? []);
    const { base, at_mm, turn_deg, sigma_mm } = outline;
    await this.#tell({ do: "base", id, at_mm, base, turn_deg, sigma_mm: Math.max(sigma_mm, 0.05) }, WORDS.placed(baseText(base)), id);
  }

  /** What stands here is no base. */
  async deny(): Promise<void> {
    const id = this.store.state.measuring?.answer?.miniature;
    const doubtful = this.doubtful();
    if (id) await this.#tell({ do: "take-away", ids: [id] }, WORDS.denied, null);
    else if (doubtful) await this.#tell({ do: "candidate", at_mm: doubtful.at_mm, is_base: false, id: null }, WORDS.denied, null);
  }

  /** What the camera could not confirm at the place that is measured. */
  doubtful(): DrawnCandidate | null {
    const outline = this.#outline();
    const [x, y] = outline?.at_mm ?? [NaN, NaN];
    const off = ({ at_mm }: DrawnCandidate) => Math.hypot(at_mm[0] - x, at_mm[1] - y);
    const near = this.store.state.table?.unconfirmed.filter((one) => off(one) < widthOf(one) / 2) ?? [];
    return [...near].sort((a, b) => off(a) - off(b))[0] ?? null;
  }

  async takeBack(n: number): Promise<void> {
    await this.#try(WORDS.telling, async () => {
      await postJson("api/v1/corrections/undo", { n });
      this.store.set({ told: null, gaps: null });
      await this.#reread();
      void this.#searchGaps();
    });
  }

  /** All that are likely stand there. */
  async confirmLikely({ likely, correction }: GapSheet): Promise<void> {
    if (correction) await this.#tell(correction, WORDS.placedAll(likely.length), null);
  }

  /** One word teaches: the picture is searched again by it; what comes late is of an older word. */
  async #searchGaps(): Promise<void> {
    const turn = ++this.#gapsTurn;
    const gaps = await postJson<GapSheet>(`${ROUTE}/gaps?picture=${this.store.state.picture?.name ?? ""}`, null).catch(() => null);
    if (turn === this.#gapsTurn) this.store.set({ gaps });
  }

  #outline() {
    const { measuring } = this.store.state;
    return measuring && outlineOf(measuring);
  }

  /** Near the base that is measured a tap means its rim, elsewhere another base. */
  #tap(place: Place): void {
    const { measuring } = this.store.state;
    const outline = this.#outline();
    if (!measuring || !outline) return void this.#measure({ at_px: place }, []);
    const radius = radius_px(outline);
    if (Math.hypot(place[0] - outline.at_px[0], place[1] - outline.at_px[1]) > NEAR * radius) return void this.#measure({ at_px: place }, []);
    const rim_px = [...(measuring.tap.rim_px ?? []), place].slice(-MOST_RIM_TAPS);
    this.#lead(rim_px);
  }

  /** Three places of the rim lead the outline; fewer only wait. */
  #lead(rim_px: readonly Place[]): void {
    const { measuring } = this.store.state;
    const outline = this.#outline();
    if (!measuring || !outline) return;
    if (rim_px.length < RIM_TAPS) return this.#change({ tap: { ...measuring.tap, rim_px } });
    this.#again({ rim_px, ...(measuring.tap.turn_deg == null ? {} : { turn_deg: measuring.tap.turn_deg }) });
  }

  #drag(number: number, place: Place): void {
    const rim_px = this.store.state.measuring?.tap.rim_px ?? [];
    this.store.set({ picked: number });
    if (number < rim_px.length) this.#change({ tap: { ...this.store.state.measuring?.tap, rim_px: rim_px.map((one, i) => (i === number ? place : one)) } });
    else this.#change({ handle: place });
  }

  #drop(): void {
    const { measuring, picked } = this.store.state;
    const outline = this.#outline();
    this.store.set({ picked: null });
    if (!measuring || !outline || picked === null) return;
    const { handle, answer, tap } = measuring;
    if (handle === null || !answer) return this.#lead(tap.rim_px ?? []);
    const [x, y] = mapPlace(answer.crop.mm_from_px, handle);
    const turn_deg = (Math.atan2(y - outline.at_mm[1], x - outline.at_mm[0]) * 180) / Math.PI;
    const place = (tap.rim_px?.length ?? 0) >= RIM_TAPS ? { rim_px: tap.rim_px ?? [] } : { at_px: outline.at_px, sigma_mm: LOUPE_MM };
    this.#again({ ...place, turn_deg: (turn_deg + 360) % 180 });
  }

  #again(tap: Tap): void {
    const { measuring } = this.store.state;
    if (measuring) void this.#measure(tap, [...measuring.before, measuring.tap], measuring.size ?? (measuring.answer?.candidates[0] ? sizeKey(measuring.answer.candidates[0]) : null));
  }

  async #measure(tap: Tap, before: readonly Tap[], size: string | null = null): Promise<void> {
    const { picture, measuring } = this.store.state;
    const turn = ++this.#newest;
    if (!picture) return;
    const isNew = before.length === 0 && size === null;
    this.store.set({ measuring: { tap, before, answer: isNew ? null : (measuring?.answer ?? null), size, shift: measuring?.shift ?? [0, 0], handle: measuring?.handle ?? null }, told: null, problem: null });
    await this.#try(WORDS.measuring, async () => {
      const answer = await postJson<TapMeasurement>(`${ROUTE}?picture=${picture.name}`, { ...tap, rim_px: (tap.rim_px?.length ?? 0) < RIM_TAPS ? [] : tap.rim_px });
      if (turn !== this.#newest) return;
      this.#change({ answer, shift: [0, 0], handle: null });
      const outline = this.#outline();
      if (outline && isNew) this.stage.lookAt(outline.at_px, AROUND * radius_px(outline));
    });
    if (this.store.state.problem && turn === this.#newest && isNew) this.store.set({ measuring: null });
  }

  async #tell(correction: Correction, says: string, id: string | null): Promise<void> {
    await this.#try(WORDS.telling, async () => {
      const { n } = await postJson<CorrectionStep>("api/v1/corrections", correction);
      this.#newest++;
      this.store.set({ measuring: null, gaps: null, told: { n, says, id } });
      await this.#reread();
      this.stage.showWhole();
      void this.#searchGaps();
    });
    if (this.store.state.called && !this.store.state.problem) await this.callRoll();
  }

  #change(changes: Partial<Measuring>): void {
    const { measuring } = this.store.state;
    if (measuring) this.store.set({ measuring: { ...measuring, ...changes } });
  }

  async #try(busy: string, act: () => Promise<void>): Promise<void> {
    this.store.set({ busy, problem: null });
    try {
      await act();
      this.store.set({ busy: null });
    } catch (wrong) {
      this.store.set({ busy: null, problem: problemOf(wrong) });
    }
  }
}

function widthOf({ base }: Pick<DrawnCandidate, "base">): number {
  return base.shape === "round" ? base.diameter_mm : Math.min(base.width_mm, base.depth_mm);
}

/** How far an outline reaches from its middle in the picture. */
function radius_px({ at_px, outline_px }: { readonly at_px: Place; readonly outline_px: readonly Place[] }): number {
  return Math.max(1, ...outline_px.map(([x, y]) => Math.hypot(x - at_px[0], y - at_px[1])));
}

async function getJson<Answer>(address: string): Promise<Answer> {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
  return (await answer.json()) as Answer;
}
