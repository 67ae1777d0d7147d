/** Sheet of one miniature: its rings, everybody's distance, and who threatens whom. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { isAnswered, missingHint, type AnsweredLine } from "../../shared/format";
import { isRingHidden, mayCorrect, miniature, namesOf, type State } from "../state";
import type { MiniatureSheet, DrawnMiniature, Line, OtherMiniature, Ring } from "../../shared/types.gen";
import { choice, problemBox } from "./pair-sheet";
import { goThrough, keepStop, stopOf } from "../../shared/one-stop";
import { sideChip } from "./picker";
import { lengthCell } from "./length-cell";
import { icon } from "./icons";
import { describeSize, listNames } from "../event-text";
import { withLetters } from "./answer-rows";
import { toldFacts, toldMark } from "./told-facts";
import { measureAddress } from "./unconfirmed-bases";
import { reason } from "./verdict-details";
import { facingChoices } from "./facing-choices";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";

const REACHES_IN = [0.5, 1, 2];
const SPEEDS_IN = [4, 5, 6, 7, 8];

export function miniatureSheet(state: State, a: DrawnMiniature, actions: Actions): TemplateResult {
  const { around } = state;
  const isReady = around?.who === a.id;
  return html`<section class="sheet alone" data-state=${isReady && around.is_whole ? "ready" : "asking"} aria-label=${SAY.around(a.name)}>
    <header class="pair">
      <h2 class="who a"><span>${sideChip(a, state)}${a.name}<small>${describeSize(a)}</small></span></h2>
      ${mayCorrect(state) && state.picture > 0 && !state.isReplay ? html`<a class="round" href=${measureAddress({ id: a.id })} aria-label=${SAY.setRight} title=${SAY.setRight}>${icon("told")}</a>` : nothing}
      <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
    </header>
    <div class="lines">${facingChoices(state, actions)}${isReady ? surroundings(around, state, actions) : state.askProblem ? nothing : skeleton()}
      ${state.askProblem ? problemBox(state.askProblem) : nothing}</div>
  </section>`;
}

function skeleton(): TemplateResult {
  return html`<ul class="others" aria-hidden="true">${[1, 2, 3, 4].map(() => html`<li class="other waits"></li>`)}</ul>`;
}

/** What may be done to it and what it may do, its rings, then everybody else, nearest first. */
function surroundings(around: MiniatureSheet, state: State, actions: Actions): TemplateResult {
  return html`${turnLedger(around)}${toldFacts(around, state, actions)}${everybody(around, state, actions, rings(around, state, actions))}`;
}

function rings(around: MiniatureSheet, state: State, actions: Actions): TemplateResult {
  const isSupposed = around.rings.some((ring) => ring.is_supposed);
  return html`<div class="rings" role="group" aria-label=${SAY.rings}>${around.rings.map((ring) => ringToggle(ring, state, actions))}
      <button class="ring tint" aria-pressed=${state.isTinted} @click=${() => actions.toggleTint()}>${icon("eye")}<span>${SAY.whomItSees}</span></button></div>
    ${isSupposed ? suppositionPanel(around, state, actions) : nothing}`;
}

/** What its turn still leaves it, and each sentence that bars the rest; nothing while nothing is barred. */
function turnLedger({ turn }: MiniatureSheet): TemplateResult | typeof nothing {
  return turn && turn.because.length > 1 ? html`<div class="opened turn">${turn.because.map(reason)}</div>` : nothing;
}

/** Who may hit it, whom it may hit, and everybody else by distance. */
export function everybody(around: MiniatureSheet, state: State, actions: Actions, rings: TemplateResult | typeof nothing = nothing): TemplateResult {
  if (around.refused !== null) {
    return html`<p class="opened close advice refusal">${icon("warn")}<span>${phrase(around.refused)}</span></p>${rings}
      ${list(around.others, state, actions)}`;
  }
  if (!around.is_whole) return html`<h3>${SAY.weighing}</h3>${rings}${list(around.others, state, actions)}`; // no row leaves its place under a finger
  const foes = around.others.filter((other) => other.lines.some(isOfTheirs));
  const prey = around.others.filter((other) => other.lines.some(isOfMine));
  const rest = around.others.filter((other) => !foes.includes(other) && !prey.includes(other));
  const part = (title: string, others: readonly OtherMiniature[], says: (line: Line) => boolean) =>
    others.length === 0 ? nothing : html`<h3>${title}</h3>${list(others, state, actions, says)}`;
  return html`<h3>${SAY.threatened(foes.length, around.cards_missing)}</h3>${list(foes, state, actions, isOfTheirs)}
    ${part(SAY.mayHit(prey.length), prey, (line) => !isOfTheirs(line))}${rings}
    ${part(foes.length + prey.length === 0 ? SAY.others : SAY.theRest, rest, () => true)}`;
}

