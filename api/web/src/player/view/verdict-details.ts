/** Verdict details: how sure, what was measured, which rules decided, and what would turn it. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { advice, answerWord, figures, inches, isAnswered, lengthOf, marginMm, sureness, type AnsweredLine, type Names } from "../../shared/format";
import { directionTo } from "../../shared/geometry";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";
import type { DrawnMiniature, Flip, MeasuredLength, Outcome, Reason, Source, SwitchFlip, Verdict } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { keptKey, mayKeep } from "../kept-verdicts";
import { labelOf, miniature, namesOf, type State } from "../state";
import { membersOf } from "../unit-manoeuvre";
import { doubtOf, supposedFacingSigmas } from "./arc-uncertainty";
import { chips } from "./pair-sheet";
import { icon } from "./icons";
import { disputeButton } from "./settlement";
import { toldFacts } from "./told-facts";

const SAME_MM = 0.5;
const WIDE = 320;
const HIGH = 46;
const HALF = 150;
const LINE_Y = 16;
const SIGMAS = 2;
const NUDGE_DEG = 30;

export function details(line: AnsweredLine, state: State, actions: Actions): TemplateResult {
  return html`<div class="details">
    ${disputeButton(line, state, actions)} ${chips(line, state, actions)} ${toldFacts(line, state, actions)} ${facingDial(line, state, actions)} ${explanation(line, html`${bothDistances(line, state)}${facingDoubt(line, state)}`, namesOf(state))} ${keepThis(line, state, actions)}
  </div>`;
}

/** Keep it with its evidence; where that is done, the record of it. */
function keepThis({ slot }: AnsweredLine, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!mayKeep(state)) return nothing;
  const n = state.kept[keptKey(state, slot)];
  if (n === undefined) return html`<p><button class="mend" @click=${() => void actions.keeping.keep(slot)}>${SAY.keepThis}</button></p>`;
  return html`<p class="kept">${SAY.keptVerdict} <a href="api/v1/kept/${n}/record.html" target="_blank" rel="noopener">${SAY.record}</a></p>`;
}

/** Why it is so. */
export function explanation(line: AnsweredLine, more: unknown = nothing, names: Names = {}): TemplateResult {
  const { verdict } = line;
  const sure = sureness(verdict);
  const by = verdict.status === "measured" ? null : figures(verdict);
  const advised = advice(verdict, names);
  const rules = Object.entries(verdict.house_rules);
  return html`${advised ? html`<p class="advice">${icon("warn")}<span>${advised}</span></p>` : nothing}
    ${gauge(verdict)}
    ${by ? html`<p><b>${SAY.by}</b> ${[by.large, marginMm(verdict) ?? by.small].filter(Boolean).join(" · ")}</p>` : nothing}
    ${sure ? html`<p><b>${SAY.howSure}</b> ${sure}</p>` : nothing}
    ${verdict.at_edge ? html`<p><b>${SAY.onTheLine}</b> ${SAY.onTheLineWhy}</p>` : nothing}
    ${more}
    ${verdict.measured.length ? html`<dl>${verdict.measured.map(measuredLength)}</dl>` : nothing}
    ${verdict.because.map(reason)}
    ${rules.length ? html`<p><b>${SAY.houseRules}</b> ${rules.map(([key, reading]) => `${plainWords(key)}: ${plainWords(reading)}`).join("; ")}</p>` : nothing}
    ${verdict.outcomes.map(outcome)} ${verdict.flips_if.map((one) => switchFlip(one, line))} ${verdict.flips_under.map((one) => flip(one, line))}`;
}

/** A condition so near that a measuring error may turn it, and what would be found then. */
function switchFlip(one: SwitchFlip, line: AnsweredLine): TemplateResult {
  const turned = one.answer === null ? SAY.another : answerWord({ ...line, verdict: { ...line.verdict, answer: one.answer } });
  const margin = lengthOf({ name: "margin", value_mm: one.margin_mm, sigma_mm: one.sigma_mm });
  return html`<p class="flip"><b>${SAY.wouldBe(turned)}</b> ${SAY.ifTurned(phrase(one.whether), margin, SAY.percent(one.probability))}</p>`;
}

/** One of several values that errors part, with its probability. */
function outcome({ probability, value }: Outcome): TemplateResult {
  const told = Object.entries(value).map(([key, one]) => `${plainWords(key)}: ${Array.isArray(one) ? one.join(", ") : String(one)}`);
  return html`<p class="outcome"><b>${SAY.percent(probability)}</b> ${told.join("; ")}</p>`;
}

/** Both numbers, where this rule measures the distance otherwise than from base to base. */
function bothDistances({ verdict }: AnsweredLine, { sheet }: State): TemplateResult | typeof nothing {
  const plainly = sheet?.lines.filter(isAnswered).find((line) => line.slot === "distance")?.verdict.measured[0];
  const here = verdict.measured.find((one) => one.name === "distance" || one.name === "gap");
  if (!plainly || !here || Math.abs(plainly.value_mm - here.value_mm) < SAME_MM) return nothing;
  return html`<p><b>${SAY.twoNumbers}</b> ${inches(here.value_mm)} · ${SAY.apart} ${inches(plainly.value_mm)}</p>`;
}

