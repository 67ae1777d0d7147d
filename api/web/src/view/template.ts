/** A template: its shape, where it lies, what was rolled, and who is under it. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { aimedAt, triedOn } from "../blast";
import { mood } from "../format";
import { miniature, type Aim, type Blast, type State } from "../state";
import type { Member, Verdict } from "../types.gen";
import { chip } from "./chips";
import { cell, farMargin } from "./far";
import { icon } from "./icons";
import { entries } from "./picker";
import { trouble } from "./sheet";
import { SAY } from "./words";

const ROUND_IN = [3, 4, 5];
const SPRAYS_IN = [6, 8, 10];
const FACES = [1, 2, 3, 4, 5, 6];
const NEAR_MISSES = 3;
const BEST = 8;

export function template(state: State, actions: Actions): TemplateResult {
  const { blast } = state;
  return html`<section class="sheet template" aria-label=${SAY.template}>
    <header class="pair"><h2>${heading(state)}</h2>
      ${aimedAt(state) || blast.from
        ? html`<button class="round" @click=${() => actions.template.takeUp()} aria-label=${SAY.takeUp}>${icon("clear")}</button>`
        : nothing}</header>
    <div class="lines">
      <div class="chips shapes" role="radiogroup" aria-label=${SAY.shape}>
        <span>${SAY.rounds}</span>${ROUND_IN.map((size_in) => shape("round", size_in, SAY.round(size_in), blast, actions))}
        <span>${SAY.sprays}</span>${SPRAYS_IN.map((size_in) => shape("spray", size_in, SAY.spray(size_in), blast, actions))}
      </div>
      ${blast.shape === "spray" ? widths(state, actions) : nothing}
      ${shooter(state, actions)}
      ${blast.isMissed ? dice(blast, actions) : nothing}
      ${state.askProblem ? trouble(state.askProblem) : nothing}
      ${state.blastVerdict ? found(state.blastVerdict, state) : whom(state, actions)}
    </div>
  </section>`;
}

/** Everybody to lay it on; when asked, those it would be over most people on first. */
function whom(state: State, actions: Actions): TemplateResult {
  if (state.aims) {
    const aims = repeat(state.aims.slice(0, BEST), (aim) => aim.id, (aim) => best(aim, state, actions));
    return html`<ul class="others">${aims}</ul>`;
  }
  const find = () => void actions.template.findBest();
  const canFind = triedOn(state).length > 0;
  return html`${canFind ? html`<div class="toolbar words"><button class="mend" @click=${find}>${SAY.findBest}</button></div>` : nothing}
    ${entries(state.table?.miniatures ?? [], state, actions)}`;
}

function best(aim: Aim, state: State, actions: Actions): TemplateResult {
  return html`<li><button class="other" data-id=${aim.id} @click=${() => actions.template.on(aim.id)}>
    <span class="whom">${SAY.layOn(miniature(state, aim.id)?.name ?? aim.id)}</span>
    <span class="far"><b>${SAY.hits(aim.hits)}</b>${aim.ofMine ? html`<small>${SAY.ofMine(aim.ofMine)}</small>` : nothing}</span></button></li>`;
}

function heading(state: State): string {
  const { blast, blastVerdict } = state;
  if (blast.isPickingFrom) return SAY.tapWhoShot;
  if (blast.shape === "spray" && blast.from === null) return SAY.whoSprays;
  if (!aimedAt(state)) return blast.shape === "spray" ? SAY.aimIt : SAY.placeIt;
  if (blastVerdict && chancesOf(blastVerdict).length > 0) return SAY.rollForIt;
  return blastVerdict ? SAY.under(blastVerdict.members.filter((one) => one.answer === "yes").length) : SAY.template;
}

function shape(shape: Blast["shape"], size_in: number, text: string, blast: Blast, actions: Actions): TemplateResult {
  const isChosen = blast.shape === shape && blast.size_in === size_in;
  const choose = () => actions.template.change({ shape, size_in, isMissed: shape === "round" && blast.isMissed });
  return chip(text, isChosen, choose, SAY.sizeOf(shape === "round" ? SAY.rounds : SAY.sprays, size_in));
}

