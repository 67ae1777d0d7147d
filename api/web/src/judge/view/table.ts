/** The table, now or at an earlier moment: what holds between two, and what the judge makes of it. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { figures, headlineOf, isAnswered, missingHint, moodOf, ruledText, unlockHint, type AnsweredLine } from "../../shared/format";
import { frameOf, matrixOf, pictureMatrix, scaleOf, type Frame } from "../../shared/geometry";
import { asOf } from "../../player/view/as-of";
import { footprint, tag } from "../../player/view/base-marker";
import { explanation } from "../../player/view/verdict-details";
import { icon, moodIcon } from "../../player/view/icons";
import { baseNames } from "../../player/view/base-names";
import { ground } from "../../player/view/ground";
import { titleParts } from "../../player/view/answer-rows";
import { facingSigmasOf } from "../../player/view/arc-uncertainty";
import { candidateNames, candidatePrompt, candidates, unconfirmedText } from "../../player/view/unconfirmed-bases";
import { label, witnesses } from "../../player/view/witness";
import { sizeOf } from "../../player/event-text";
import type { Actions } from "../actions";
import { everyone, sideClass } from "../../shared/entities";
import { hasRight, nameOf, restShown, type State } from "../state";
import type { DrawnTable, Line } from "../../shared/types.gen";
import { words } from "../strings";
import { pairFacts } from "./facts";
import { choice, options } from "./segmented-control";
import { ruling, tapeMeasure, newestRuling } from "./ruling";
import { clockTime } from "../../shared/time-format";

const RANGES_IN = [5, 6, 8, 10, 12, 14];

export function table(state: State, actions: Actions): TemplateResult {
  return html`<h2 class="aloud">${words.tabs.table}</h2>
    ${state.at === null ? nothing : momentBar(state.at.at_s, actions)}
    <div class="desk">
      <div class="stage" @click=${(event: MouseEvent) => actions.tap(at(event))}>
        ${state.table ? stage(state, state.table, actions) : html`<p class="waiting">${state.problem?.detail ?? words.noTable}</p>`}
        ${candidatePrompt(state.table, state.candidate, hasRight(state, "rule") && state.at === null, actions.candidates)}
        ${unconfirmedText(state.table) ? html`<p class="unconfirmed">${unconfirmedText(state.table)}</p>` : nothing}
      </div>
      <div class="sheet">${whenMeasured(state, actions)}${state.a && state.b ? pair(state, actions) : picker(state, actions)}</div>
    </div>`;
}

/** Of which moment the table is that is looked at. */
function whenMeasured(state: State, actions: Actions): TemplateResult | typeof nothing {
  const says = asOf(restShown(state), actions.picture);
  return says === nothing && state.at === null ? html`<p class="when now"><i class="dot"></i>${words.now}</p>` : says;
}

function momentBar(at_s: number, actions: Actions): TemplateResult {
  return html`<p class="when then"><span>${words.earlier(clockTime(at_s))}</span>
    <button class="mend" @click=${() => actions.goToMoment(null)}>${words.backToNow}</button></p>`;
}

