/** Actions of a player's page, and messages of the server: each replaces some of the state. */

import { viewportFrame, hitAt, isInside, onScreen, onTable, outlineOf, viewOf, type Point } from "../shared/geometry";
import type { ArmyLists } from "./army-lists";
import type { Countersigner } from "./countersignature";
import type { MyArmy } from "./my-army";
import type { Voice } from "./voice";
import { Corrections } from "./corrections";
import { readSharedList } from "./link";
import { startManoeuvre, placesOf } from "./unit-manoeuvre";
import { ManoeuvreActions } from "./unit-manoeuvre-actions";
import { hasLostFacing, isWhereItStood } from "./server-messages";
import { GhostActions, TemplateActions } from "./template-actions";
import { LiveUpdates } from "./live-updates";
import { CameraActions, ClockActions, HallActions } from "./hall-actions";
import { send } from "../shared/http";
import { problemOf } from "../shared/problem";
import { Toast } from "./toast";
import { PictureCanvas } from "../shared/picture-canvas";
import { LongPress, pairAfterTap } from "./selection";
import { TableCursor } from "./table-cursor";
import { SideProposals, TerrainProposals } from "./terrain-proposals";
import { Queries } from "./queries";
import { Rulings } from "./rulings";
import { isMine, labelOf, mayCorrect, miniature, restShown, ringKey, saveSettings, unitOrSelf, type Section, type Settings, type State, type TextDraft, type Tool, type Topic } from "./state";
import { Settlements } from "./settlements";
import type { Store } from "../shared/store";
import type { ClocksView, Dispute, DrawnTable, ProfileGiven, Ring } from "../shared/types.gen";
import { KeptVerdicts } from "./kept-verdicts";
import { PastActions } from "./past-actions";
import { chooseLanguage, nameSeats, type Language } from "../shared/language";
import { SAY } from "../shared/strings";
import { startPath } from "./ghost-path";
import type { CandidateHandlers } from "../shared/candidate-handlers";
import type { Zoom } from "../shared/zoom";

const CROWD_MM = 150;
/** Table around what is looked at: enough to see what may stand between. */
const AROUND_MM = 150;
const AROUND_GHOST_MM = 660;
/** A view that glides takes frames from what is drawn: it waits for the answers, but not longer than this. */
const LOOK_AFTER_MS = 400;

export class Actions {
  readonly picture = new PictureCanvas(() => this.store.set({}));
  zoom: Zoom | null = null;
  readonly ghost: GhostActions;
  readonly manoeuvre: ManoeuvreActions;
  readonly template: TemplateActions;
  readonly camera: CameraActions;
  readonly corrections: Corrections;
  readonly sides: SideProposals;
  readonly clock: ClockActions;
  readonly candidates: CandidateHandlers = {
    open: (candidate) => this.store.set({ candidate }),
    settle: (one, isBase) => void this.corrections.settleCandidate(one, isBase),
  };
  readonly rulings: Rulings;
  readonly terrain: TerrainProposals;
  readonly hall: HallActions;
  readonly settlements: Settlements;
  readonly longPress: LongPress;
  readonly cursor: TableCursor;
  readonly past: PastActions;
  readonly keeping: KeptVerdicts;
  readonly #queries: Queries;
  readonly #toast: Toast;
  #countersigner: Countersigner | null = null;
  #lists: ArmyLists | null = null;
  #army: MyArmy | null = null;
  #voice: Voice | null = null;
  #focusTimer = 0;

