/** Template panel: its shape, where it lies, what was rolled, and who is under it. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { aimPoint, offTable, targetQueries } from "../template-query";
import { mood } from "../../shared/format";
import { miniature, type Aim, type TemplatePlan, type State } from "../state";
import type { Member, Verdict } from "../../shared/types.gen";
import { chip, problemBox } from "./pair-sheet";
import { cell, marginCell } from "./length-cell";
import { icon } from "./icons";
import { entries } from "./picker";
import { SAY } from "../../shared/strings";

const ROUND_IN = [3, 4, 5];
const SPRAYS_IN = [6, 8, 10];
const FACES = [1, 2, 3, 4, 5, 6];
const NEAR_MISSES = 3;
const BEST = 8;

export function templatePanel(state: State, actions: Actions): TemplateResult {
  const { template } = state;
  return html`<section class="sheet template" aria-label=${SAY.tool.blast}>
    <header class="pair"><h2>${heading(state)}</h2>
      ${aimPoint(state) || template.from
        ? html`<button class="round" @click=${() => actions.template.removeTemplate()} aria-label=${SAY.takeUp}>${icon("clear")}</button>`
        : nothing}</header>
    <div class="lines">
      <div class="chips shapes" role="radiogroup" aria-label=${SAY.shape}>
        <span>${SAY.rounds}</span>${ROUND_IN.map((size_in) => shape("round", size_in, SAY.round(size_in), template, actions))}
        <span>${SAY.sprays}</span>${SPRAYS_IN.map((size_in) => shape("spray", size_in, SAY.spray(size_in), template, actions))}
      </div>
      ${template.shape === "spray" ? widths(state, actions) : nothing}
      ${shooter(state, actions)}
      ${template.isMissed ? dice(template, actions) : nothing}
      ${state.askProblem ? problemBox(state.askProblem) : nothing}
      ${offTable(state) === null ? nothing : html`<p class="opened close advice refusal">${icon("warn")}<span>${offTable(state) === "wholly" ? SAY.templateOff : SAY.templatePartlyOff}</span></p>`}
      ${state.templateVerdict ? templateResults(state.templateVerdict, state) : targetList(state, actions)}
    </div>
  </section>`;
}

/** Everybody to lay it on; when asked, those it would be over most people on first. */
function targetList(state: State, actions: Actions): TemplateResult {
  if (state.aims) {
    const aims = repeat(state.aims.slice(0, BEST), (aim) => aim.id, (aim) => best(aim, state, actions));
    return html`<ul class="others">${aims}</ul>`;
  }
  const find = () => void actions.template.findBestTargets();
  const canFind = targetQueries(state).length > 0;
  return html`${canFind ? html`<div class="toolbar words"><button class="mend" @click=${find}>${SAY.findBest}</button></div>` : nothing}
    ${entries(state.table?.miniatures ?? [], state, actions)}`;
}

function best(aim: Aim, state: State, actions: Actions): TemplateResult {
  return html`<li><button class="other" data-id=${aim.id} @click=${() => actions.template.layOn(aim.id)}>
    <span class="whom">${SAY.layOn(miniature(state, aim.id)?.name ?? aim.id)}</span>
    <span class="far"><b>${SAY.hits(aim.hits)}</b>${aim.ofMine ? html`<small>${SAY.ofMine(aim.ofMine)}</small>` : nothing}</span></button></li>`;
}

function heading(state: State): string {
  const { template, templateVerdict } = state;
  if (template.isPickingFrom) return SAY.tapWhoShot;
  if (template.shape === "spray" && template.from === null) return SAY.whoSprays;
  if (!aimPoint(state)) return template.shape === "spray" ? SAY.aimIt : SAY.placeIt;
  if (templateVerdict && chancesOf(templateVerdict).length > 0) return SAY.rollForIt;
  return templateVerdict ? SAY.under(templateVerdict.members.filter((one) => one.answer === "yes").length) : SAY.tool.blast;
}

function shape(shape: TemplatePlan["shape"], size_in: number, text: string, template: TemplatePlan, actions: Actions): TemplateResult {
  const isChosen = template.shape === shape && template.size_in === size_in;
  const choose = () => actions.template.changeTemplate({ shape, size_in, isMissed: shape === "round" && template.isMissed });
  return chip(text, isChosen, choose, SAY.sizeOf(shape === "round" ? SAY.rounds : SAY.sprays, size_in));
}

function shooter({ template, ...state }: State, actions: Actions): TemplateResult | typeof nothing {
  const from = state.table?.miniatures.find((m) => m.id === template.from);
  const isRound = template.shape === "round";
  if (isRound && !template.at && !template.on) return nothing;
  const pickFrom = () => actions.template.changeTemplate({ isPickingFrom: !template.isPickingFrom });
  const miss = () => actions.template.changeTemplate({ isMissed: !template.isMissed, isPickingFrom: !template.isMissed && !from });
  return html`<div class="toolbar words">
    <button class="mend" aria-pressed=${template.isPickingFrom} @click=${pickFrom}>${from ? SAY.from(from.name) : SAY.fromWhom}</button>
    ${isRound ? html`<button class="mend" aria-pressed=${template.isMissed} @click=${miss}>${SAY.missedIt}</button>` : nothing}
  </div>`;
}