/** How unsure the facing is that an arc line hangs on; the band on the table shows it. */
function facingDoubt({ verdict }: AnsweredLine, state: State): TemplateResult | typeof nothing {
  const doubt = doubtOf(verdict, supposedFacingSigmas(state));
  return doubt ? html`<p>${SAY.facingWithin(labelOf(state, doubt.id), doubt.sigma_deg)}${SAY.fanWhy}</p>` : nothing;
}

function measuredLength(one: MeasuredLength): TemplateResult {
  return html`<div><dt>${plainWords(one.name)}</dt><dd>${inches(one.value_mm)} <small>${lengthOf(one)}</small></dd></div>`;
}

/** A rule, what came of it here, and where it stands. */
export function reason({ source, says, effect }: Reason): TemplateResult {
  return html`<div class="because">${icon("book")}<p>${phrase(says)}${effect ? html` <em>${phrase(effect)}</em>` : nothing}
    <cite>${citation(source)}</cite></p></div>`;
}

function citation({ book, section, page }: Source): string {
  return [book, section, page === null ? "" : SAY.page(page)].filter(Boolean).join(" · ");
}

function flip({ house_rule, reading, answer }: Flip, line: AnsweredLine): TemplateResult {
  const turned = answerWord({ ...line, verdict: { ...line.verdict, answer } });
  return html`<p class="flip"><b>${SAY.wouldBe(turned)}</b> ${SAY.ifRead(plainWords(house_rule), plainWords(reading))}</p>`;
}

function plainWords(key: string): string {
  return key.replaceAll("-", " ").replaceAll("_", " ");
}

/** Margin gauge: the limit in the middle, two sigma as a band about the margin. */
export function gauge(verdict: Verdict): TemplateResult | typeof nothing {
  const margin = verdict.margin_mm ?? verdict.margin_deg;
  const sigma = verdict.sigma_mm ?? verdict.sigma_deg ?? 0;
  if (margin === null || verdict.capped || verdict.answer === null) return nothing;
  const span = 1.15 * Math.max(Math.abs(margin) + SIGMAS * sigma, 2 * SIGMAS * sigma, 2);
  const at = (value: number) => WIDE / 2 + (HALF * value) / span;
  const band = Math.max(2 * SIGMAS * sigma * (HALF / span), 3);
  const words = figures(verdict);
  const aloud = SAY.gauge(words?.large ?? "", words ? `, ${marginMm(verdict) ?? words.small}` : "");
  return html`<svg class="gauge" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${aloud}>
    ${svg`<path class="axis" d="M${WIDE / 2 - HALF} ${LINE_Y}h${2 * HALF}"/>
      <rect class="band" x=${at(margin) - band / 2} y=${LINE_Y - 9} width=${band} height="18" rx="3"/>
      <path class="limit" d="M${WIDE / 2} ${LINE_Y - 13}v26"/>
      <path class="mark" d="M${at(margin)} ${LINE_Y - 9}v18"/>
      <text x=${WIDE / 2} y=${HIGH - 4}>${SAY.limit}</text>
      <text class="end" x=${WIDE / 2 - HALF} y=${HIGH - 4}>${SAY.missed}</text>
      <text class="start" x=${WIDE / 2 + HALF} y=${HIGH - 4}>${SAY.met}</text>`}
  </svg>`;
}

/** The choices for those of the pair whose facing this answer lacks, or whose facing was told. */
export function facingDial(line: AnsweredLine, state: State, actions: Actions): TemplateResult | typeof nothing {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  if (!a || !b) return nothing;
  const isOpen = (m: DrawnMiniature) => line.verdict.needs.includes(`facing_deg of ${m.id}`) || isTold(m);
  const isTold = (m: DrawnMiniature) => line.told.some((fact) => fact.kind === "facing" && membersOf(state, m.id).some((one) => fact.ids.includes(one.id)));
  return html`${isOpen(a) ? choice(a, b, actions) : nothing}${isOpen(b) ? choice(b, a, actions) : nothing}`;
}

function choice(who: DrawnMiniature, other: DrawnMiniature, actions: Actions): TemplateResult {
  const [name, otherName] = [who.name, other.name];
  const toward = directionTo(who.at_mm, other.at_mm);
  const turnBy = (by: number) => void actions.tellFacing(who.id, (who.facing_deg ?? toward) + by);
  return html`<div class="chips facings" role="group" aria-label=${SAY.whichFacing(name)}>
    <button @click=${() => void actions.tellFacing(who.id, toward)}>${SAY.faceToward(name, otherName)}</button>
    <button @click=${() => void actions.tellFacing(who.id, toward + 180)}>${SAY.faceAway(name)}</button>
    <button ?disabled=${who.facing_deg === null} @click=${() => turnBy(NUDGE_DEG)} aria-label=${SAY.turnLeft(name)}>↺</button>
    <button ?disabled=${who.facing_deg === null} @click=${() => turnBy(-NUDGE_DEG)} aria-label=${SAY.turnRight(name)}>↻</button>
  </div>`;
}
