/** Set-up panel: this phone, who is who, the terrain, the rules, and what was corrected. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { fieldOf } from "../../shared/form-fields";
import { isQuarterTurned, isWide } from "../../shared/geometry";
import { currentLanguage, LANGUAGES, type Language } from "../../shared/language";
import { SAY } from "../../shared/strings";
import { clockTime, stepText } from "../../shared/format";
import type { Book, DrawnArea, ResultSlip, Setting, StepSummary } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { pictureAge_s } from "../event-text";
import { mayCorrect, miniature, namesOf, sidesOf, type Section, type State, type TerrainDrawing } from "../state";
import { armyLists } from "./army-lists";
import { health } from "./camera-health";
import { lazyView } from "./lazy-view";
import { chip } from "./pair-sheet";
import { icon } from "./icons";
import { nameForm, countersignature, signature } from "./joining-sheet";
import { myArmy } from "./my-army";
import { rosterEditor } from "./roster-editor";
import { rulingList } from "./ruling-list";
import { terrainProposals } from "./terrain-proposals";
import "../past.css";
import "../setup-panel.css";

const voice = lazyView(() => import("./voice-panel"));
const PLAYERS = ["player-a", "player-b"] as const;
/** Three doors, each with its parts: what I play, what both see of the table, and what only this phone is set to. */
const DOORS = { army: ["lists", "army", "who"], table: ["steps", "ground", "rules", "past"], phone: ["phone"] } as const satisfies Record<string, readonly Section[]>;
const LEAST_CORNERS = 3;
const MM_PER_INCH = 25.4;
const HEIGHTS_IN = [0.5, 1, 1.75, 2.25, 3, 5];

export function setupPanel(state: State, actions: Actions): TemplateResult {
  return html`<section class="sheet setup" aria-label=${SAY.tool.table}>
    <h2 class="aloud">${SAY.tool.table}</h2>
    ${doors(state.section, actions)}
    <div class="lines">${sectionPanel(state, actions)}</div>
  </section>`;
}

function doors(section: Section, actions: Actions): TemplateResult {
  const keys = Object.keys(DOORS) as (keyof typeof DOORS)[];
  const opened = keys.find((door) => (DOORS[door] as readonly Section[]).includes(section)) ?? "phone";
  return html`<div class="chips doors" role="radiogroup" aria-label=${SAY.tool.table}>${keys.map((door) => chip(SAY.door[door], door === opened, () => actions.showSection(DOORS[door][0])))}</div>
    ${opened === "phone" ? nothing : html`<div class="chips sections" role="radiogroup" aria-label=${SAY.door[opened]}>
      ${DOORS[opened].map((one) => chip(SAY.section[one], section === one, () => actions.showSection(one)))}</div>`}`;
}

function sectionPanel(state: State, actions: Actions): TemplateResult {
  if (state.section === "phone") return phone(state, actions);
  if (state.section === "past") return past(state, actions);
  if (state.at !== null) return html`<p class="soft">${SAY.correctNow}</p>`;
  if (state.section === "steps") return html`${rulingList(state, actions)}${mayCorrect(state) ? html`${state.rulings.length > 0 ? html`<h3>${SAY.section.steps}</h3>` : nothing}${steps(state, actions)}` : joinForm(actions)}`;
  if (!mayCorrect(state)) return joinForm(actions);
  if (state.section === "who") return rosterEditor(state, actions);
  if (state.section === "lists") return armyLists(state, actions);
  if (state.section === "army") return myArmy(state, actions);
  if (state.section === "ground") return terrainPanel(state, actions);
  return rules(state, actions);
}

function past(state: State, actions: Actions): TemplateResult {
  return html`<p class="soft">${state.moments.length === 0 ? SAY.nothingYet : SAY.pastWhy}</p>
    <div class="toolbar words"><button class="mend" aria-expanded=${state.slip !== null} @click=${() => void actions.keeping.toggleSlip()}>${SAY.slip}</button></div>
    ${state.slip === null ? nothing : resultSlip(state.slip)}`;
}

/** Where the journal ends now, as text and as a code: both players keep it. */
function resultSlip({ title, head, n, at_s, rulings, key, witnesses }: ResultSlip): TemplateResult {
  return html`<section class="slip" aria-label=${SAY.slip}>
    <h3>${title}</h3>
    <p>${SAY.slipSays(n, rulings, clockTime(at_s))}</p>
    <img src="api/v1/qr.svg?${new URLSearchParams({ says: head }).toString()}" alt=${head} width="220" height="220" />
    <p class="hash">${head}</p>
    ${key ? html`<p class="hash">${key}</p>` : nothing}
    ${witnesses.map((witness) => html`<p class="hash">${witness}</p>`)}
    <p class="soft">${SAY.slipWhy}</p>
  </section>`;
}