function dice(template: TemplatePlan, actions: Actions): TemplateResult {
  const roll = (of: "direction" | "distance", face: number) => () => actions.template.changeTemplate({ [of]: template[of] === face ? null : face });
  const faces = (name: string, of: "direction" | "distance") => html`<p>${name}</p>
    <div class="chips dice" role="radiogroup" aria-label=${name}>
      ${FACES.map((face) => chip(String(face), template[of] === face, roll(of, face)))}</div>`;
  return html`<div class="opened supposing">${faces(SAY.direction, "direction")}${faces(SAY.distance, "distance")}</div>`;
}

function widths({ settings }: State, actions: Actions): TemplateResult {
  const field = (name: string, key: "near_mm" | "far_mm") => html`<label>${name}
    <input type="number" inputmode="decimal" min="1" max="200" step="0.5" .value=${String(settings[key] ?? "")}
      @change=${(event: Event) => actions.changeSettings({ [key]: (event.target as HTMLInputElement).valueAsNumber || null })} /></label>`;
  return html`<fieldset class="widths"><legend>${SAY.widths}</legend>
    ${field(SAY.nearWidth, "near_mm")}${field(SAY.farWidth, "far_mm")}<p>${SAY.widthsWhy}</p></fieldset>`;
}

/** Who is under it, surest first, and who is only just not; before the dice, how likely each is hit. */
function templateResults(verdict: Verdict, state: State): TemplateResult {
  const chances = chancesOf(verdict);
  if (chances.length > 0) return html`<ul class="others">${repeat(chances, ([id]) => id, ([id, chance]) => chanceRow(id, chance, state))}</ul>`;
  const hit = verdict.members.filter((one) => one.answer !== "no").sort((one, other) => (other.margin_mm ?? 0) - (one.margin_mm ?? 0));
  const missed = verdict.members.filter((one) => one.answer === "no").sort((one, other) => (other.margin_mm ?? 0) - (one.margin_mm ?? 0));
  const isLaid = verdict.answer !== null && verdict.kind === "spray-hits" ? layVerdict(verdict) : nothing;
  const listed = [...hit, ...missed.slice(0, NEAR_MISSES)];
  return html`${isLaid}<ul class="others">${repeat(listed, (one) => one.id, (one) => memberRow(one, verdict, state))}</ul>`;
}

function layVerdict(verdict: Verdict): TemplateResult {
  const says = mood(verdict);
  return html`<p class="row ${says === "no" ? "no forbidden" : says}"><span class="mood">${icon(says)}</span>
    <span class="asked">${verdict.answer === "no" ? SAY.laidNot : SAY.laid}</span>
    <span class="answer"><span class="foot">${verdict.because.find((one) => one.effect)?.effect ?? ""}</span></span></p>`;
}

interface Chance {
  readonly exact: string;
  readonly p: number;
}

/** The chance of each to be hit, the likeliest first; none where the dice are known. */
function chancesOf({ value }: Verdict): readonly [string, Chance][] {
  const by_id = Object.entries((value.by_id ?? {}) as Record<string, { chance?: Chance }>);
  const known = by_id.flatMap(([id, { chance }]): [string, Chance][] => (chance ? [[id, chance]] : []));
  return known.sort(([, one], [, other]) => other.p - one.p);
}

function chanceRow(id: string, { exact, p }: Chance, state: State): TemplateResult {
  return html`<li class="other ${p === 1 ? "hit" : ""}" data-id=${id}><span class="whom">${miniature(state, id)?.name ?? id}</span>
    ${cell(SAY.chance((100 * p).toFixed(0)), exact)}</li>`;
}

function memberRow(one: Member, verdict: Verdict, state: State): TemplateResult {
  const by_id = (verdict.value.by_id ?? {}) as Record<string, { hit?: string }>;
  const says = one.answer === "too-close" ? "close" : one.answer === "yes" ? "hit" : "clear";
  const p = one.probability ?? 0;
  const chance = p > 0.0005 && p < 0.9995 ? SAY.chance((100 * p).toFixed(0)) : "";
  return html`<li class="other ${says}" data-id=${one.id}>
    <span class="whom">${miniature(state, one.id)?.name ?? one.id}<small>${hitText(one, by_id[one.id]?.hit)} ${chance}</small></span>
    ${marginCell(one.margin_mm, one.sigma_mm)}
  </li>`;
}

function hitText(one: Member, how: string | undefined): string {
  if (one.answer === "too-close") return SAY.tooClose;
  if (one.answer === "no") return SAY.outside;
  return how === "direct" ? SAY.direct : SAY.blast;
}