function shooter({ blast, ...state }: State, actions: Actions): TemplateResult | typeof nothing {
  const from = state.table?.miniatures.find((m) => m.id === blast.from);
  const isRound = blast.shape === "round";
  if (isRound && !blast.at && !blast.on) return nothing;
  const pickFrom = () => actions.template.change({ isPickingFrom: !blast.isPickingFrom });
  const miss = () => actions.template.change({ isMissed: !blast.isMissed, isPickingFrom: !blast.isMissed && !from });
  return html`<div class="toolbar words">
    <button class="mend" aria-pressed=${blast.isPickingFrom} @click=${pickFrom}>${from ? SAY.from(from.name) : SAY.fromWhom}</button>
    ${isRound ? html`<button class="mend" aria-pressed=${blast.isMissed} @click=${miss}>${SAY.missedIt}</button>` : nothing}
  </div>`;
}

function dice(blast: Blast, actions: Actions): TemplateResult {
  const roll = (of: "direction" | "distance", face: number) => () => actions.template.change({ [of]: blast[of] === face ? null : face });
  const faces = (name: string, of: "direction" | "distance") => html`<p>${name}</p>
    <div class="chips dice" role="radiogroup" aria-label=${name}>
      ${FACES.map((face) => chip(String(face), blast[of] === face, roll(of, face)))}</div>`;
  return html`<div class="opened supposing">${faces(SAY.direction, "direction")}${faces(SAY.distance, "distance")}</div>`;
}

function widths({ settings }: State, actions: Actions): TemplateResult {
  const field = (name: string, key: "near_mm" | "far_mm") => html`<label>${name}
    <input type="number" inputmode="decimal" min="1" max="200" step="0.5" .value=${String(settings[key] ?? "")}
      @change=${(event: Event) => actions.set({ [key]: (event.target as HTMLInputElement).valueAsNumber || null })} /></label>`;
  return html`<fieldset class="widths"><legend>${SAY.widths}</legend>
    ${field(SAY.nearWidth, "near_mm")}${field(SAY.farWidth, "far_mm")}<p>${SAY.widthsWhy}</p></fieldset>`;
}

/** Who is under it, surest first, and who is only just not; before the dice, how likely each is hit. */
function found(verdict: Verdict, state: State): TemplateResult {
  const chances = chancesOf(verdict);
  if (chances.length > 0) return html`<ul class="others">${repeat(chances, ([id]) => id, ([id, chance]) => likely(id, chance, state))}</ul>`;
  const hit = verdict.members.filter((one) => one.answer !== "no").sort((one, other) => (other.margin_mm ?? 0) - (one.margin_mm ?? 0));
  const missed = verdict.members.filter((one) => one.answer === "no").sort((one, other) => (other.margin_mm ?? 0) - (one.margin_mm ?? 0));
  const isLaid = verdict.answer !== null && verdict.kind === "spray-hits" ? lies(verdict) : nothing;
  const shown = [...hit, ...missed.slice(0, NEAR_MISSES)];
  return html`${isLaid}<ul class="others">${repeat(shown, (one) => one.id, (one) => member(one, verdict, state))}</ul>`;
}

function lies(verdict: Verdict): TemplateResult {
  const says = mood(verdict);
  return html`<p class="row ${says}"><span class="mood">${icon(says)}</span>
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

function likely(id: string, { exact, p }: Chance, state: State): TemplateResult {
  return html`<li class="other ${p === 1 ? "hit" : ""}" data-id=${id}><span class="whom">${miniature(state, id)?.name ?? id}</span>
    ${cell(SAY.chance((100 * p).toFixed(0)), exact)}</li>`;
}

function member(one: Member, verdict: Verdict, state: State): TemplateResult {
  const by_id = (verdict.value.by_id ?? {}) as Record<string, { hit?: string }>;
  const says = one.answer === "too-close" ? "close" : one.answer === "yes" ? "hit" : "clear";
  const p = one.probability ?? 0;
  const chance = p > 0.0005 && p < 0.9995 ? SAY.chance((100 * p).toFixed(0)) : "";
  return html`<li class="other ${says}" data-id=${one.id}>
    <span class="whom">${miniature(state, one.id)?.name ?? one.id}<small>${word(one, by_id[one.id]?.hit)} ${chance}</small></span>
    ${farMargin(one.margin_mm, one.sigma_mm)}
  </li>`;
}

function word(one: Member, how: string | undefined): string {
  if (one.answer === "too-close") return SAY.maybe;
  if (one.answer === "no") return SAY.outside;
  return how === "direct" ? SAY.direct : SAY.blast;
}