function phone(state: State, actions: Actions): TemplateResult {
  const seat = PLAYERS.find((one) => one === state.seat);
  return html`${seat ? nameForm(seat, state, actions, nothing, () => undefined) : nothing}
    <h3>${SAY.iPlay}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.iPlay}>
      ${sidesOf(state).map((side) => chip(side, state.settings.mine === side, () => actions.changeSettings({ mine: side })))}
      ${chip(SAY.nobody, state.settings.mine === null, () => actions.changeSettings({ mine: null }))}
    </div>
    ${seatChoice(state, actions)}
    <h3>${SAY.hand}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.hand}>
      ${chip(SAY.hands.right, !state.settings.isLeft, () => actions.changeSettings({ isLeft: false }))}
      ${chip(SAY.hands.left, state.settings.isLeft, () => actions.changeSettings({ isLeft: true }))}
    </div>
    <h3>${SAY.sit}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.sit}>
      ${chip(SAY.sits.near, !state.isTurned, () => actions.sitAt({ isTurned: false }))}
      ${chip(SAY.sits.far, state.isTurned, () => actions.sitAt({ isTurned: true }))}
    </div>
    ${isWide(state.table) ? html`<div class="toolbar words"><button class="mend" aria-pressed=${isQuarterTurned(state)}
        @click=${() => actions.sitAt({ quarter: !isQuarterTurned(state) })}>${SAY.quarter}</button></div>` : nothing}
    <h3>${SAY.language}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.language}>
      ${(Object.keys(LANGUAGES) as Language[]).map((one) => html`<button role="radio" lang=${one} aria-checked=${one === currentLanguage()}
        @click=${() => void actions.speak(one)}>${LANGUAGES[one]}</button>`)}
    </div>
    ${voice(actions)?.voicePanel(state, actions) ?? nothing}
    <h3>${SAY.camera}</h3>
    ${state.fresh.source === "still" ? html`<p class="soft">${SAY.noCamera}</p>` : camera(state, actions)}
    <p class="links"><a href="join">${SAY.join}</a>${state.fresh.source === "still" ? nothing : html`<a href="unsure">${SAY.whoIsWho}</a>`}<a href="licences">${SAY.sourceOffer}</a></p>${signature(state)}${countersignature(state)}`;
}

/** Which player this phone is: the table counted, and two phones of one player, or a third, may have sat down wrongly. */
function seatChoice({ seat }: State, actions: Actions): TemplateResult | typeof nothing {
  if (!PLAYERS.some((one) => one === seat)) return nothing;
  return html`<h3>${SAY.chair}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.chair}>
      ${PLAYERS.map((one) => chip(SAY.seat[one], seat === one, () => void actions.corrections.takeSeat(one)))}
    </div>`;
}

function camera(state: State, actions: Actions): TemplateResult {
  const nameOf = (id: string) => miniature(state, id)?.name ?? id;
  const alarm = state.problem?.type.startsWith("world/camera") ? state.problem.detail : null;
  return html`${health({ fresh: state.fresh, old_s: pictureAge_s(state), alarm, nameOf })}
  <div class="toolbar words">
    <button class="mend" @click=${() => actions.camera.check()}>${SAY.checkTable}</button>
    <button class="mend" @click=${() => actions.camera.register()}>${SAY.registerAgain}</button>
    ${state.rights.includes("mind") ? html`<a class="mend" href="corners">${SAY.tapCorners}</a>` : nothing}
  </div>`;
}

/** Only who sits at the table may correct it. */
function joinForm(actions: Actions): TemplateResult {
  return html`<form class="form" @submit=${(event: Event) => void actions.corrections.join(fieldOf(event, "code"))}>
    <p>${SAY.joinWhy}</p>
    <label>${SAY.code}<input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" required minlength="6" /></label>
    <button class="mend">${SAY.join}</button>
  </form>`;
}

/** Correction history, newest first; either player takes a step back, and lets it hold again. */
export function steps(state: State, actions: Actions): TemplateResult {
  if (state.steps.length === 0) return html`<p class="soft">${SAY.noSteps}</p>`;
  return html`<ul class="others">${repeat([...state.steps].reverse(), (step) => step.n, (step, row) => entry(step, row, state, actions))}</ul>`;
}