  constructor(private readonly store: Store<State>) {
    this.#queries = new Queries(store, () => this.#showManoeuvre(), () => (this.#focusPairNow(), void this.#sayAnswer()));
    this.#toast = new Toast(store);
    this.ghost = new GhostActions(store, () => this.#ask());
    this.manoeuvre = new ManoeuvreActions(store, () => this.#ask());
    this.template = new TemplateActions(store, () => this.#ask());
    this.camera = new CameraActions(store, this.#toast);
    this.corrections = new Corrections(store, this.#toast);
    this.sides = new SideProposals(store, this.#toast, (correction) => this.corrections.send(correction));
    this.hall = new HallActions(store, this.#toast);
    this.clock = new ClockActions(store, this.#toast);
    this.longPress = new LongPress(store);
    this.cursor = new TableCursor(store);
    this.rulings = new Rulings(this.#toast);
    this.settlements = new Settlements(store);
    const then = { layTable: (table: DrawnTable | null) => this.#layTable(table), askAnew: () => this.#ask(), setPair: (a: string | null, b: string | null) => this.#setPair(a, b) };
    this.keeping = new KeptVerdicts(store, this.#toast, () => this.#queries.pairQuestion());
    this.past = new PastActions(store, this.#toast, then);
    this.terrain = new TerrainProposals(store, this.#toast, this.corrections);
  }

  begin(): void {
    const handlers = { layTable: (table: DrawnTable | null) => this.past.layNow(table), askAnew: () => this.#ask(), rereadCard: () => this.#reread(), takeClocks: (both: ClocksView | null) => this.clock.take(both), takeDispute: (dispute: Dispute | null) => this.#takeDispute(dispute), countersign: () => void this.#countersign() };
    new LiveUpdates(this.store, this.#toast, this.picture, handlers).begin();
    void this.hall.begin();
    this.#openSharedList();
    if (this.store.state.settings.seat !== null) void this.#rereadLists();
  }

  /** A list that was sent to this page stands where one is pasted; the address is as if nothing had been sent. */
  #openSharedList(): void {
    const sharedList = readSharedList(location);
    if (sharedList === null) return;
    history.replaceState(null, "", location.pathname);
    this.store.set({ sharedList });
    this.showLists();
  }

  showLists(): void {
    this.useTool("table");
    this.showSection("lists");
  }

  /** What signs is brought when there is something to sign. */
  async #countersign(): Promise<void> {
    if (this.#countersigner) return this.#countersigner.signSoon();
    const { Countersigner } = await import("./countersignature");
    this.#countersigner = new Countersigner((phoneProof) => this.store.set({ phoneProof }));
    this.#countersigner.begin();
  }

  /** Under what is asked lies the picture that it was measured in, whatever the camera sees meanwhile. */
  followPicture(): void {
    const { state } = this.store;
    const rest = restShown(state);
    const isKept = rest?.is_pictured === true || state.at !== null;
    void this.picture.showRest(isKept ? rest : null);
  }

  /** A tap on the stage, in pixels of the stage. */
  tap(at: Point): void {
    if (this.longPress.takesClick()) return;
    const { table, tool } = this.store.state;
    const frame = viewportFrame(this.store.state);
    if (!frame || !table) return;
    if (tool === "table" && this.store.state.section === "ground") return this.#tapTerrain(onTable(frame, at));
    const each = table.miniatures.map((m) => ({ ...m, unit: null }));
    const target = hitAt(frame, at, tool === "blast" ? each : table.miniatures); // a template is laid on one base
    if (target && "id" in target) this.pick(target.id);
    else if (tool === "move" && this.store.state.path) this.ghost.moveTo(onTable(frame, at));
    else if (tool === "blast" && this.store.state.template.shape === "round") this.template.layAt(onTable(frame, at));
    else if (tool === "blast" && this.store.state.template.from) this.template.layAt(onTable(frame, at));
    else if (target) this.#zoomIn(target.crowd);
  }

  pick(id: string): void {
    const { tool, a, b, path, manoeuvre } = this.store.state;
    if (tool === "blast") return this.template.layOn(id);
    if (tool === "table") return this.#tapMiniature(id);
    if (tool === "move" && (path ?? manoeuvre) !== null) return id === a ? undefined : this.#setPair(a, id === b ? null : id);
    const next = pairAfterTap(this.store.state, id);
    this.#setPair(next.a, next.b);
  }

  /** Where terrain is set up, a tap is a corner of what is drawn, else opens the piece under it. */
  #tapTerrain(at: Point): void {
    const { drawing, table, proposals } = this.store.state;
    if (drawing) return this.corrections.addCorner(at);
    const under = table?.areas.find((area) => isInside(at, area.outline_mm));
    if (under) return void this.corrections.editArea(under);
    const suggested = proposals?.find((one) => isInside(at, outlineOf(one)));
    if (suggested?.what === "terrain") this.terrain.redrawTerrain(suggested);
  }

  /** Turn to a part of the setting-up; the lists are fetched when they are looked at. */
  showSection(section: Section): void {
    this.corrections.showSection(section);
    if (section === "lists" || section === "army") void this.#rereadLists();
    if (section === "past") void this.past.renew();
  }

  /** Somebody corrected the table: cards and names may be others. */
  #reread(): void {
    this.corrections.card.reread();
    if (["lists", "army"].includes(this.store.state.section)) void this.#rereadLists();
  }

  /** What is done with lists: its code comes when they are first looked at. */
  listsOf(make: typeof ArmyLists): ArmyLists {
    return (this.#lists ??= new make(this.store, this.#toast, (address, body) => this.corrections.sendStep(address, body)));
  }

  armyOf(make: typeof MyArmy, lists: ArmyLists): MyArmy {
    return (this.#army ??= new make(this.store, this.corrections, lists));
  }

  /** What speaks and listens: its code comes when somebody first wants it. */
  voiceOf(make: typeof Voice): Voice {
    return (this.#voice ??= new make(this.store, ({ a, b, topic }) => {
      this.store.set({ tool: "ask", topic });
      this.#setPair(a, b);
    }));
  }

  async #sayAnswer(): Promise<void> {
    if (this.store.state.settings.isSpoken) this.voiceOf((await import("./voice")).Voice).sayAnswer();
  }

  async #rereadLists(): Promise<void> {
    await this.listsOf((await import("./army-lists")).ArmyLists).reread();
  }

  /** Lay this on the table by its projector. */
  async layLight(light: object): Promise<void> {
    await send("PUT", "projector/laid", light).catch((wrong: unknown) => this.#toast.showAnswer(problemOf(wrong).detail));
  }

  #tapMiniature(id: string): void {
    if (this.store.state.sideAssignment) return this.sides.cycleSide(id);
    if (this.store.state.section === "lists" && this.#lists?.tap(id)) return;
    if (this.store.state.section === "army" && this.#army?.tap(id)) return;
    if (this.store.state.section !== "who") this.corrections.showSection("who");
    this.corrections.pickMiniature(id);
  }

  /** Look at one of them alone. */
  showAlone(id: string): void {
    this.#setPair(id, null);
  }

  /** Make this one B, whosever it is. */
  setOpponent(id: string): void {
    this.#setPair(this.store.state.a, id);
  }

  swap(): void {
    const { a, b } = this.store.state;
    this.#setPair(b, a);
  }

  /** What lies on top goes first. */
  escape(): void {
    if (this.store.state.isClockOpen) this.clock.close();
    else if (this.store.state.candidate !== null) this.candidates.open(null);
    else this.clear();
  }

  /** Nobody is picked any more, and all of the table is in sight. */
  clear(): void {
    this.#setPair(null, null);
    this.zoom?.showWhole();
  }

  toggleLine(slot: string): void {
    this.store.set({ openSlot: this.store.state.openSlot === slot ? null : slot });
    requestAnimationFrame(() => {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      document.querySelector(".row.open, .tile.open")?.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
    });
  }

  /** Show what is asked for this alone; the same again: all that matters. */
  chooseTopic(topic: Topic): void {
    this.store.set({ topic: this.store.state.topic === topic ? null : topic, isUnfolded: false, openSlot: null });
  }

  toggleFold(): void {
    this.store.set({ isUnfolded: !this.store.state.isUnfolded });
  }

  /** Tint those whom A sees, or no more. */
  toggleTint(): void {
    this.#setAndAsk({ isTinted: !this.store.state.isTinted });
  }

  toggleTall(): void {
    this.store.set({ isTall: !this.store.state.isTall });
  }

  toggleRing(ring: Ring): void {
    const { toggledRings } = this.store.state;
    const key = ringKey(ring);
    this.store.set({ toggledRings: toggledRings.includes(key) ? toggledRings.filter((one) => one !== key) : [...toggledRings, key] });
  }

  /** The player stands at the near or at the far edge, which stays below unless a wide table lies on its side. */
  sitAt({ isTurned = this.store.state.isTurned, quarter = this.store.state.quarter ?? false }): void {
    this.store.set({ isTurned, quarter });
    this.changeSettings({ isTurned, quarter });
    this.#focus();
  }

  showWholeTable(): void {
    this.zoom?.showWhole();
  }

  /** The stage has another size: keep in it what is looked at. */
  handleResize(): void {
    this.#focus();
  }

  useTool(tool: Tool): void {
    const { a, template } = this.store.state;
    const from = template.from ?? a;
    this.store.set({ tool, openSlot: null, isTall: false, template: { ...template, from, isPickingFrom: false } });
    this.#planMove(a);
    this.#focus();
    this.#ask({ atOnce: true });
  }

  /** The reach of this one's weapon, told to everybody. */
  setReach(id: string, reach_in: number): void {
    this.#tellCard(id, (card) => ({ ...card, melee: [{ name: SAY.weapon, reach_in }] }));
  }

  setRange(range_in: number): void {
    this.#setAndAsk({ range_in });
  }

  /** The speed of this one, told to everybody. */
  setSpeed(id: string, spd_in: number): void {
    this.#tellCard(id, (card) => ({ ...card, spd_in }));
  }

  /** Which way a miniature looks, as a step that all see: one player's word until the other agrees. */
  async tellFacing(id: string, facing_deg: number): Promise<void> {
    if (!this.#mayTell()) return;
    const turned = ((facing_deg % 360) + 360) % 360;
    if (await this.corrections.tellFacing(id, turned)) this.#toast.showNews(SAY.facingSaved);
  }

  /** Somebody types; null: what was typed is put away. */
  draftText(draft: TextDraft | null): void {
    this.store.set({ draft });
  }

  #tellCard(id: string, change: (card: ProfileGiven) => ProfileGiven): void {
    if (!this.#mayTell()) return;
    this.corrections.card.read(id);
    void this.corrections.card.change(id, change);
  }

  /** Nothing that changes an answer is said on one phone only. */
  #mayTell(): boolean {
    const may = mayCorrect(this.store.state);
    if (!may) this.#toast.showAnswer(SAY.joinWhy);
    return may;
  }

  changeSettings(settings: Partial<Settings>): void {
    const all = { ...this.store.state.settings, ...settings };
    this.store.set({ settings: all });
    saveSettings(all);
    this.#ask();
    if (settings.seat !== undefined) void this.#rereadLists();
  }

  /** The language of this phone from now on. */
  async speak(language: Language): Promise<void> {
    await chooseLanguage(language);
    nameSeats(this.store.state.scoreboard);
    this.store.set({});
  }

  /** Something that is drawn has been loaded. */
  redraw(): void {
    this.store.set({});
  }

  #setAndAsk(changes: Partial<State>): void {
    this.store.set(changes);
    this.#ask();
  }

  /** One sheet opens on every phone, and the two that it is about are looked at. */
  #takeDispute(dispute: Dispute | null): void {
    const { dispute: before, at, a, b } = this.store.state;
    this.store.set({ dispute });
    if (dispute === null && before !== null) void this.#tellEnd(before);
    if (dispute === null || dispute.n === before?.n) return;
    void this.settlements.lookForJudge();
    if (at !== null) return;
    this.store.set({ tool: "ask", openSlot: null });
    if (a !== dispute.a || b !== dispute.b) this.#setPair(dispute.a, dispute.b);
  }

  async #tellEnd(dispute: Dispute): Promise<void> {
    const says = (await import("./settlement-text")).endOf(dispute, this.store.state);
    if (says !== null) this.#toast.showNews(says);
  }

  #setPair(a: string | null, b: string | null): void {
    const { tool, lastMine, a: before } = this.store.state;
    const first = miniature(this.store.state, a);
    const rest = b === null ? { openSlot: null, isUnfolded: false, isTall: false } : {};
    const mine = first && isMine(this.store.state, first) ? first.id : lastMine;
    this.store.set({ a, b, lastMine: mine, sheet: null, askProblem: null, ...rest });
    if (a !== this.store.state.around?.who) this.store.set({ around: null });
    this.#planMove(a);
    this.#ask({ atOnce: true });
    document.querySelector(".lines")?.scrollTo(0, 0);
    if (tool === "ask" && a !== null && b !== null) this.#focusPairSoon();
    else if (tool === "ask" || a !== before || b !== null) this.#focus();
  }

  /** Look at the two when their answers stand on the page. */
  #focusPairSoon(): void {
    clearTimeout(this.#focusTimer);
    this.#focusTimer = window.setTimeout(() => this.#focusPairNow(), LOOK_AFTER_MS);
  }

  #focusPairNow(): void {
    if (this.#focusTimer === 0) return;
    clearTimeout(this.#focusTimer);
    this.#focusTimer = 0;
    this.#focus();
  }

  /** Whom the what-if is about: a ghost on its way, or a unit that manoeuvres. */
  #planMove(a: string | null): void {
    const { tool, path, manoeuvre } = this.store.state;
    if ((path && path.who !== a) || (manoeuvre && manoeuvre.who !== a)) this.store.set({ path: null, manoeuvre: null, course: null });
    if (tool !== "move" || a === null) return;
    const { path: ghostPath, manoeuvre: current } = this.store.state;
    if (ghostPath ?? current) return;
    this.store.set({ path: startPath(this.store.state, a), manoeuvre: startManoeuvre(this.store.state, a), course: null });
  }

  #ask(how: { atOnce?: boolean } = {}): void {
    this.#queries.ask(how);
  }

  /** Show where a unit would go. */
  #showManoeuvre(): void {
    this.#focus();
    this.manoeuvre.playMove();
  }

  #focus(): void {
    const state = this.store.state;
    const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
    const end = a && (state.path?.at ?? placesOf(state)[a.id]?.at_mm ?? a.at_mm);
    if (state.tool === "move" && a && b && end) this.zoom?.glideTo(viewOf(state, [a.at_mm, b.at_mm, end], 2 * AROUND_MM));
    else if (state.tool === "move" && a && end) this.zoom?.glideTo(viewOf(state, [a.at_mm, end], AROUND_GHOST_MM));
    else if (state.tool === "ask" && a && b) this.zoom?.glideTo(viewOf(state, [a.at_mm, b.at_mm], AROUND_MM));
  }

  #zoomIn(place: Point): void {
    const state = this.store.state;
    const frame = viewportFrame(state);
    const closer = viewOf(state, [place], CROWD_MM);
    if (closer.k <= state.view.k * 1.05 && frame) {
      // As close as it gets: the nearest centre it is.
      const tap = onScreen(frame, place);
      const off = (at: Point) => Math.hypot(onScreen(frame, at)[0] - tap[0], onScreen(frame, at)[1] - tap[1]);
      const nearest = [...(state.table?.miniatures ?? [])].sort((m, n) => off(m.at_mm) - off(n.at_mm))[0];
      if (nearest) this.pick(unitOrSelf(state, nearest.id));
      return;
    }
    this.#toast.showNews(SAY.crowd);
    this.zoom?.glideTo(closer);
  }

  /** Lay a table; those who are gone are let go, a way of one that moved is forgotten, and all is asked anew. */
  #layTable(table: DrawnTable | null): void {
    const was = this.store.state;
    const isUnmoved = (one: { readonly who: string } | null) => one !== null && isWhereItStood(was.table, table, one.who);
    const [path, manoeuvre] = [isUnmoved(was.path) ? was.path : null, isUnmoved(was.manoeuvre) ? was.manoeuvre : null];
    this.store.set({ table, path, manoeuvre });
    const idOnTable = (id: string | null) => (id !== null && miniature(this.store.state, id) ? id : null);
    const [a, b] = [idOnTable(was.a), idOnTable(was.b)];
    const turnless = [a, b].find((id) => id !== null && hasLostFacing(was.table, table, id));
    if (turnless) this.#toast.showNews(SAY.facingEnded(labelOf(this.store.state, turnless)));
    this.#planMove(a);
    if (a !== was.a || b !== was.b) this.#setPair(a ?? b, a === null ? null : b);
    else if ([a, b].some((id) => id !== null && !isWhereItStood(was.table, table, id))) this.#setPair(a, b); // no line to where one stood
    else if (table?.state_id !== was.table?.state_id || table?.unconfirmed !== was.table?.unconfirmed) this.#ask();
  }
}
