/** What players tell of the table that the camera cannot know: each a step that both see and either may take back. */

import { asked } from "./asking";
import { withinTable, type Point } from "./geometry";
import { membersOf } from "./drill";
import type { Notes } from "./notes";
import { problemOf } from "./refusal";
import type { Drawing, Section, State } from "./state";
import type { Store } from "./store";
import type { Book, Correction, DrawnArea, Found, ProfileGiven, SetupTold, StepMade, StepTold, TerrainGiven } from "./types.gen";
import { rosterOf } from "./roster";
import { SAY } from "./view/words";

const LEAST_CORNERS = 3;
const TOLD_MEANWHILE = "correction/told_meanwhile";
/** A step that bad Wi-Fi swallowed is told to have been, before the next is held up by it for long. */
const PATIENCE_MS = 8000;
/** Nobody takes back a finger that is on its way so shortly before it comes down. */
const REACTION_MS = 600;

/** What may be told of a miniature. */
export type About = Omit<Extract<Correction, { readonly do: "miniature" }>, "do" | "ids">;

/** What of a state the cards of its miniatures are read from. */
interface Carded {
  readonly miniatures?: readonly { readonly id: string; readonly unit?: string | null; readonly profile?: ProfileGiven }[];
  readonly units?: readonly { readonly id: string }[];
}

export class Correcting {
  #telling: Promise<unknown> = Promise.resolve();
  #seen = 0;

  constructor(
    private readonly store: Store<State>,
    private readonly notes: Notes,
  ) {}

  /** Turn to a part of the setting-up; what it needs is fetched when it is first seen. */
  turnTo(section: Section): void {
    this.store.set({ section, drawing: null, picked: null, siding: null });
    document.querySelector(".lines")?.scrollTo(0, 0);
    if (this.store.state.books.length === 0) void this.#fetch<Book[]>("choices", (books) => this.store.set({ books }));
    if (section === "who") void this.#fetch<Found[]>("expected", (expected) => this.store.set({ expected }));
    if (section === "rules") void this.#fetch<SetupTold[]>("setups", (setups) => this.store.set({ setups }));
  }

  pick(picked: string | null): void {
    this.store.set({ picked, card: null });
    if (picked !== null) void this.#readCard(picked);
  }

  /** Tell what this one is. A step replaces all of its card: the next tap goes on from what this one told. */
  async about(id: string, about: About): Promise<void> {
    const ids = membersOf(this.store.state, id).map((m) => m.id);
    if (about.profile) this.store.set({ card: about.profile });
    await this.tell({ do: "miniature", ids, ...about });
    await this.#readCard(id);
  }

  /** Somebody corrected the table: who is looked at may have another card. */
  reread(): void {
    if (this.store.state.picked !== null) void this.#readCard(this.store.state.picked);
  }

  /** Tell which way it looks, and with it all of its unit. */
  async looks(id: string, facing_deg: number): Promise<boolean> {
    const ids = membersOf(this.store.state, id).map((m) => m.id);
    return this.tell({ do: "miniature", ids, facing_deg });
  }

