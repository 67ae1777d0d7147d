/** A ranked unit in a few taps: which one, the ends of its front edge or its corners; its block is drawn, then told at once. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { text } from "../shared/language";
import { postJson } from "../shared/ndjson-request";
import { stagePoints, type Frame, type Grip, type GripHandlers, type Place } from "../shared/picture-stage";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import type { CorrectionStep, ExpectedMatch, RegimentRequest, RegimentSheet, SizedOutline } from "../shared/types.gen";
import { sizeKey, type State } from "./state";
import { baseText, WORDS } from "./strings";

type Base = SizedOutline["base"];

/** The unit that is pointed at, until it is told or put away. */
export interface Regiment {
  readonly corners: readonly Place[];
  readonly base: Base;
  readonly count: number;
  /** null: as its front edge is wide */
  readonly files: number | null;
  readonly unit: string | null;
  readonly side: string | null;
  readonly answer: RegimentSheet | null;
}

const CORNERS = 4;
const FRONT = 2;
const COUNT = 10;
const MOST = 150;
const MOST_UNITS = 12;
/** Squares and rectangles that ranks are made of, mm. */
const SIZES = ([[25, 25], [20, 20], [30, 30], [30, 60], [40, 40]] as const).map(([width_mm, depth_mm]): Base => ({ shape: "rect", width_mm, depth_mm, counts_as_mm: null }));
const ALONE: Regiment = { corners: [], base: SIZES[0] as Base, count: COUNT, files: null, unit: null, side: null, answer: null };

export class RegimentActions {
  #newest = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly told: (step: CorrectionStep, says: string) => Promise<void>,
  ) {}

  /** Point at a unit; of which sizes and how many is offered from the lists. */
  async begin(): Promise<void> {
    this.store.set({ regiment: ALONE, measuring: null, called: null, told: null, problem: null });
    const answer = await fetch("api/v1/expected", { cache: "no-store" });
    if (!answer.ok) return;
    const listed = ((await answer.json()) as readonly ExpectedMatch[]).map(({ expected }) => expected);
    const units = listed.filter(({ base, count }) => base !== null && count > 1).slice(0, MOST_UNITS);
    this.store.set({ units });
    const [first] = units;
    if (first && this.store.state.regiment === ALONE) this.choose(first);
  }

  /** This one of the lists. */
  choose({ name, side, base, count }: State["units"][number]): void {
    if (base) this.change({ base, count: Math.min(count, MOST), unit: name, side });
  }

  close(): void {
    this.#newest++;
    this.store.set({ regiment: null, problem: null, busy: null });
  }

  /** What is changed is measured again. */
  change(changes: Partial<Regiment>): void {
    const { regiment } = this.store.state;
    if (!regiment) return;
    this.store.set({ regiment: { ...regiment, ...changes } });
    void this.#measure();
  }

  undo(): void {
    const corners = this.store.state.regiment?.corners ?? [];
    if (corners.length === 0) this.close();
    else this.change({ corners: corners.slice(0, corners.length > FRONT ? FRONT : -1), answer: null });
  }

  readonly grips: GripHandlers = {
    tap: (place) => {
      const { regiment } = this.store.state;
      if (regiment && regiment.corners.length < CORNERS) this.change({ corners: [...regiment.corners, place] });
    },
    pick: (picked) => this.store.set({ picked }),
    drag: (picked, place) => {
      const { regiment } = this.store.state;
      if (regiment) this.store.set({ picked, regiment: { ...regiment, corners: moved(regiment, picked, place) } });
    },
    drop: () => {
      this.store.set({ picked: null });
      void this.#measure();
    },
  };

  /** All of it stands on the table, in one step. */
  async confirm(): Promise<void> {
    const { regiment } = this.store.state;
    if (!regiment?.answer) return;
    this.store.set({ busy: WORDS.telling, problem: null });
    try {
      const step = await postJson<CorrectionStep>("api/v1/corrections", regiment.answer.correction);
      this.close();
      await this.told(step, WORDS.unitPlaced(regiment.answer.members.length, baseText(regiment.base)));
    } catch (wrong) {
      this.store.set({ busy: null, problem: problemOf(wrong) });
    }
  }

  /** Two corners or four say where it is; what comes late is of an older question. */
  async #measure(): Promise<void> {
    const { regiment, picture } = this.store.state;
    const turn = ++this.#newest;
    if (!regiment || !picture || (regiment.corners.length !== FRONT && regiment.corners.length !== CORNERS)) return;
    const { corners, base, count, files, unit, side } = regiment;
    this.store.set({ busy: WORDS.measuring, problem: null });
    try {
      const asked: RegimentRequest = { corners_px: corners, base, count, files, unit, side };
      const answer = await postJson<RegimentSheet>(`api/v1/measure/regiment?picture=${picture.name}`, asked);
      if (turn === this.#newest && this.store.state.regiment) this.store.set({ busy: null, regiment: { ...this.store.state.regiment, answer } });
    } catch (wrong) {
      if (turn === this.#newest && this.store.state.regiment) this.store.set({ busy: null, problem: problemOf(wrong), regiment: { ...this.store.state.regiment, answer: null } });
    }
  }
}

