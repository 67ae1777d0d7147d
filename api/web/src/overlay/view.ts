/** Layout of the overlay: a card in a corner, the table with its lines, the clocks. */

import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { titleParts } from "../player/view/answer-rows";
import { moodIcon } from "../player/view/icons";
import { sideChip } from "../player/view/picker";
import { everyone } from "../shared/entities";
import { figures, headlineOf, inches, mood, moodOf, ruledText, span, withSign, type AnsweredLine } from "../shared/format";
import { phrase, text } from "../shared/language";
import type { ClockView, OnAirItem, Source, Verdict } from "../shared/types.gen";
import { armies } from "./armies";
import { lowerThird } from "./lower-third";
import type { Airtime } from "./schedule";
import type { State } from "./state";
import { words } from "./strings";
import { answersOf, closeUp, measuredAt, wholeTable } from "./table-view";
import type { Params } from "./url-params";

const LOW_S = 300;

export function overlay(state: State, params: Params): TemplateResult {
  const { newest, current } = state;
  return html`${state.board?.forged ? html`<p class="forged" role="alert">${state.board.forged}</p>` : nothing}
    ${params.widgets.has("clocks") ? clocks(state, params) : nothing}
    ${params.widgets.has("lowerthird") ? lowerThird(state, params) : nothing}
    ${params.widgets.has("army") ? armies(state, params) : nothing}
    <main class="air ${current ? "on" : "off"}" aria-label=${words.overlay} data-on=${current?.item.id ?? ""}>
    ${newest === null ? nothing : keyed(`${newest.item.id} ${newest.since_s}`, html`
      ${params.widgets.has("table") || params.widgets.has("lines") ? wholeTable(newest.item, params) : nothing}
      ${params.widgets.has("ruling") || params.widgets.has("closeup") ? card(newest, state, params) : nothing}`)}
  </main>`;
}

/** Death clocks on the stream, as they stand in the delayed picture. */
export function clocks({ board, now_s }: State, params: Params): TemplateResult | typeof nothing {
  const both = board?.clocks;
  if (!board || !both) return nothing;
  const since_s = now_s - params.delay_s - board.now_s;
  const stop = both.stop && both.stop.why !== "set" ? words.stopped : "";
  return html`<aside class="clocks-bar" aria-label=${words.clocks}>
    ${both.players.map((one) => clock(one, since_s))}${stop ? html`<em>${stop}</em>` : nothing}
  </aside>`;
}

function clock(one: ClockView, since_s: number): TemplateResult {
  const left_s = one.left_s - (one.runs ? since_s : 0);
  return html`<span class="${one.runs ? "runs" : ""} ${left_s < LOW_S ? "low" : ""}"><small>${words.players[one.player]}</small>${span(left_s)}</span>`;
}

const SENTENCES = /(?<=\.)\s/;
/** Half of what the last digit shows. */
const LEAST_DOUBT_MM = 0.127;
const CLOSEUP_PX = { width: 480, height: 270 };
const begun = new WeakMap<Airtime, number>();

/** How long it had been on air when it was first drawn: what moves goes on from there, also after a refresh. */
function goneBy(airtime: Airtime, now_s: number): number {
  const gone_s = begun.get(airtime) ?? now_s - airtime.since_s;
  begun.set(airtime, gone_s);
  return gone_s;
}

export function card(airtime: Airtime, state: State, params: Params): TemplateResult {
  const { item, since_s, until_s } = airtime;
  const lines = answersOf(item);
  const left_s = until_s === null ? null : until_s - since_s;
  const gone_s = goneBy(airtime, performance.now() / 1000 + state.ahead_s - params.delay_s);
  return html`<section class="card ${params.corner}" style="--gone: ${-gone_s}s">
    ${params.widgets.has("closeup") ? html`<div class="look">${closeUp(item, CLOSEUP_PX, state.mayCut)}${params.widgets.has("ruling") ? nothing : measured(item)}</div>` : nothing}
    ${params.widgets.has("ruling")
      ? html`<div class="said">
          ${who(item, params)}
          ${lines.map((line, i) => answer(line, i === 0))}
          ${closeCall(lines)}
          ${rollCall(item)}
          ${item.ruling ? html`<p class="ruled"><b>${text("seat.judge")}</b> ${item.ruling}</p>` : nothing}
          ${citation(lines)}
          ${params.widgets.has("closeup") ? measured(item) : nothing}
        </div>`
      : nothing}
    ${left_s === null ? nothing : html`<i class="left" style="animation-duration: ${left_s}s; animation-delay: ${-gone_s}s"></i>`}
  </section>`;
}

