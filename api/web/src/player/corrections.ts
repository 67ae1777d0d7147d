/** Corrections: what players tell of the table that the camera cannot know, each a step that both see and either may take back. */

import { freeId } from "../shared/entities";
import { clampToTable, type Point } from "../shared/geometry";
import { postJson } from "../shared/ndjson-request";
import { problemOf } from "../shared/problem";
import type { Store } from "../shared/store";
import { SAY } from "../shared/strings";
import type { Book, Correction, CorrectionStep, DrawnArea, DrawnCandidate, ExpectedMatch, Roster, SetupSummary, StepSummary, TerrainGiven } from "../shared/types.gen";
import { ProfileCard } from "./profile-card";
import type { NewsAnswer, Section, State, TerrainDrawing } from "./state";
import type { Toast } from "./toast";
import { membersOf } from "./unit-manoeuvre";

const LEAST_CORNERS = 3;
const TOLD_MEANWHILE = "correction/told_meanwhile";

/** A step that bad Wi-Fi swallowed is told to have been, before the next is held up by it for long. */
const PATIENCE_MS = 8000;
/** Nobody takes back a finger that is on its way so shortly before it comes down. */
const REACTION_MS = 600;

export class Corrections {
  readonly card: ProfileCard;
  #queue: Promise<unknown> = Promise.resolve();
  #newestSeen = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly toast: Toast,
  ) {
    this.card = new ProfileCard(store, toast, (correction) => this.send(correction));
  }

  /** Turn to a part of the setting-up; what it needs is fetched when it is first seen. */
  showSection(section: Section): void {
    this.store.set({ section, drawing: null, picked: null, sideAssignment: null, naming: null, falling: null });
    document.querySelector(".lines")?.scrollTo(0, 0);
    if (this.store.state.books.length === 0) void this.#fetch<Book[]>("choices", (books) => this.store.set({ books }));
    if (section === "who") void this.#fetch<ExpectedMatch[]>("expected", (expected) => this.store.set({ expected }));
    if (section === "rules") void this.#fetch<SetupSummary[]>("setups", (setups) => this.store.set({ setups }));
  }

  pickMiniature(picked: string | null): void {
    this.store.set({ picked, card: null, draft: null });
    if (picked !== null) this.card.read(picked);
  }

  /** What the other player told is agreed to, what was told is taken back, or it holds again. */
  async settle({ how, n }: NewsAnswer): Promise<boolean> {
    return this.#post(`corrections/${how}`, { n });
  }

  /** One tap on the news settles it, and it goes. */
  answerNews(answer: NewsAnswer): void {
    this.toast.end();
    void this.settle(answer);
  }

  /** What may be a base is one, by a name of its own, or is none. */
  async settleCandidate({ at_mm }: DrawnCandidate, is_base: boolean): Promise<void> {
    const id = is_base ? freeId("base", this.store.state.table?.miniatures ?? []) : null;
    if (await this.send({ do: "candidate", at_mm, is_base, id })) this.store.set({ candidate: null });
  }

  /** Tell which way it looks, and with it all of its unit. */
  async tellFacing(id: string, facing_deg: number): Promise<boolean> {
    const ids = membersOf(this.store.state, id).map((m) => m.id);
    return this.send({ do: "miniature", ids, facing_deg });
  }

  /** One step, seen by both players; the next waits for it, so that this phone never stands in its own way. */
  async send(correction: Correction): Promise<boolean> {
    return this.sendStep("corrections", correction);
  }

  /** The same by a route of its own, such as a setup that is laid out. */
  async sendStep(address: string, body: unknown): Promise<boolean> {
    const sent = this.#queue.then(() => this.#sendNext(address, body));
    this.#queue = sent;
    return sent;
  }

  /** Who told the same meanwhile is not overruled unseen: the server says so, and after a look it may be told again. */
  async #sendNext(address: string, body: unknown): Promise<boolean> {
    try {
      const step = await postJson<CorrectionStep | null>(`api/v1/${address}?seen=${this.#newest()}`, body, { signal: timeoutSignal() });
      if (step) this.#noteSteps([step]);
      return true;
    } catch (wrong) {
      const problem = problemOf(wrong);
      this.toast.showAnswer(problem.detail);
      if (problem.type === TOLD_MEANWHILE) await this.#fetch<CorrectionStep[]>("corrections", (steps) => this.#noteSteps(steps));
      return false;
    }
  }

  #newest(): number {
    return Math.max(this.#newestSeen, ...this.store.state.steps.map((step) => step.changed_n));
  }

  #noteSteps(steps: readonly CorrectionStep[]): void {
    this.#newestSeen = Math.max(this.#newestSeen, ...steps.map((step) => step.changed_n));
  }

  /** Take a step back, or let it hold again: the one on which the finger came down, not what has just slid under it. */
  toggleStep(step: StepSummary, row: number): void {
    if (!isRowUnchanged(this.store.state, step, row)) return this.toast.showNews(SAY.stepsChanged);
    void this.settle({ how: step.is_undone ? "redo" : "undo", n: step.n });
  }

  /** Keep terrain and rules under a name, to lay them out at another game. */
  async saveSetup(name: string): Promise<void> {
    if (await this.#request("PUT", `setups/${encodeURIComponent(name)}`, { parts: ["terrain", "rules"] })) this.showSection("rules");
  }

  /** Those who are expected, a line each; who stands on the table may then be named with a tap. */
  async expectBases(lines: string): Promise<void> {
    const expected = rosterOf(lines);
    if (typeof expected === "string") return this.toast.showNews(SAY.rosterWrong(expected));
    if (await this.#request("PUT", "expected", { expected })) this.toast.showNews(SAY.expectedSaved(expected.length));
  }

  /** What is said of the players, and of the score; whether it was taken. */
  async put(address: string, body: unknown): Promise<boolean> {
    return this.#request("PUT", address, body);
  }

  layOutSetup(name: string): void {
    void this.sendStep(`setups/${encodeURIComponent(name)}/lay`, {});
  }

  /** Take a seat by its code; everything is told anew to who sits there. */
  async join(code: string): Promise<void> {
    if (await this.#post("join", { code })) location.reload();
  }

  /** Be the other player: the seat goes with this phone, nobody else's changes. */
  async takeSeat(seat: "player-a" | "player-b"): Promise<void> {
    if (seat !== this.store.state.seat && (await this.#request("PUT", "seat", { seat }))) location.reload();
  }

  // A piece of terrain is drawn corner by corner on the picture.

  setDrawing(drawing: TerrainDrawing | null): void {
    this.store.set({ drawing });
  }

  changeDrawing(changes: Partial<TerrainDrawing>): void {
    const { drawing } = this.store.state;
    if (drawing) this.setDrawing({ ...drawing, ...changes });
  }

  reshapeDrawing(corners: readonly Point[]): void {
    this.changeDrawing({ corners, isReshaped: true });
  }

  addCorner(at: Point): void {
    const { drawing } = this.store.state;
    if (drawing) this.reshapeDrawing([...drawing.corners, clampToTable(this.store.state, at)]);
  }

  moveCorner(i: number, to: Point): void {
    const { drawing } = this.store.state;
    const at = clampToTable(this.store.state, to);
    if (drawing) this.reshapeDrawing(drawing.corners.map((corner, k) => (k === i ? at : corner)));
  }

  /** Open a piece that lies there already: its kind, its height, its corners. An effect can only be taken away. */
  async editArea({ id, outline_mm: corners }: DrawnArea): Promise<void> {
    this.setDrawing({ id, was: null, kind: null, corners, height_mm: null, isReshaped: false });
    await this.#fetch<{ terrain?: TerrainGiven[] }>("state", ({ terrain = [] }) => {
      const was = terrain.find((piece) => piece.id === id);
      const isStillOpen = this.store.state.drawing?.id === id;
      if (!was || !isStillOpen) return;
      const { kind, height_mm } = this.store.state.drawing ?? was; // what was chosen before the answer came outlives it
      this.changeDrawing({ was, kind: kind ?? was.kind, height_mm: height_mm ?? was.height_mm ?? null });
    });
  }

  /** Lay the piece that was drawn. */
  async layDrawing(): Promise<void> {
    const { drawing, table } = this.store.state;
    if (!drawing || drawing.corners.length < LEAST_CORNERS || drawing.kind === null) return;
    const { kind, height_mm } = drawing;
    const id = drawing.id ?? freeId(kind, table?.areas ?? []);
    const surface = height_mm !== null && kind === "hill" ? { surface_mm: height_mm } : {};
    if (await this.send({ do: "lay", terrain: [{ ...shapeOf(drawing), id, kind, height_mm, ...surface }] })) this.setDrawing(null);
  }

  async removeArea(id: string): Promise<void> {
    if (await this.send({ do: "take-away", ids: [id] })) this.setDrawing(null);
  }

  async #fetch<Answer>(address: string, take: (answer: Answer) => void): Promise<void> {
    try {
      const answer = await fetch(`api/v1/${address}`);
      if (answer.ok) take((await answer.json()) as Answer);
    } catch {
      this.toast.showNews(SAY.unreachable);
    }
  }

  async #post(address: string, body: unknown): Promise<boolean> {
    return this.#request("POST", address, body);
  }

  async #request(method: "POST" | "PUT", address: string, body: unknown): Promise<boolean> {
    try {
      await postJson(`api/v1/${address}`, body, { method });
      return true;
    } catch (wrong) {
      this.toast.showNews(problemOf(wrong).detail);
      return false;
    }
  }
}

