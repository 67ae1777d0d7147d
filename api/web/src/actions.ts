/** What a player can do, and what the server tells: each replaces some of the state. */

import { frameOfState, hit, isInside, onScreen, onTable, outlineOf, viewOf, type Point } from "./geometry";
import { Correcting } from "./correcting";
import { drillFrom, placesOf } from "./drill";
import { Drilling } from "./drilling";
import { stillTold, stood } from "./hearing";
import { Laying } from "./laying";
import { Listening } from "./listening";
import { Minding } from "./minding";
import { Moving } from "./moving";
import { Notes } from "./notes";
import { Picture } from "./picture";
import { picked } from "./picking";
import { Proposing } from "./proposing";
import { Questions } from "./questions";
import { remember, type Settings } from "./settings";
import { SidesByLook } from "./siding";
import { isMine, miniature, standsFor, type State, type Tool } from "./state";
import type { Store } from "./store";
import type { DrawnTable, Ring } from "./types.gen";
import { named } from "./view/news";
import { SAY } from "./view/words";
import { wayFrom } from "./way";
import type { Zoom } from "./zoom";

const CROWD_MM = 150;
/** Table around what is looked at: enough to see what may stand between. */
const AROUND_MM = 150;
const AROUND_GHOST_MM = 660;
/** A view that glides takes frames from what is drawn: it waits for the answers, but not longer than this. */
const LOOK_AFTER_MS = 400;

export class Actions {
  readonly picture = new Picture(() => this.store.set({}));
  zoom: Zoom | null = null;
  readonly way: Moving;
  readonly drill: Drilling;
  readonly template: Laying;
  readonly camera: Minding;
  readonly table: Correcting;
  readonly sides: SidesByLook;
  readonly proposed: Proposing;
  readonly #questions: Questions;
  readonly #notes: Notes;
  #looksSoon = 0;