/** Whether every base of the table was known when it was asked, as far as anybody said. */
function rollCall({ table }: OnAirItem): TemplateResult | typeof nothing {
  const says = table.is_complete ? words.complete : table.missing > 0 ? words.missing(table.missing) : "";
  return says ? html`<p class="roll ${table.is_complete ? "" : "short"}">${says}</p>` : nothing;
}

function measured(item: OnAirItem): TemplateResult | typeof nothing {
  const says = measuredAt(item);
  return says === null ? nothing : html`<p class="as-of">${says}</p>`;
}

function who(item: OnAirItem, params: Params): TemplateResult {
  const named = (id: string | null, letter: "A" | "B") => {
    const m = everyone(item.table).find((one) => one.id === id);
    return m && html`<span class="who ${letter.toLowerCase()}"><b>${letter}</b><span>${sideChip(m, item)}${m.name}</span></span>`;
  };
  return html`<header>${named(item.a, "A")}${named(item.b, "B")}
    ${params.table ? html`<span class="of">${params.table}</span>` : nothing}
  </header>`;
}

function answer(line: AnsweredLine, isFirst: boolean): TemplateResult {
  const says = moodOf(line);
  const word = line.ruling ? undefined : line.told[0];
  return html`<div class="row ${says} ${isFirst ? "first" : ""} ${word ? "one-word" : ""}">
    ${moodIcon(says)}
    <b>${headlineOf(line)}</b>
    <span class="asked">${titleParts(line.title)}</span>
    <span class="by">${ruledText(line) ?? line.note ?? marginText(line.verdict)}</span>
    ${word ? html`<span class="said-by">${words.factOf[word.kind]}: ${words.saidBy(words.player[word.by] ?? word.by)}</span>` : nothing}
  </div>`;
}

/** By how much and how surely, in inches: viewers know the game, not the camera. */
function marginText(verdict: Verdict): string {
  if (verdict.capped || verdict.margin_deg !== null) return figures(verdict)?.small || (figures(verdict)?.large ?? "");
  const measured = verdict.status === "measured" ? verdict.measured[0] : undefined;
  const sigma_mm = measured?.sigma_mm ?? verdict.sigma_mm ?? 0;
  const doubt = sigma_mm >= LEAST_DOUBT_MM ? `± ${inches(sigma_mm)}` : "";
  const margin_mm = measured ? null : verdict.margin_mm;
  const isNothing = margin_mm !== null && Math.abs(margin_mm) < LEAST_DOUBT_MM;
  const large = margin_mm === null ? "" : isNothing ? inches(0) : withSign(inches(margin_mm), margin_mm);
  return `${large} ${doubt}`.trim();
}

/** What the book tells players to do when nobody can tell; the first of it, since nobody reads on a stream. */
function closeCall(lines: readonly AnsweredLine[]): TemplateResult | typeof nothing {
  const advised = lines.find((line) => !line.ruling && mood(line.verdict) === "close")?.verdict.advice;
  return advised ? html`<p class="advised">${phrase(advised).split(SENTENCES)[0]}</p>` : nothing;
}

function citation(lines: readonly AnsweredLine[]): TemplateResult | typeof nothing {
  const source = lines.flatMap((line) => line.verdict.because)[0]?.source;
  return source ? html`<cite>${sourceText(source)}</cite>` : nothing;
}

function sourceText({ book, section, page }: Source): string {
  return [book, section, page === null ? "" : words.page(page)].filter(Boolean).join(" · ");
}
