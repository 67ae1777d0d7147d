/** An opened line: how sure, what was measured, which rules decided, and what would turn it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { advice, figures, inches, lengthOf, sureness, word, type Answered } from "../format";
import type { State } from "../state";
import type { Flip, Measured, Reason, Source } from "../types.gen";
import { chips } from "./chips";
import { facings } from "./facing";
import { icon } from "./icons";

export function details(line: Answered, state: State, actions: Actions): TemplateResult {
  return html`<div class="details">
    ${chips(line, state, actions)} ${facings(line.verdict, state, actions)} ${explained(line)}
  </div>`;
}

/** Why it is so. */
export function explained(line: Answered): TemplateResult {
  const { verdict } = line;
  const sure = sureness(verdict);
  const by = verdict.status === "measured" ? null : figures(verdict);
  const advised = advice(verdict);
  const rules = Object.entries(verdict.house_rules);
  return html`${advised ? html`<p class="advice">${icon("warn")}<span>${advised}</span></p>` : nothing}
    ${by ? html`<p><b>By</b> ${by.large} (${by.small})</p>` : nothing}
    ${sure ? html`<p><b>How sure</b> ${sure}</p>` : nothing}
    ${verdict.at_edge ? html`<p><b>On the line</b> exactly at the limit; the book decides.</p>` : nothing}
    ${verdict.measured.length ? html`<dl>${verdict.measured.map(measured)}</dl>` : nothing}
    ${verdict.because.map(because)}
    ${rules.length ? html`<p><b>House rules</b> ${rules.map(([key, reading]) => `${plain(key)}: ${plain(reading)}`).join("; ")}</p>` : nothing}
    ${verdict.flips_under.map((one) => flip(one, line))}`;
}

function measured(one: Measured): TemplateResult {
  return html`<dt>${plain(one.name)}</dt><dd>${inches(one.value_mm)} <small>${lengthOf(one)}</small></dd>`;
}

function because({ source, says, effect }: Reason): TemplateResult {
  return html`<div class="because">${icon("book")}<p>${says}${effect ? html` <em>${effect}</em>` : nothing}
    <cite>${cited(source)}</cite></p></div>`;
}

function cited({ book, section, page }: Source): string {
  return [book, section, page === null ? "" : `p. ${page}`].filter(Boolean).join(" · ");
}

function flip({ house_rule, reading, answer }: Flip, line: Answered): TemplateResult {
  const turned = word({ ...line, verdict: { ...line.verdict, answer } });
  return html`<p class="flip"><b>Would be “${turned}”</b> if ${plain(house_rule)} is read as ${plain(reading)}.</p>`;
}

function plain(key: string): string {
  return key.replaceAll("-", " ").replaceAll("_", " ");
}