function timeoutSignal(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/** Whether this row of the steps, the newest first, showed the same when the finger set out. */
function isRowUnchanged({ stepsBefore }: State, step: StepSummary, row: number): boolean {
  if (stepsBefore === null || performance.now() - stepsBefore.until_ms > REACTION_MS) return true;
  const was = stepsBefore.steps.at(-1 - row);
  return was?.n === step.n && was.is_undone === step.is_undone;
}

/** All that was known of the piece; in another shape, only what does not hang on its shape. */
function shapeOf({ was, corners: polygon_mm, isReshaped }: TerrainDrawing): Partial<TerrainGiven> {
  if (was === null || !isReshaped) return was ?? { polygon_mm };
  return { ...was, polygon_mm, centre_mm: null, diameter_mm: null, line_mm: null, thickness_mm: null };
}

type Expected = Roster["expected"][number];

/** `3 Trencher, red, 30` or `Knights, blue, 25x50`; the count and the side may be left out. */
const LINE = /^(?:(\d+)\s+)?([^,]+?)\s*(?:,\s*([^,]+?)\s*)?,\s*(\d+(?:\.\d+)?)(?:\s*[x×]\s*(\d+(?:\.\d+)?))?\s*(?:mm)?$/;

/** Who is expected, or the first line that makes no sense, as it was typed. */
export function rosterOf(text: string): readonly Expected[] | string {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.find((line) => !expectedOf(line)) ?? lines.map((line) => expectedOf(line) as Expected);
}

function expectedOf(line: string): Expected | null {
  const found = LINE.exec(line);
  if (!found) return null;
  const [, count, name, side, across, deep] = found;
  const base = deep === undefined
    ? ({ shape: "round", diameter_mm: Number(across) } as const)
    : ({ shape: "rect", width_mm: Number(across), depth_mm: Number(deep) } as const);
  return { name: name ?? "", side: side ?? null, base, count: Number(count ?? 1) };
}