  async #readCard(id: string): Promise<void> {
    await this.#fetch<Carded>("state", ({ miniatures = [], units = [] }) => {
      const one = miniatures.find((m) => m.id === id || m.unit === id);
      const told = { card: one?.profile ?? {}, inUnit: one?.unit ?? null, unitIds: units.map((unit) => unit.id) };
      if (this.store.state.picked === id) this.store.set(told);
    });
  }

  /** One step, seen by both players; the next waits for it, so that this phone never stands in its own way. */
  async tell(correction: Correction): Promise<boolean> {
    const told = this.#telling.then(() => this.#tellNext(correction));
    this.#telling = told;
    return told;
  }

  /** Who told the same meanwhile is not overruled unseen: the server says so, and after a look it may be told again. */
  async #tellNext(correction: Correction): Promise<boolean> {
    try {
      const step = await asked<StepMade>(`api/v1/corrections?seen=${this.#newest()}`, correction, { signal: patience() });
      this.#see([step]);
      return true;
    } catch (wrong) {
      const problem = problemOf(wrong);
      this.notes.answer(problem.detail);
      if (problem.type === TOLD_MEANWHILE) await this.#fetch<StepMade[]>("corrections", (steps) => this.#see(steps));
      return false;
    }
  }

  #newest(): number {
    return Math.max(this.#seen, ...this.store.state.steps.map((step) => step.changed_n));
  }

  #see(steps: readonly StepMade[]): void {
    this.#seen = Math.max(this.#seen, ...steps.map((step) => step.changed_n));
  }

  /** Take a step back, or let it hold again: the one on which the finger came down, not what has just slid under it. */
  turn(step: StepTold, row: number): void {
    if (!isAsItWas(this.store.state, step, row)) return this.notes.say(SAY.stepsChanged);
    void this.#post(`corrections/${step.is_undone ? "redo" : "undo"}`, { n: step.n });
  }

  /** Keep terrain and rules under a name, to lay them out at another game. */
  async keepAs(name: string): Promise<void> {
    if (await this.#send("PUT", `setups/${encodeURIComponent(name)}`, { parts: ["terrain", "rules"] })) this.turnTo("rules");
  }

  /** Those who are expected, a line each; who stands on the table may then be named with a tap. */
  async expect(lines: string): Promise<void> {
    const expected = rosterOf(lines);
    if (expected === null) return this.notes.say(SAY.rosterWrong);
    if (await this.#send("PUT", "expected", { expected })) this.notes.say(SAY.expectedSaved(expected.length));
  }

  layOut(name: string): void {
    void this.#post(`setups/${encodeURIComponent(name)}/lay`, {});
  }

  /** Take a seat by its code; everything is told anew to who sits there. */
  async join(code: string): Promise<void> {
    if (await this.#post("join", { code })) location.reload();
  }

  /** Be the other player: the seat goes with this phone, nobody else's changes. */
  async sitAs(seat: "player-a" | "player-b"): Promise<void> {
    if (seat !== this.store.state.seat && (await this.#send("PUT", "seat", { seat }))) location.reload();
  }

  // A piece of terrain is drawn corner by corner on the picture.

  draw(drawing: Drawing | null): void {
    this.store.set({ drawing });
  }

  change(changes: Partial<Drawing>): void {
    const { drawing } = this.store.state;
    if (drawing) this.draw({ ...drawing, ...changes });
  }

  reshape(corners: readonly Point[]): void {
    this.change({ corners, isReshaped: true });
  }

  cornerAt(at: Point): void {
    const { drawing } = this.store.state;
    if (drawing) this.reshape([...drawing.corners, withinTable(this.store.state, at)]);
  }

  moveCorner(i: number, to: Point): void {
    const { drawing } = this.store.state;
    const at = withinTable(this.store.state, to);
    if (drawing) this.reshape(drawing.corners.map((corner, k) => (k === i ? at : corner)));
  }

  /** Open a piece that lies there already: its kind, its height, its corners. An effect can only be taken away. */
  async edit({ id, outline_mm: corners }: DrawnArea): Promise<void> {
    this.draw({ id, was: null, kind: null, corners, height_mm: null, isReshaped: false });
    await this.#fetch<{ terrain?: TerrainGiven[] }>("state", ({ terrain = [] }) => {
      const was = terrain.find((piece) => piece.id === id);
      const isStillOpen = this.store.state.drawing?.id === id;
      if (was && isStillOpen) this.change({ was, kind: was.kind, height_mm: was.height_mm ?? null });
    });
  }

  /** Lay the piece that was drawn. */
  async lay(): Promise<void> {
    const { drawing, table } = this.store.state;
    if (!drawing || drawing.corners.length < LEAST_CORNERS || drawing.kind === null) return;
    const { kind, height_mm } = drawing;
    const id = drawing.id ?? freeId(kind, table?.areas ?? []);
    const surface = height_mm !== null && kind === "hill" ? { surface_mm: height_mm } : {};
    if (await this.tell({ do: "lay", terrain: [{ ...shapeOf(drawing), id, kind, height_mm, ...surface }] })) this.draw(null);
  }

  async takeAway(id: string): Promise<void> {
    if (await this.tell({ do: "take-away", ids: [id] })) this.draw(null);
  }

  async #fetch<Answer>(address: string, take: (answer: Answer) => void): Promise<void> {
    try {
      const answer = await fetch(`api/v1/${address}`);
      if (answer.ok) take((await answer.json()) as Answer);
    } catch {
      this.notes.say(SAY.unreachable);
    }
  }

  async #post(address: string, body: unknown): Promise<boolean> {
    return this.#send("POST", address, body);
  }

  async #send(method: "POST" | "PUT", address: string, body: unknown): Promise<boolean> {
    try {
      await asked(`api/v1/${address}`, body, { method });
      return true;
    } catch (wrong) {
      this.notes.say(problemOf(wrong).detail);
      return false;
    }
  }
}

function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/** Whether this row of the steps, the newest first, showed the same when the finger set out. */
function isAsItWas({ stepsBefore }: State, step: StepTold, row: number): boolean {
  if (stepsBefore === null || performance.now() - stepsBefore.until_ms > REACTION_MS) return true;
  const was = stepsBefore.steps.at(-1 - row);
  return was?.n === step.n && was.is_undone === step.is_undone;
}

/** All that was known of the piece; in another shape, only what does not hang on its shape. */
function shapeOf({ was, corners: polygon_mm, isReshaped }: Drawing): Partial<TerrainGiven> {
  if (was === null || !isReshaped) return was ?? { polygon_mm };
  return { ...was, polygon_mm, centre_mm: null, diameter_mm: null, line_mm: null, thickness_mm: null };
}

/** An id of that kind that nothing has yet. */
export function freeId(kind: string, areas: readonly DrawnArea[]): string {
  const taken = new Set(areas.map((area) => area.id));
  for (let i = 1; ; i++) if (!taken.has(`${kind}-${i}`)) return `${kind}-${i}`;
}
