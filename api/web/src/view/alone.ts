/** One miniature: its rings, everybody's distance, and who threatens whom. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { isAnswered, missing, type Answered } from "../format";
import { miniature, namesOf, type State } from "../state";
import type { Around, DrawnMiniature, Line, Other, Ring } from "../types.gen";
import { choice } from "./chips";
import { far } from "./far";
import { icon } from "./icons";
import { named, sizeOf } from "./news";
import { titled } from "./rows";
import { trouble } from "./sheet";
import { ways } from "./ways";
import { SAY } from "./words";

const REACHES_IN = [0.5, 1, 2];
const SPEEDS_IN = [4, 5, 6, 7, 8];

export function alone(state: State, a: DrawnMiniature, actions: Actions): TemplateResult {
  const { around } = state;
  const isReady = around?.who === a.id;
  return html`<section class="sheet alone" data-state=${isReady && around.is_whole ? "ready" : "asking"} aria-label=${SAY.around(a.name)}>
    <header class="pair">
      <h2 class="who a"><b aria-hidden="true">A</b><span>${a.name}<small>${sizeOf(a)}</small></span></h2>
      <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
    </header>
    <div class="lines">${ways(state, actions)}${isReady ? surroundings(around, state, actions) : state.askProblem ? nothing : waiting()}
      ${state.askProblem ? trouble(state.askProblem) : nothing}</div>
  </section>`;
}

function waiting(): TemplateResult {
  return html`<ul class="others" aria-hidden="true">${[1, 2, 3, 4].map(() => html`<li class="other waits"></li>`)}</ul>`;
}

/** Rings, then everybody else, nearest first. */
function surroundings(around: Around, state: State, actions: Actions): TemplateResult {
  const isSupposed = around.rings.some((ring) => ring.is_supposed);
  return html`<div class="rings" role="group" aria-label=${SAY.rings}>${around.rings.map((ring) => toggle(ring, state, actions))}</div>
    ${isSupposed ? supposed(around, state, actions) : nothing}${everybody(around, state, actions)}`;
}

/** Everybody else: who threatens it first, then by distance. */
export function everybody(around: Around, state: State, actions: Actions): TemplateResult {
  const threats = around.others.filter((other) => other.lines.some(isOfTheirs)).length;
  if (around.refused !== null) {
    return html`<p class="opened close advice refusal">${icon("warn")}<span>${around.refused}</span></p>
      ${list(around, state, actions)}`;
  }
  return html`<h3>${around.is_whole ? SAY.threatened(threats) : SAY.weighing}</h3>${list(around, state, actions)}`;
}

function list(around: Around, state: State, actions: Actions): TemplateResult {
  const entries = repeat(sorted(around), (other) => other.id, (other) => entry(other, state, actions));
  return html`<ul class="others" aria-label=${SAY.others}>${entries}</ul>`;
}

/**
 * Who threatens it stands first; the order is otherwise that of distance. Only once all threats are known: while they
 * come in one by one, no row leaves its place under a finger.
 */
function sorted({ others, is_whole }: Around): readonly Other[] {
  const threat = (other: Other) => (is_whole && other.lines.some(isOfTheirs) ? 0 : 1);
  return [...others].sort((one, other) => threat(one) - threat(other) || (one.distance_mm ?? Infinity) - (other.distance_mm ?? Infinity));
}

/** Whether it is B that does something to A. */
export function isOfTheirs(line: Line): boolean {
  return line.slot.endsWith("-ba") && line.verdict?.answer !== "no";
}

function toggle(ring: Ring, { hiddenRings }: State, actions: Actions): TemplateResult {
  const name = SAY.ring[ring.slot];
  const isHidden = hiddenRings.includes(ring.slot);
  return html`<button class="ring ${ring.slot}" aria-pressed=${!isHidden} @click=${() => actions.toggleRing(ring.slot)}
      aria-label="${isHidden ? SAY.showRing(name) : SAY.hideRing(name)}, ${ring.length_in}″, ${SAY.ringWhy[ring.slot]}">
    <svg class="swatch" viewBox="0 0 26 8" aria-hidden="true"><path class="line" d="M1 4h24"/></svg>
    <span>${name} <b>${+ring.length_in.toFixed(2)}″</b></span>
  </button>`;
}

function supposed(around: Around, state: State, actions: Actions): TemplateResult {
  const isOpen = state.open === "supposed";
  return html`<button class="supposes" aria-expanded=${isOpen} @click=${() => actions.open("supposed")}>
      ${SAY.speedName} <b>${around.speed_in}″</b> · ${SAY.reachName} <b>${around.reach_in}″</b>
      <small>${SAY.supposed}</small>${icon(isOpen ? "up" : "down")}
    </button>
    ${isOpen ? html`<div class="opened supposing"><p>${SAY.speedName}</p>
      ${choice(SAY.speedName, SPEEDS_IN, around.speed_in, (speed) => actions.speed(speed))}
      <p>${SAY.reachName}</p>
      ${choice(SAY.reachName, REACHES_IN, around.reach_in, (reach) => actions.reach(reach))}</div>` : nothing}`;
}

function entry(other: Other, state: State, actions: Actions): TemplateResult {
  const m = miniature(state, other.id);
  if (!m) return html``;
  return html`<li><button class="other ${other.lines.some(isOfTheirs) ? "threat" : ""}" data-id=${other.id} @click=${() => actions.against(other.id)}>
    <span class="whom">${m.name}<small>${other.lines.filter(isAnswered).filter(isTold).map((line) => deed(line, state))}</small></span>
    ${far(other.distance_mm, other.sigma_mm)}
  </button></li>`;
}

/** A clear line of sight is drawn, and goes without saying. */
function isTold({ slot, verdict }: Answered): boolean {
  return !slot.startsWith("sight") || verdict.answer === "no";
}

function deed({ title, headline, verdict, slot }: Answered, state: State): TemplateResult {
  if (verdict.answer === "no") return html`<i class="deed">${icon("no")}${titled(title)}: ${SAY.behind(named(state, verdict.blockers))}</i>`;
  const says = verdict.answer === "too-close" ? ` (${missing(verdict, namesOf(state)) ?? SAY.tooClose})` : slot.startsWith("shooters") ? `: ${headline}` : "";
  return html`<i class="deed">${icon("threat")}${titled(title)}${says}</i>`;
}
