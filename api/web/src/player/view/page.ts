/** Layout of the player's page. */

import { html, nothing, type TemplateResult } from "lit";
import { isQuarterTurned, isWide } from "../../shared/geometry";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";
import { span } from "../../shared/format";
import type { Actions } from "../actions";
import { badge } from "../event-text";
import { isSittingDown, mayCorrect, miniature, restShown, secondsLeft, type State, type Tool } from "../state";
import { asOf } from "./as-of";
import { icon, skipLink } from "./icons";
import { lazyView } from "./lazy-view";
import { picker } from "./picker";
import { rulingNotice } from "./rulings";
import { stage } from "./table-stage";
import { candidatePrompt, measureAddress } from "./unconfirmed-bases";

const TOOLS: readonly Tool[] = ["ask", "move", "blast", "table", "hall"];

const clock = lazyView(() => import("./chess-clock"));
const light = lazyView(() => import("./table-light"));
const voice = lazyView(() => import("./voice-panel"));

export function page(state: State, actions: Actions): TemplateResult {
  return html`${bar(state, actions)}
    <main class=${state.settings.isLeft ? "left" : ""}>${stage(state, actions)}${candidatePrompt(state.table, state.candidate, mayCorrect(state), actions.candidates)}${banner(state, actions)}${rulingNotice(state, actions)}${lookButton(state, actions)}${measureLink(state)}${photographButtons(state, actions)}</main>
    <div class="lower ${isTimeBarShown(state) ? "with-bar" : ""} ${state.isTall ? "tall" : isTableLong(state) ? "low" : ""} ${state.settings.isLeft ? "left" : ""}">
      <button class="grab" @click=${() => actions.toggleTall()} aria-label=${state.isTall ? SAY.moreTable : SAY.moreAnswers}
        aria-expanded=${state.isTall}></button>
      ${asOf(restShown(state), actions.picture, state.at === null ? state.fresh : null)}
      ${state.settings.isSpoken && state.tool === "ask" ? voice(actions)?.voiceBar(state, actions) : nothing}
      ${pastBar(state, actions)}${panel(state, actions)}${tabs(state, actions)}
    </div>
    ${state.isClockOpen ? (clock(actions)?.chessClock(state, actions) ?? nothing) : nothing}`;
}

/** Whether the table on its side gets the height that two picked ones need for their answers. */
function isTableLong(state: State): boolean {
  return state.isNarrow && state.tool === "ask" && state.b === null && isQuarterTurned(state);
}

function bar(state: State, actions: Actions): TemplateResult {
  const { tone, says } = badge(state);
  return html`<header class="bar ${state.settings.isLeft ? "left" : ""}">
    ${skipLink(SAY.skip)}
    <p class="badge ${tone}" role="status" aria-live="off"><span class="dot"></span><span>${says}</span></p>
    <h1>${state.title}</h1>
    ${clockStrip(state, actions)}${lightButton(state, actions)}${callButton(state, actions)}
  </header>`;
}

/** Back to the whole table, where the thumb is; while all of it is shown and nobody is picked, a quarter turn. */
function lookButton(state: State, actions: Actions): TemplateResult | typeof nothing {
  const { a, isNarrow, table, view: { k, x, y } } = state;
  if (k !== 1 || x !== 0 || y !== 0) return html`<button class="round look" @click=${() => actions.showWholeTable()} aria-label=${SAY.whole}>${icon("whole")}</button>`;
  if (!isNarrow || a !== null || !isWide(table)) return nothing;
  return html`<button class="round look" @click=${() => actions.sitAt({ quarter: !isQuarterTurned(state) })} aria-label=${SAY.quarter} aria-pressed=${isQuarterTurned(state)}>${icon("turn")}</button>`;
}

/** To a base that the camera missed, where there is a picture to tap on. */
function measureLink(state: State): TemplateResult | typeof nothing {
  if (!mayCorrect(state) || state.isReplay || state.picture === 0 || state.table === null) return nothing;
  return html`<a class="round look measure" href=${measureAddress()} aria-label=${SAY.measureBase}>${icon("missing")}</a>`;
}

/** What is drawn here goes onto the table itself, where a projector shines; while nothing is, what lies there goes. */
function lightButton(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!state.fresh.is_lit || !mayCorrect(state)) return nothing;
  return light(actions)?.lightButton(state, actions) ?? nothing;
}

function banner(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.link === "lost") {
    return html`<p class="banner wait" role="alert">${icon("warn")}<span><b>${SAY.reconnecting}</b> ${SAY.mayBeOld}</span></p>`;
  }
  if (!state.problem) return alarms(state);
  const { title, detail } = state.problem;
  const tone = state.fresh.source === "ended" ? "wait" : "bad";
  return html`<div class="banner ${tone}" role="alert">${icon("warn")}<span><b>${phrase(title)}.</b> ${phrase(detail)}</span>
    ${state.problem.type === "world/camera_moved"
      ? html`<button class="mend" @click=${() => actions.camera.register()}>${SAY.registerAgain}</button>`
      : nothing}</div>`;
}

/** What is not as it should be with the server itself; the newest, since a phone has room for one. */
function alarms({ alarms }: State): TemplateResult | typeof nothing {
  const newest = alarms.at(-1);
  return newest ? html`<div class="banner wait" role="alert">${icon("warn")}<span>${phrase(newest.says)}</span></div>` : nothing;
}