function at(event: MouseEvent): [number, number] {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function stage(state: State, drawn: DrawnTable, actions: Actions): TemplateResult {
  const frame = frameOf(drawn.size, state.stage, state.view, false);
  const lines = drawnLines(state);
  const blockers = new Set(lines.flatMap((line) => line.verdict.blockers));
  const role = (id: string) => (id === state.a ? "a" : id === state.b ? "b" : blockers.has(id) ? "blocker" : "");
  const hasPicture = actions.picture.isPainted;
  return html`${picture(frame, drawn, actions, hasPicture)}
    <svg class="layer" viewBox="0 0 ${state.stage.width_px} ${state.stage.height_px}" role="group" aria-label=${words.tabs.table}>
      <g transform=${matrixOf(frame)}>
        ${ground(drawn, hasPicture)}
        ${candidates(drawn, frame, actions.candidates)}
        ${repeat(drawn.miniatures, (m) => m.id, (m) => svg`<g class="base ${role(m.unit ?? m.id)} ${sideClass(m, drawn)} ${m.facing_deg === null ? "no-facing" : ""}" data-id=${m.id}>${footprint(m, scaleOf(frame))}</g>`)}
        ${[...lines].reverse().map((line) => witnesses(line.verdict, state.open !== null, facingSigmasOf(drawn)))}
      </g>
      ${candidateNames(drawn, frame)}
      ${baseNames(null, { ...drawn, miniatures: drawn.miniatures.filter((m) => role(m.id) === "") }, frame)}
      ${lines.map((line) => label(line, lines, frame))}
      ${everyone(drawn).filter((m) => role(m.id)).map((m) => tag(m, frame, m.id === state.a ? "A" : m.id === state.b ? "B" : m.name, role(m.id), otherOf(state, m.id)))}
    </svg>
    <button class="round" @click=${(event: Event) => { event.stopPropagation(); actions.showWholeTable(); }} aria-label=${words.whole}>${icon("whole")}</button>`;
}

/** The other of the two; null for who is neither, or where there is only one. */
function otherOf({ a, b, table }: State, id: string): DrawnTable["miniatures"][number] | null {
  const other = id === a ? b : id === b ? a : null;
  return everyone(table).find((m) => m.id === other) ?? null;
}

/** The lines whose witness is drawn: the opened one, else sight and distance, which come first. */
function drawnLines(state: State): readonly AnsweredLine[] {
  const lines = state.sheet?.lines ?? [];
  return (state.open === null ? lines.slice(0, 2) : lines.filter((line) => line.slot === state.open)).filter(isAnswered);
}

function picture(frame: Frame, { size }: DrawnTable, actions: Actions, hasPicture: boolean): TemplateResult {
  const { canvas } = actions.picture;
  const scale = scaleOf(frame);
  actions.picture.fit(scale * size.width_mm);
  canvas.style.width = `${size.width_mm}px`;
  canvas.style.height = `${size.depth_mm}px`;
  canvas.style.transform = pictureMatrix(frame, size);
  canvas.style.display = hasPicture ? "" : "none";
  return html`${canvas}`;
}

function picker(state: State, actions: Actions): TemplateResult {
  const first = state.a;
  return html`<header class="head"><h3>${first ? html`<b class="letter a">A</b> ${nameOf(state, first)}` : words.pick}</h3>
      <p>${first ? words.second : words.pickSays}</p></header>
    ${first && hasRight(state, "air") ? html`<button class="quiet" @click=${() => actions.putThreatOnAir(first)}>${words.threatOnAir}</button>` : nothing}
    <ul class="picks">${repeat(everyone(state.table), (m) => m.id, (m) => html`<li>
      <button class="entry" aria-pressed=${m.id === state.a || m.id === state.b} @click=${() => actions.pick(m.id)}><span>${m.name}</span><small>${m.side === null ? "" : `${m.side} · `}${sizeOf(m)}</small></button></li>`)}</ul>`;
}

function pair(state: State, actions: Actions): TemplateResult {
  const name = (id: string | null) => nameOf(state, id);
  return html`<div class="on-top"><header class="pair">
      <span class="who a"><b>A</b><span>${name(state.a)}</span></span>
      <button class="round" @click=${() => actions.swap()} aria-label=${words.swap}>${icon("swap")}</button>
      <span class="who b"><b>B</b><span>${name(state.b)}</span></span>
      <button class="round" @click=${() => actions.clear()} aria-label=${words.clear}>${icon("clear")}</button>
    </header>${newestRuling(state, actions)}</div>
    ${tapeMeasure(state, actions)}${pairFacts(state, actions)}
    ${state.problem ? html`<p class="trouble" role="alert">${icon("warn")}<span><b>${state.problem.title}</b> ${state.problem.detail}</span></p>` : nothing}
    ${state.sheet ? nothing : state.isAsking ? html`<p class="hint">${words.working}</p>` : nothing}
    <ul class="verdicts" aria-busy=${state.isAsking}>${repeat(state.sheet?.lines ?? [], (line) => line.slot, (line) => verdict(line, state, actions))}</ul>`;
}

function verdict(line: Line, state: State, actions: Actions): TemplateResult {
  if (!isAnswered(line)) return html`<li><p class="verdict ghost">${line.title}</p></li>`;
  const says = moodOf(line);
  const isOpen = state.open === line.slot;
  return html`<li class="${says} ${line.told.length > 0 && !line.ruling ? "one-word" : ""}" data-slot=${line.slot}>
    <button class="verdict" aria-expanded=${isOpen} @click=${() => actions.toggleLine(line.slot)}>
      ${moodIcon(says)}<b>${headlineOf(line)}</b><span class="asked-of">${titleParts(line.title)}${line.turns_on === "range" ? ` ${state.range_in}″` : nothing}</span><small>${foot(line)}</small>
    </button>
    ${isOpen ? html`<div class="opened">
      ${line.turns_on === "range" ? rangeChoice(state, actions) : nothing}
      ${ruling(line, state, actions)}
      <div class="details">${explanation(line)}</div></div>` : nothing}
  </li>`;
}

/** The usual ranges with one tap, and any other. */
function rangeChoice({ range_in }: State, actions: Actions): TemplateResult {
  const set = (event: Event) => {
    const input = event.target as HTMLInputElement;
    if (input.value !== "" && input.reportValidity()) actions.setRange(input.valueAsNumber);
  };
  return html`${choice(words.range, options(RANGES_IN), range_in, (value) => actions.setRange(value))}
    <input class="length" type="number" inputmode="decimal" min="0" max="100" step="any" aria-label=${words.range} .value=${String(range_in)} @change=${set} />`;
}

function foot(line: AnsweredLine): string {
  const { note, verdict: answer } = line;
  const word = line.told[0];
  if (word && !line.ruling) return `${words.factOf[word.kind]}: ${words.saidBy(words.seats[word.by] ?? word.by)}`;
  return ruledText(line) ?? note ?? figures(answer)?.small ?? missingHint(answer) ?? unlockHint(answer) ?? "";
}