function moved({ corners }: Regiment, number: number, place: Place): readonly Place[] {
  return corners.map((one, i) => (i === number ? place : one));
}

export function regimentGrips({ corners }: Regiment): readonly Grip[] {
  return corners.map((place, i) => ({ place, label: WORDS.corner(i + 1), text: String(i + 1) }));
}

/** Its members, and the corners as they were tapped while none is measured. */
export function regimentOutlines({ answer, corners }: Regiment, frame: Frame): SVGTemplateResult {
  if (!answer) return corners.length < FRONT ? svg`` : svg`<polygon class="laid" points=${stagePoints(frame, corners)} />`;
  return svg`${answer.members.map(({ outline_px, is_seen }) => svg`<polygon class="member ${is_seen ? "" : "by-hand"}" points=${stagePoints(frame, outline_px)} />`)}`;
}

export function regimentSheet({ regiment, units, busy }: State & { readonly regiment: Regiment }, actions: RegimentActions): TemplateResult {
  const { answer, corners, base, count, files, unit } = regiment;
  const number = (event: Event): number => Math.round((event.currentTarget as HTMLInputElement).valueAsNumber) || 0;
  return html`<h2>${unit ?? WORDS.unit}</h2>
    ${units.length > 0
      ? html`<div class="chips" role="radiogroup" aria-label=${WORDS.unit}>${units.map(
          (one) => html`<button role="radio" aria-checked=${one.name === unit} @click=${() => actions.choose(one)}>${one.name}</button>`,
        )}</div>`
      : html`<div class="chips sizes" role="radiogroup" aria-label=${WORDS.size}>${SIZES.map(
          (size) => html`<button role="radio" aria-checked=${sizeKey({ base: size }) === sizeKey({ base })} @click=${() => actions.change({ base: size })}>${baseText(size)}</button>`,
        )}</div>`}
    <div class="row numbers"><label>${WORDS.inUnit} <input type="number" inputmode="numeric" min="1" max=${MOST} .value=${String(count)} @change=${(event: Event) => actions.change({ count: Math.min(MOST, Math.max(1, number(event))) })} /></label>
      <label>${WORDS.files} <input type="number" inputmode="numeric" min="1" max=${MOST} .value=${String(files ?? answer?.files ?? "")} @change=${(event: Event) => actions.change({ files: number(event) || null })} /></label></div>
    <p class="hint" role="status">${answer ? seenText(answer) : corners.length < FRONT ? WORDS.tapFront : WORDS.tapRear}</p>
    <div class="row last"><button class="plain" ?disabled=${busy !== null} @click=${() => actions.undo()}>${corners.length === 0 ? WORDS.putAway : text("undo")}</button>
      ${answer ? html`<button class="plain strong" ?disabled=${busy !== null} @click=${() => void actions.confirm()}>${WORDS.confirm}</button>` : nothing}</div>`;
}

function seenText({ is_measured, seen_count, members, files }: RegimentSheet): string {
  return is_measured ? WORDS.unitSeen(seen_count, members.length, files) : WORDS.unitByHand;
}
