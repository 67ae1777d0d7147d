/** Verdict details: how sure, what was measured, which rules decided, and what would turn it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { advice, figures, inches, isAnswered, lengthOf, marginMm, sureness, answerWord, type AnsweredLine, type Names } from "../../shared/format";
import { keptKey, mayKeep } from "../kept-verdicts";
import { labelOf, namesOf, type State } from "../state";
import type { Flip, MeasuredLength, Outcome, Reason, Source, SwitchFlip } from "../../shared/types.gen";
import { chips } from "./chips";
import { facingDial } from "./facing-dial";
import { doubtOf, supposedFacingSigmas } from "./arc-uncertainty";
import { toldFacts } from "./told-facts";
import { gauge } from "./margin-gauge";
import { icon } from "./icons";
import { waysOut } from "./settlement";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";

const SAME_MM = 0.5;

export function details(line: AnsweredLine, state: State, actions: Actions): TemplateResult {
  return html`<div class="details">
    ${waysOut(line, state, actions)} ${chips(line, state, actions)} ${toldFacts(line, state, actions)} ${facingDial(line, state, actions)} ${keepThis(line, state, actions)} ${explanation(line, html`${bothDistances(line, state)}${facingDoubt(line, state)}`, namesOf(state))}
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

function reason({ source, says, effect }: Reason): TemplateResult {
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