function list(others: readonly OtherMiniature[], state: State, actions: Actions, says: (line: Line) => boolean = () => true): TemplateResult {
  const entries = repeat(others, (other) => other.id, (other, row) => entry(other, row, says, state, actions));
  return html`<ul class="others" aria-label=${SAY.others} @keydown=${goThrough} @focusin=${keepStop}>${entries}</ul>`;
}

/** Whether it is B that does something to A. */
export function isOfTheirs(line: Line): boolean {
  return line.is_of_b && (line.ruling?.answer ?? line.verdict?.answer) !== "no";
}

/** Whether it is A that does something to B. */
function isOfMine(line: Line): boolean {
  return !line.is_of_b && !line.slot.startsWith("sight") && (line.ruling?.answer ?? line.verdict?.answer) !== "no";
}

function ringToggle(ring: Ring, state: State, actions: Actions): TemplateResult {
  const name = ring.name ?? SAY.ringLong[ring.slot];
  const isHidden = isRingHidden(ring, state);
  return html`<button class="ring ${ring.slot}" aria-pressed=${!isHidden} @click=${() => actions.toggleRing(ring)}
      aria-label="${isHidden ? SAY.showRing(name) : SAY.hideRing(name)}, ${ring.length_in}″, ${SAY.ringWhy[ring.slot]}">
    <svg class="swatch" viewBox="0 0 26 8" aria-hidden="true"><path class="line" d="M1 4h24"/></svg>
    <span>${name} <b>${+ring.length_in.toFixed(2)}″</b></span>
  </button>`;
}

function suppositionPanel(around: MiniatureSheet, state: State, actions: Actions): TemplateResult {
  const isOpen = state.openSlot === "supposed";
  return html`<button class="supposes" aria-expanded=${isOpen} @click=${() => actions.toggleLine("supposed")}>
      <span>${SAY.speedName} <b>${around.speed_in}″</b> · ${SAY.reachName} <b>${around.reach_in}″</b> <small>${SAY.supposed}</small></span>${icon(isOpen ? "up" : "down")}
    </button>
    ${isOpen ? html`<div class="opened supposing"><p>${SAY.speedName}</p>
      ${choice(SAY.speedName, SPEEDS_IN, around.speed_in, (speed) => actions.setSpeed(around.who, speed))}
      <p>${SAY.reachName}</p>
      ${choice(SAY.reachName, REACHES_IN, around.reach_in, (reach) => actions.setReach(around.who, reach))}</div>` : nothing}`;
}

function entry(other: OtherMiniature, row: number, says: (line: Line) => boolean, state: State, actions: Actions): TemplateResult {
  const m = miniature(state, other.id);
  if (!m) return html``;
  return html`<li><button class="other ${other.lines.some((line) => says(line) && isOfTheirs(line)) ? "threat" : ""}" data-id=${other.id} tabindex=${stopOf(row)} @click=${() => actions.setOpponent(other.id)}>
    <span class="whom"><span>${sideChip(m, state)}${m.name}</span><small>${other.lines.filter(isAnswered).filter((line) => says(line) && isListed(line)).map((line) => deed(line, other.id, state))}${state.isTinted ? sight(other) : nothing}</small></span>
    ${lengthCell(other.distance_mm, other.sigma_mm)}
  </button></li>`;
}

/** Whether A sees it, in a word; the base is tinted on the table. */
function sight({ sight: verdict }: OtherMiniature): TemplateResult | typeof nothing {
  if (!verdict) return nothing;
  const says = verdict.answer === "yes" ? SAY.sees : verdict.answer === "no" ? SAY.seesNot : SAY.seesMaybe;
  return html`<i class="deed ${verdict.answer === "yes" ? "" : "soft"}">${icon(verdict.answer === "yes" ? "eye" : verdict.answer === "no" ? "no" : "close")}${says}</i>`;
}

function deedTitle(title: string, other: string, state: State): string {
  return withLetters(phrase(title), namesOf(state), { a: state.a, b: other });
}

/** A clear line of sight is drawn, and goes without saying. */
function isListed({ slot, verdict }: AnsweredLine): boolean {
  return !slot.startsWith("sight") || verdict.answer === "no";
}

function deed(line: AnsweredLine, other: string, state: State): TemplateResult {
  const { title, headline, verdict, slot } = line;
  if (verdict.answer === "no") return html`<i class="deed">${icon("no")}${deedTitle(title, other, state)}: ${SAY.behind(listNames(state, verdict.blockers))}</i>`;
  const says = verdict.answer === "too-close" ? ` (${missingHint(verdict, namesOf(state)) ?? SAY.tooClose})` : slot.startsWith("shooters") ? `: ${phrase(headline ?? "")}` : "";
  return html`<i class="deed">${icon("threat")}${deedTitle(title, other, state)}${says}</i>${toldMark(line)}`;
}