  constructor(private readonly store: Store<State>) {
    this.#questions = new Questions(store, () => this.#show(), () => this.#lookNow());
    this.#notes = new Notes(store);
    this.way = new Moving(store, () => this.#ask());
    this.drill = new Drilling(store, () => this.#ask());
    this.template = new Laying(store, () => this.#ask());
    this.camera = new Minding(store, this.#notes);
    this.table = new Correcting(store, this.#notes);
    this.sides = new SidesByLook(store, this.#notes, (correction) => this.table.tell(correction));
    this.proposed = new Proposing(store, this.#notes, this.table);
  }

  begin(): void {
    const then = { lay: (table: DrawnTable | null) => this.#lay(table), askAnew: () => this.#ask(), corrected: () => this.table.reread() };
    new Listening(this.store, this.#notes, this.picture, then).begin();
  }

  /** A tap on the stage, in pixels of the stage. */
  tap(at: Point): void {
    const { table, tool } = this.store.state;
    const frame = frameOfState(this.store.state);
    if (!frame || !table) return;
    if (tool === "table" && this.store.state.section === "ground") return this.#tapGround(onTable(frame, at));
    const each = table.miniatures.map((m) => ({ ...m, unit: null }));
    const found = hit(frame, at, tool === "blast" ? each : table.miniatures); // a template is laid on one base
    if (found && "id" in found) this.pick(found.id);
    else if (tool === "move" && this.store.state.way) this.way.to(onTable(frame, at));
    else if (tool === "blast" && this.store.state.blast.shape === "round") this.template.at(onTable(frame, at));
    else if (tool === "blast" && this.store.state.blast.from) this.template.at(onTable(frame, at));
    else if (found) this.#lookCloser(found.crowd);
  }

  pick(id: string): void {
    const { tool, a, b, way, drill } = this.store.state;
    if (tool === "blast") return this.template.on(id);
    if (tool === "table") return this.#tapWho(id);
    if (tool === "move" && (way ?? drill) !== null) return id === a ? undefined : this.#choose(a, id === b ? null : id);
    const next = picked(this.store.state, id);
    this.#choose(next.a, next.b);
  }

  /** Where terrain is set up, a tap is a corner of what is drawn, else opens the piece under it. */
  #tapGround(at: Point): void {
    const { drawing, table, proposals } = this.store.state;
    if (drawing) return this.table.cornerAt(at);
    const under = table?.areas.find((area) => isInside(at, area.outline_mm));
    if (under) return void this.table.edit(under);
    const suggested = proposals?.find((one) => isInside(at, outlineOf(one)));
    if (suggested?.what === "terrain") this.proposed.redraw(suggested);
  }

  #tapWho(id: string): void {
    if (this.store.state.siding) return this.sides.turn(id);
    if (this.store.state.section !== "who") this.table.turnTo("who");
    this.table.pick(id);
  }

  /** Look at one of them alone. */
  lookAt(id: string): void {
    this.#choose(id, null);
  }

  /** Make this one B, whosever it is. */
  against(id: string): void {
    this.#choose(this.store.state.a, id);
  }

  swap(): void {
    const { a, b } = this.store.state;
    this.#choose(b, a);
  }

  clear(): void {
    this.#choose(null, null);
  }

  open(slot: string): void {
    this.store.set({ open: this.store.state.open === slot ? null : slot });
    requestAnimationFrame(() => {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      document.querySelector(".row.open, .tile.open")?.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
    });
  }

  stretch(): void {
    this.store.set({ isTall: !this.store.state.isTall });
  }

  toggleRing(slot: Ring["slot"]): void {
    const { hiddenRings } = this.store.state;
    const isHidden = hiddenRings.includes(slot);
    this.store.set({ hiddenRings: isHidden ? hiddenRings.filter((one) => one !== slot) : [...hiddenRings, slot] });
  }

  /** The player stands at the near or at the far edge. */
  sit({ isTurned }: { isTurned: boolean }): void {
    this.store.set({ isTurned });
    this.#look();
  }

  whole(): void {
    this.zoom?.whole();
  }

  /** The stage has another size: keep in it what is looked at. */
  resized(): void {
    this.#look();
  }

  use(tool: Tool): void {
    const { a, blast } = this.store.state;
    const from = blast.from ?? a;
    this.store.set({ tool, open: null, isTall: false, blast: { ...blast, from, isPickingFrom: false } });
    this.#think(a);
    this.#look();
    this.#ask({ atOnce: true });
  }

  reach(reach_in: number): void {
    this.#tell({ reach_in });
  }

  range(range_in: number): void {
    this.#tell({ range_in });
  }

  speed(speed_in: number): void {
    this.#tell({ speed_in });
  }

  /** The players say which way a miniature looks; null: they take it back. */
  face(id: string, facing_deg: number | null): void {
    const { [id]: _, ...others } = this.store.state.told_deg;
    this.#tell({ told_deg: facing_deg === null ? others : { ...others, [id]: facing_deg } });
  }

  /** One of the ways that the camera leaves open, as a step that both see; who may not correct supposes it here. */
  async looks(id: string, facing_deg: number): Promise<void> {
    if (!this.store.state.rights.includes("correct")) this.face(id, facing_deg);
    else if (await this.table.looks(id, facing_deg)) this.#notes.say(SAY.looksTold);
  }

  set(settings: Partial<Settings>): void {
    const all = { ...this.store.state.settings, ...settings };
    this.store.set({ settings: all });
    remember(all);
    this.#ask();
  }

  #tell(changes: Partial<State>): void {
    this.store.set(changes);
    this.#ask();
  }

  #choose(a: string | null, b: string | null): void {
    const { tool, lastMine, a: before } = this.store.state;
    const first = miniature(this.store.state, a);
    const rest = b === null ? { open: null, isTall: false } : {};
    const mine = first && isMine(this.store.state, first) ? first.id : lastMine;
    this.store.set({ a, b, lastMine: mine, sheet: null, askProblem: null, ...rest });
    if (a !== this.store.state.around?.who) this.store.set({ around: null });
    this.#think(a);
    this.#ask({ atOnce: true });
    document.querySelector(".lines")?.scrollTo(0, 0);
    if (tool === "ask" && a !== null && b !== null) this.#lookSoon();
    else if (tool === "ask" || a !== before || b !== null) this.#look();
  }

  /** Look at the two when their answers stand on the page. */
  #lookSoon(): void {
    clearTimeout(this.#looksSoon);
    this.#looksSoon = window.setTimeout(() => this.#lookNow(), LOOK_AFTER_MS);
  }

  #lookNow(): void {
    if (this.#looksSoon === 0) return;
    clearTimeout(this.#looksSoon);
    this.#looksSoon = 0;
    this.#look();
  }

  /** Whom the what-if is about: a ghost on its way, or a unit that manoeuvres. */
  #think(a: string | null): void {
    const { tool, way, drill } = this.store.state;
    if ((way && way.who !== a) || (drill && drill.who !== a)) this.store.set({ way: null, drill: null, course: null });
    if (tool !== "move" || a === null) return;
    const { way: going, drill: drilled } = this.store.state;
    if (going ?? drilled) return;
    this.store.set({ way: wayFrom(this.store.state, a), drill: drillFrom(this.store.state, a), course: null });
  }

  #ask(how: { atOnce?: boolean } = {}): void {
    this.#questions.ask(how);
  }

  /** Show where a unit would go. */
  #show(): void {
    this.#look();
    this.drill.play();
  }

  #look(): void {
    const state = this.store.state;
    const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
    const end = a && (state.way?.at ?? placesOf(state)[a.id]?.at_mm ?? a.at_mm);
    if (state.tool === "move" && a && b && end) this.zoom?.to(viewOf(state, [a.at_mm, b.at_mm, end], 2 * AROUND_MM));
    else if (state.tool === "move" && a && end) this.zoom?.to(viewOf(state, [a.at_mm, end], AROUND_GHOST_MM));
    else if (state.tool === "ask" && a && b) this.zoom?.to(viewOf(state, [a.at_mm, b.at_mm], AROUND_MM));
  }

  #lookCloser(place: Point): void {
    const state = this.store.state;
    const frame = frameOfState(state);
    const closer = viewOf(state, [place], CROWD_MM);
    if (closer.k <= state.view.k * 1.05 && frame) {
      // As close as it gets: the nearest centre it is.
      const tap = onScreen(frame, place);
      const off = (at: Point) => Math.hypot(onScreen(frame, at)[0] - tap[0], onScreen(frame, at)[1] - tap[1]);
      const nearest = [...(state.table?.miniatures ?? [])].sort((m, n) => off(m.at_mm) - off(n.at_mm))[0];
      if (nearest) this.pick(standsFor(state, nearest.id));
      return;
    }
    this.#notes.say(SAY.crowd);
    this.zoom?.to(closer);
  }

  /** Lay a table; those who are gone are let go, a way of one that moved is forgotten, and all is asked anew. */
  #lay(table: DrawnTable | null): void {
    const was = this.store.state;
    const staysPut = (one: { readonly who: string } | null) => one !== null && stood(was.table, table, one.who);
    const [way, drill] = [staysPut(was.way) ? was.way : null, staysPut(was.drill) ? was.drill : null];
    const told_deg = stillTold(was, table);
    const ended = Object.keys(was.told_deg).filter((id) => !(id in told_deg));
    if (ended.length > 0) this.#notes.say(SAY.toldEnded(named(was, ended)));
    this.store.set({ table, told_deg, way, drill });
    const stays = (id: string | null) => (id !== null && miniature(this.store.state, id) ? id : null);
    const [a, b] = [stays(was.a), stays(was.b)];
    this.#think(a);
    if (a !== was.a || b !== was.b) this.#choose(a ?? b, a === null ? null : b);
    else if ([a, b].some((id) => id !== null && !stood(was.table, table, id))) this.#choose(a, b); // no line to where one stood
    else if (table?.state_id !== was.table?.state_id) this.#ask();
  }
}