function entry(step: StepSummary, row: number, state: State, actions: Actions): TemplateResult {
  const by = SAY.seat[step.by];
  const whose = step.is_undone ? SAY.takenBack(by, SAY.seat[step.changed_by]) : step.agreed_by ? SAY.stepAgreed(by, SAY.seat[step.agreed_by]) : by;
  const mayAgree = step.is_open && !step.is_undone && step.by !== state.seat && state.rights.includes("correct");
  return html`<li class="other step ${step.is_undone ? "undone" : ""}">
    <span class="whom"><span>${stepText(step.says, { ...namesOf(state), ...Object.fromEntries((state.lists?.units ?? []).map((unit) => [unit.unit, unit.name])) })}</span><small>${whose}</small></span>
    ${mayAgree ? html`<button class="mend" @click=${() => void actions.corrections.settle({ how: "agree", n: step.n })}>${SAY.agree}</button>` : nothing}
    <button class="mend" @click=${() => actions.corrections.toggleStep(step, row)} aria-label=${step.is_undone ? SAY.redoStep(step.says) : SAY.undoStep(step.says)}
      >${step.is_undone ? SAY.redo : SAY.undo}</button></li>`;
}

/** Terrain panel: what lies there, and a piece that is drawn corner by corner on the picture. */
export function terrainPanel(state: State, actions: Actions): TemplateResult {
  return state.drawing ? piece(state, state.drawing, actions) : pieces(state, actions);
}

function pieces(state: State, actions: Actions): TemplateResult {
  const start = () => actions.corrections.setDrawing({ id: null, was: null, kind: null, corners: [], height_mm: null, isReshaped: true });
  return html`<div class="toolbar words"><button class="mend" @click=${start}>${SAY.drawPiece}</button></div>
    ${terrainProposals(state, actions)}
    <ul class="others">${repeat(state.table?.areas ?? [], (area) => area.id, (area) => terrainEntry(area, actions))}</ul>`;
}

function terrainEntry(area: DrawnArea, actions: Actions): TemplateResult {
  return html`<li><button class="other" data-id=${area.id} @click=${() => void actions.corrections.editArea(area)}>
    <span class="whom">${area.kind}<small>${area.id}</small></span>${icon("up")}</button></li>`;
}

function piece(state: State, drawing: TerrainDrawing, actions: Actions): TemplateResult {
  const isReady = drawing.corners.length >= LEAST_CORNERS && drawing.kind !== null;
  return html`<header class="pair"><h2>${drawing.id ?? SAY.newPiece}</h2>
      <button class="round" @click=${() => actions.corrections.setDrawing(null)} aria-label=${SAY.leavePiece}>${icon("clear")}</button></header>
    <p class="soft">${SAY.corners(drawing.corners.length)}</p>
    <div class="toolbar words">
      <button class="mend" ?disabled=${drawing.corners.length === 0}
        @click=${() => actions.corrections.reshapeDrawing(drawing.corners.slice(0, -1))}>${SAY.lastCornerOff}</button>
      ${drawing.id === null ? nothing : html`<button class="mend"
        @click=${() => void actions.corrections.removeArea(drawing.id ?? "")}>${SAY.takeAway}</button>`}
    </div>
    <label class="field">${SAY.kind}${kinds(state, drawing, actions)}</label>
    <h3>${SAY.height}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.inInches(SAY.height)}>${HEIGHTS_IN.map((tall) => height(tall, drawing, actions))}</div>
    <div class="toolbar words">
      <button class="mend strong" ?disabled=${!isReady} @click=${() => void actions.corrections.layDrawing()}>${SAY.layPiece}</button>
    </div>`;
}

function kinds(state: State, drawing: TerrainDrawing, actions: Actions): TemplateResult {
  const known = state.books.find((book) => book.id === state.table?.edition)?.terrain ?? [];
  return html`<select @change=${(event: Event) => actions.corrections.changeDrawing({ kind: (event.target as HTMLSelectElement).value as TerrainDrawing["kind"] })}>
    <option value="" disabled ?selected=${drawing.kind === null}>${SAY.chooseKind}</option>
    ${known.map((kind) => html`<option value=${kind} ?selected=${kind === drawing.kind}>${kind.replaceAll("-", " ")}</option>`)}</select>`;
}

