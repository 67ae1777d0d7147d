/** An opened line: how sure, what was measured, which rules decided, and what would turn it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { advice, figures, inches, isAnswered, lengthOf, sureness, word, type Answered, type Names } from "../format";
import { calledOf, namesOf, type State } from "../state";
import type { Flip, Measured, Reason, Source } from "../types.gen";
import { chips, type Supposed } from "./chips";
import { facings } from "./facing";
import { doubtOf, looksNow } from "./fan";
import { gauge } from "./gauge";
import { icon } from "./icons";
import { SAY } from "./words";

const SAME_MM = 0.5;

export function details(line: Answered, supposed: Supposed, state: State, actions: Actions): TemplateResult {
  return html`<div class="details">
    ${chips(line, supposed, state, actions)} ${facings(line.verdict, state, actions)} ${explained(line, html`${otherwise(line, state)}${swing(line, state)}`, namesOf(state))}
  </div>`;
}

/** Why it is so. */
export function explained(line: Answered, more: unknown = nothing, names: Names = {}): TemplateResult {
  const { verdict } = line;
  const sure = sureness(verdict);
  const by = verdict.status === "measured" ? null : figures(verdict);
  const advised = advice(verdict, names);
  const rules = Object.entries(verdict.house_rules);
  return html`${advised ? html`<p class="advice">${icon("warn")}<span>${advised}</span></p>` : nothing}
    ${gauge(verdict)}
    ${by ? html`<p><b>${SAY.by}</b> ${by.large} (${by.small})</p>` : nothing}
    ${sure ? html`<p><b>${SAY.howSure}</b> ${sure}</p>` : nothing}
    ${verdict.at_edge ? html`<p><b>${SAY.onTheLine}</b> ${SAY.onTheLineWhy}</p>` : nothing}
    ${more}
    ${verdict.measured.length ? html`<dl>${verdict.measured.map(measured)}</dl>` : nothing}
    ${verdict.because.map(because)}
    ${rules.length ? html`<p><b>${SAY.houseRules}</b> ${rules.map(([key, reading]) => `${plain(key)}: ${plain(reading)}`).join("; ")}</p>` : nothing}
    ${verdict.flips_under.map((one) => flip(one, line))}`;
}

/** Both numbers, where this rule measures the distance otherwise than from base to base. */
function otherwise({ verdict }: Answered, { sheet }: State): TemplateResult | typeof nothing {
  const plainly = sheet?.lines.filter(isAnswered).find((line) => line.slot === "distance")?.verdict.measured[0];
  const here = verdict.measured.find((one) => one.name === "distance" || one.name === "gap");
  if (!plainly || !here || Math.abs(plainly.value_mm - here.value_mm) < SAME_MM) return nothing;
  return html`<p><b>${SAY.twoNumbers}</b> ${inches(here.value_mm)} · ${SAY.apart} ${inches(plainly.value_mm)}</p>`;
}

/** How unsure the facing is that an arc line hangs on; the band on the table shows it. */
function swing({ verdict }: Answered, state: State): TemplateResult | typeof nothing {
  const doubt = doubtOf(verdict, looksNow(state));
  return doubt ? html`<p>${SAY.facingWithin(calledOf(state, doubt.id), doubt.sigma_deg)}${SAY.fanWhy}</p>` : nothing;
}

function measured(one: Measured): TemplateResult {
  return html`<div><dt>${plain(one.name)}</dt><dd>${inches(one.value_mm)} <small>${lengthOf(one)}</small></dd></div>`;
}

function because({ source, says, effect }: Reason): TemplateResult {
  return html`<div class="because">${icon("book")}<p>${says}${effect ? html` <em>${effect}</em>` : nothing}
    <cite>${cited(source)}</cite></p></div>`;
}

function cited({ book, section, page }: Source): string {
  return [book, section, page === null ? "" : SAY.page(page)].filter(Boolean).join(" · ");
}

function flip({ house_rule, reading, answer }: Flip, line: Answered): TemplateResult {
  const turned = word({ ...line, verdict: { ...line.verdict, answer } });
  return html`<p class="flip"><b>${SAY.wouldBe(turned)}</b> ${SAY.ifRead(plain(house_rule), plain(reading))}</p>`;
}

function plain(key: string): string {
  return key.replaceAll("-", " ").replaceAll("_", " ");
}