/** The button on top of the page: one tap calls; where a judge is called already, it leads to what the hall says. */
export function callButton(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!state.call?.in_hall || !state.rights.includes("correct")) return nothing;
  const isOpen = state.call.is_open;
  return html`<button class="round call-judge" aria-pressed=${isOpen} aria-label=${isOpen ? SAY.hall.called : SAY.hall.call}
    @click=${() => (isOpen ? actions.useTool("hall") : actions.hall.callJudge())}>${icon("bell")}</button>`;
}

/** Clock strip: both clocks in the header, the score between them; a tap opens them, and the form that sets them. */
export function clockStrip(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.at !== null) return nothing;
  if (state.clocks === null) return mayCorrect(state) ? html`<button class="round" @click=${() => actions.clock.open()} aria-label=${SAY.clock}>${icon("clock")}</button>` : nothing;
  const { players, score } = state.scoreboard;
  const [first, second] = state.clocks.both.players.map((one) => html`<span class="clock ${one.runs ? "runs" : ""} ${one.has_run_out ? "out" : ""}">
    <small>${players[one.player]?.name ?? SAY.seat[one.player]}</small><b>${span(secondsLeft(one, state))}</b></span>`);
  return html`<button class="clock-strip" @click=${() => actions.clock.open()}><span class="aloud">${SAY.clock}</span>${first}
    ${score === null ? nothing : html`<span class="score">${score.points["player-a"]}–${score.points["player-b"]}</span>`}${second}</button>`;
}

/** Tabs of the tools, along the edge where the thumb is. */
export function tabs({ tool, call }: State, actions: Actions): TemplateResult {
  return html`<nav class="tabs" aria-label=${SAY.tools}>
    ${TOOLS.filter((one) => one !== "hall" || call?.in_hall === true).map((one) => html`<button aria-current=${one === tool ? "page" : "false"} @click=${() => actions.useTool(one)}>
      ${icon(one)}<span>${SAY.tool[one]}</span></button>`)}
  </nav>`;
}

/** Photograph buttons: a table without a camera of its own is seen in what phones send. */
export function photographButtons(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!state.byPhotograph || !state.rights.includes("mind")) return nothing;
  return html`<div class="shutter">
    ${button(state.table ? SAY.newPhotograph : SAY.photograph, state, (file) => actions.camera.photograph(file, false))}
    ${state.table ? button(SAY.anotherSide, state, (file) => actions.camera.photograph(file, true)) : nothing}
  </div>`;
}

function button(says: string, { isPhotographing }: State, send: (file: File) => Promise<void>): TemplateResult {
  const onChange = (event: Event): void => {
    const box = event.currentTarget as HTMLInputElement;
    const file = box.files?.[0];
    if (file) void send(file).finally(() => (box.value = ""));
  };
  return html`<label class="take" aria-disabled=${isPhotographing}>${says}<input class="aloud" type="file" accept="image/*,.heic"
    capture="environment" ?disabled=${isPhotographing} @change=${onChange} /></label>`;
}

const sheets = lazyView(() => import("./sheets"));
const tools = lazyView(() => import("./tool-panels"));
const joining = lazyView(() => import("./joining-sheet"));
const setUp = lazyView(() => import("./setup-panel"));

export function panel(state: State, actions: Actions): TemplateResult {
  return html`<div class="panel" id="answers" tabindex="-1">${toolPanel(state, actions)}</div>`;
}

function toolPanel(state: State, actions: Actions): TemplateResult {
  const isChecked = state.check !== null || state.isChecking;
  if (state.dispute !== null && state.at === null && state.tool === "ask") return tools(actions)?.disputeSheet(state.dispute, state, actions) ?? loading(state);
  if (state.tool === "ask" && !isChecked) return askPanel(state, actions);
  if (state.tool === "move" && !isChecked && !state.manoeuvre && !state.path) return picker(SAY.whoMoves, SAY.whoMovesWhy, state, actions);
  if (state.tool === "table" && !isChecked) return setUp(actions)?.setupPanel(state, actions) ?? loading(state);
  const loaded = tools(actions);
  if (loaded === null) return loading(state);
  if (isChecked) return loaded.selfCheck(state, actions);
  if (state.tool === "move") return state.manoeuvre ? loaded.manoeuvrePanel(state, state.manoeuvre, actions) : loaded.plan(state, state.path!, actions);
  return state.tool === "blast" ? loaded.templatePanel(state, actions) : loaded.hallPanel(state, actions);
}

function loading({ tool }: State): TemplateResult {
  return html`<section class="sheet setup" aria-busy="true" aria-label=${SAY.tool[tool]}></section>`;
}

function askPanel(state: State, actions: Actions): TemplateResult {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  if (a && b) return sheets(actions)?.pairSheet(state, a, b, actions) ?? loading(state);
  if (!a && isSittingDown(state)) return joining(actions)?.joiningSheet(state, actions) ?? loading(state);
  if (a) return sheets(actions)?.miniatureSheet(state, a, actions) ?? loading(state);
  const isSeated = state.at === null && !state.isReplay && state.scoreboard.players[state.seat] !== undefined;
  return picker(SAY.tapOne, SAY.tapOneWhy, state, actions, isSeated ? (joining(actions)?.evening(state, actions) ?? nothing) : nothing);
}

/** All that happened on one line, where it is looked at: in a game that is over, at an earlier moment, and in its section. */
export function pastBar(state: State, actions: Actions): TemplateResult | typeof nothing {
  return (isTimeBarShown(state) && tools(actions)?.timeBar(state, actions)) || nothing;
}

export function isTimeBarShown({ isReplay, at, tool, section }: State): boolean {
  return isReplay || at !== null || (tool === "table" && section === "past");
}