function height(tall_in: number, drawing: TerrainDrawing, actions: Actions): TemplateResult {
  const height_mm = tall_in * MM_PER_INCH;
  return chip(`${tall_in}″`, drawing.height_mm === height_mm, () => actions.corrections.changeDrawing({ height_mm }));
}

/** Rulebook settings: edition and scenario that are played, and saved set-ups. */
export function rules(state: State, actions: Actions): TemplateResult {
  const book = state.books.find((one) => one.id === state.table?.edition);
  return html`<h3>${SAY.edition}</h3>
    <div class="chips tall" role="radiogroup" aria-label=${SAY.edition}>
      ${state.books.map((one) => chip(one.book, one === book, () => void actions.corrections.send({ do: "table", edition: one.id })))}</div>
    ${book?.written ? writtenBook(book, book.written) : nothing}
    ${book?.scenarios.length ? html`<h3>${SAY.scenario}</h3>
      <div class="chips">${book.scenarios.map((name) => scenario(name, actions))}</div>` : nothing}
    ${book?.settings.length ? html`<h3>${SAY.settings}</h3>${book.settings.map((one) => setting(one, book, state, actions))}` : nothing}
    <h3>${SAY.kept}</h3>
    <ul class="others">${state.setups.map((one) => html`<li><button class="other" @click=${() => actions.corrections.layOutSetup(one.name)}>
      <span class="whom">${one.name}<small>${one.parts.join(", ")}</small></span><small>${SAY.layOut}</small></button></li>`)}</ul>
    <h3>${SAY.expectedBases}</h3>
    <form class="form" @submit=${(event: Event) => void actions.corrections.expectBases(fieldOf(event, "roster"))}>
      <label>${SAY.rosterWhy}<textarea name="roster" rows="4" autocomplete="off" spellcheck="false"></textarea></label>
      <button class="mend">${SAY.expectThem}</button>
    </form>
    <form class="form inline" @submit=${(event: Event) => {
        const name = fieldOf(event, "name").trim();
        if (name) void actions.corrections.saveSetup(name);
      }}>
      <label>${SAY.keepAs}<input name="name" autocomplete="off" maxlength="40" /></label><button class="mend">${SAY.save}</button>
    </form>`;
}

/** What a rulebook written as data says of itself, and its file with the hash by which rulings name it, to be handed on. */
function writtenBook(book: Book, written: NonNullable<Book["written"]>): TemplateResult {
  const link = `${location.origin}/api/v1/book.toml#sha256=${written.sha256}`, hash = `SHA-256 ${written.sha256.slice(0, 12)}`;
  return html`<p class="note written">${book.about ?? nothing}
    <small>${book.author ? SAY.bookBy(book.author) : nothing} <a href=${link} download>${hash}</a></small></p>
    <img class="written-code" src=${`/api/v1/qr.svg?says=${encodeURIComponent(link)}`} alt=${hash} width="160" height="160" loading="lazy" />`;
}

/** One setting: a choice with what it does in words, or a number. A choice adds to those made before; a preset ends them. */
function setting(one: Setting, book: Book, state: State, actions: Actions): TemplateResult {
  const made: Readonly<Record<string, string>> = Object.fromEntries(state.table?.house_rules ?? []);
  const preset = book.preset_key === null ? "" : made[book.preset_key] ?? "";
  const chosen = made[one.key] ?? one.presets[preset] ?? one.default;
  const keys = new Set(book.settings.map((other) => other.key));
  const kept = one.key === book.preset_key ? Object.fromEntries(Object.entries(made).filter(([key]) => !keys.has(key))) : made;
  const choose = (value: string) => void actions.corrections.send({ do: "table", house_rules: { ...kept, [one.key]: value } });
  if (one.number !== null) {
    return html`<form class="form inline setting" data-key=${one.key} @submit=${(event: Event) => choose(fieldOf(event, "number"))}>
      <label>${one.decides} (${one.number})<input name="number" type="number" step="any" min="0" max=${one.most ?? nothing} .value=${chosen} required /></label>
      <button class="mend">${SAY.save}</button></form>`;
  }
  return html`<div class="setting" data-key=${one.key}><p class="note">${one.decides}</p>
    <div class="chips tall" role="radiogroup" aria-label=${one.decides}>
      ${Object.entries(one.readings).map(([value, does]) => chip(does, value === chosen, () => choose(value)))}</div></div>`;
}

function scenario(name: string, actions: Actions): TemplateResult {
  const choose = () => void actions.corrections.send({ do: "table", scenario: { name } });
  return html`<button @click=${choose}>${name.replaceAll("-", " ")}</button>`;
}
