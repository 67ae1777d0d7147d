/** Markup of the page on which a tap measures the base that stands there: the camera's picture, and the sheet under it. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { stagePoints, toStage, type Frame, type Grip, type PictureStage, type Place } from "../shared/picture-stage";
import { text } from "../shared/language";
import type { DrawnCandidate, DrawnMiniature, SizedOutline } from "../shared/types.gen";
import type { Actions } from "./actions";
import { regimentGrips, regimentOutlines, regimentSheet } from "./regiment";
import { rollCall } from "./roll-call";
import { mapPlace, outlineOf, sizeKey, uncalled, type Measuring, type State } from "./state";
import { baseText, chance, exactness, heading, WORDS } from "./strings";

const LEAST_SHARE = 0.005; // less likely sizes are folded away
const HANDLE = 1.35; // of half the depth, from the middle
const STEPS = 32;
const LICENCES = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0"];

type Part = TemplateResult | typeof nothing;

export function page(state: State, actions: Actions, stage: PictureStage): TemplateResult {
  const { measuring, regiment } = state;
  const layer = { grips: regiment ? regimentGrips(regiment) : measuring ? gripsOf(measuring) : [], picked: state.picked, label: WORDS.picture, under: (frame: Frame) => outlines(state, frame, actions) };
  return html`<header class="bar"><div class="now"><h1>${WORDS.title}</h1>
        <p class="badge ${state.busy ? "wait" : "good"}" role="status"><span class="dot"></span><span>${state.busy ?? hint(state)}</span></p></div>
      <a class="mend" href=${backTo(null)}>${WORDS.back}</a></header>
    <main>${stage.view(layer, regiment ? actions.regiment.grips : actions.grips)}</main>
    <section class="panel measure" aria-label=${WORDS.title}>${state.problem ? html`<p class="note bad" role="alert"><b>${state.problem.title}.</b> ${state.problem.detail}</p>` : nothing}
      ${regiment ? regimentSheet({ ...state, regiment }, actions.regiment) : measuring ? sheet(state, measuring, actions) : whole(state, actions)}</section>`;
}

/** The player's page with the pair that was asked about, or with this base as A; the judge's for who came from there. */
function backTo(id: string | null): string {
  const pair = new URLSearchParams(location.hash.slice(1));
  if (new URLSearchParams(location.search).has("judge")) return "judge";
  if (id !== null) pair.set(pair.has("a") && !pair.has("b") ? "b" : "a", id);
  return `./#${pair.toString()}`;
}

function hint({ measuring, picture, regiment }: State): string {
  if (!picture) return WORDS.loading;
  if (regiment) return WORDS.unit;
  return measuring ? WORDS.adjust : WORDS.tap;
}

// The picture.

function outlines(state: State, frame: Frame, actions: Actions): SVGTemplateResult {
  const { table, picture, measuring } = state;
  const measured = measuring && outlineOf(measuring);
  const id = measuring?.answer?.miniature;
  const known = (m: DrawnMiniature) => svg`<polygon class="known ${m.id === id ? "meant" : ""}" data-id=${m.id} points=${stagePoints(frame, footprint(m, m.facing_deg ?? 0, picture))} />`;
  const doubtful = (one: DrawnCandidate) => svg`<polygon class="doubtful" points=${stagePoints(frame, footprint(one, one.turn_deg, picture))} />`;
  return svg`${table?.miniatures.map(known)}${table?.unconfirmed.map(doubtful)}${measuring && measured ? fitted(measuring, measured, frame, actions) : nothing}${state.gaps?.likely.map((each) => svg`<polygon class="likely" points=${stagePoints(frame, each.outline_px)} />`)}${state.regiment ? regimentOutlines(state.regiment, frame) : nothing}`;
}

function fitted({ shift, answer, handle }: Measuring, outline: SizedOutline, frame: Frame, actions: Actions): SVGTemplateResult {
  const points = stagePoints(frame, outline.outline_px.map(([x, y]): Place => [x + shift[0], y + shift[1]]));
  const still = (event: Event): void => event.stopPropagation();
  const stem = answer && outline.base.shape !== "round" ? svg`<path class="stem" d=${`M${toStage(frame, outline.at_px).join(" ")}L${toStage(frame, handle ?? handlePlace(answer.crop.mm_from_px, outline)).join(" ")}`} />` : nothing;
  return svg`${stem}<polygon class="casing" points=${points} /><polygon class="outline grip ${outline.is_measured ? "" : "by-hand"}" points=${points} data-size=${sizeKey(outline)}
    @mousedown=${still} @touchstart=${still} @pointerdown=${(event: PointerEvent) => actions.dragOutline(event)} />`;
}

/** Rim places that were tapped, then the handle that turns what is not round. */
function gripsOf({ tap, handle, answer, ...measuring }: Measuring): readonly Grip[] {
  const outline = outlineOf({ tap, handle, answer, ...measuring });
  const rim = (tap.rim_px ?? []).map((place, i): Grip => ({ place, label: WORDS.rimPlace(i + 1), kind: "rim" }));
  if (!outline || !answer || outline.base.shape === "round") return rim;
  return [...rim, { place: handle ?? handlePlace(answer.crop.mm_from_px, outline), label: WORDS.turn, kind: "turn" }];
}

/** Beyond the end of its depth. */
function handlePlace(mm_from_px: readonly (readonly number[])[], { at_mm, base, turn_deg }: SizedOutline): Place {
  const reach = base.shape === "round" ? 0 : (HANDLE * base.depth_mm) / 2;
  const turn = ((turn_deg ?? 0) * Math.PI) / 180;
  return mapPlace(inverse(mm_from_px), [at_mm[0] + reach * Math.cos(turn), at_mm[1] + reach * Math.sin(turn)]);
}

/** The foot of a base, where the picture shows the table's plane. */
function footprint({ base, at_mm }: Pick<DrawnMiniature, "base" | "at_mm">, turn_deg: number, picture: State["picture"]): readonly Place[] {
  if (!picture) return [];
  const turn = (turn_deg * Math.PI) / 180;
  const [deep, wide] = base.shape === "round" ? [base.diameter_mm / 2, base.diameter_mm / 2] : [base.depth_mm / 2, base.width_mm / 2];
  const around = Array.from({ length: STEPS }, (_, k): Place => [deep * Math.cos((2 * Math.PI * k) / STEPS), wide * Math.sin((2 * Math.PI * k) / STEPS)]);
  const corners: readonly Place[] = base.shape === "rect" ? [[deep, wide], [-deep, wide], [-deep, -wide], [deep, -wide]] : around;
  return corners.map(([x, y]) => mapPlace(picture.px_from_mm, [at_mm[0] + x * Math.cos(turn) - y * Math.sin(turn), at_mm[1] + x * Math.sin(turn) + y * Math.cos(turn)]));
}

/** Of a map of the plane, as its cofactors. */
function inverse([[a = 1, b = 0, c = 0] = [], [d = 0, e = 1, f = 0] = [], [g = 0, h = 0, i = 1] = []]: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return [[e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f], [d * h - e * g, b * g - a * h, a * e - b * d]];
}

// What lies under it.

function sheet(state: State, measuring: Measuring, actions: Actions): TemplateResult {
  const { answer } = measuring;
  const outline = outlineOf(measuring);
  if (!answer || !outline) return html`<p class="hint">${WORDS.measuring}</p>`;
  const miniature = state.table?.miniatures.find(({ id }) => id === answer.miniature) ?? null;
  const likely = answer.candidates.filter((candidate, i) => i === 0 || candidate.probability >= LEAST_SHARE || candidate === outline);
  const rest = answer.candidates.filter((candidate) => !likely.includes(candidate));
  return html`<h2>${state.called ? html`<small>${WORDS.callNumber(state.called.length, state.called.length + uncalled(state).length)}</small> ` : nothing}${heading(miniature, outline.base)}</h2>
    <div class="chips sizes" role="radiogroup" aria-label=${WORDS.size}>${likely.map((candidate) => sizeChip(candidate, outline, actions))}</div>
    ${rest.length === 0 ? nothing : html`<details><summary>${WORDS.others}</summary>
      <div class="chips sizes" role="radiogroup" aria-label=${WORDS.others}>${rest.map((candidate) => sizeChip(candidate, outline, actions))}</div></details>`}
    ${likelyNote(state, actions)}
    <p class="hint ${outline.is_measured ? "" : "by-hand"}">${exactness(outline)} ${WORDS.lead}</p>
    <div class="row last">
      ${state.called && uncalled(state).length > 0 ? html`<button class="plain" @click=${() => void actions.callRoll()}>${WORDS.next}</button>` : nothing}
      <button class="plain" ?disabled=${state.busy !== null} @click=${() => actions.undo()}>${measuring.before.length === 0 ? WORDS.putAway : text("undo")}</button>
      ${miniature || actions.doubtful() ? html`<button class="plain" ?disabled=${state.busy !== null} @click=${() => void actions.deny()}>${WORDS.deny}</button>` : nothing}
      <button class="plain strong" ?disabled=${state.busy !== null} @click=${() => void actions.confirm()}>${WORDS.confirm}</button>
    </div>`;
}

function sizeChip(candidate: SizedOutline, chosen: SizedOutline, actions: Actions): TemplateResult {
  return html`<button role="radio" aria-checked=${candidate === chosen} @click=${() => actions.choose(sizeKey(candidate))}>
    ${baseText(candidate.base)}<small>${chance(candidate.probability)}</small></button>`;
}

function whole(state: State, actions: Actions): Part {
  const { told, table, picture, roll } = state;
  if (!picture || !table) return nothing;
  return html`${told
      ? html`<div class="note good told" role="status"><p><b>${told.says}</b></p><div class="row">
          <button class="plain" @click=${() => void actions.takeBack(told.n)}>${text("undo")}</button>
          ${told.id === null ? nothing : html`<a class="plain strong" href=${backTo(told.id)}>${WORDS.ask}</a>`}</div></div>`
      : nothing}
    ${likelyNote(state, actions)}
    ${roll ? rollCall(state, roll, actions) : nothing}
    <p class="hint">${WORDS.hint}</p>
    <div class="row"><button class="plain" @click=${() => void actions.regiment.begin()}>${WORDS.unit}</button></div>
    ${gift(picture.name)}`;
}

/** What is likely by what was confirmed, to be confirmed at once; a tap on one of them looks at it alone. */
function likelyNote({ gaps, busy }: State, actions: Actions): Part {
  if (!gaps?.correction) return nothing;
  return html`<div class="note row" data-likely><span>${WORDS.likely}</span>
    <button class="plain" ?disabled=${busy !== null} @click=${() => void actions.confirmLikely(gaps)}>${WORDS.these(gaps.likely.length)}</button></div>`;
}

/** What a player gives to whoever trains on it: a file, once he agrees to what it says. */
function gift(picture: string): TemplateResult {
  return html`<details class="gift"><summary>${WORDS.give}</summary><form class="row numbers" action="api/v1/measure/gift.zip" method="get">
    <input type="hidden" name="picture" value=${picture} />
    <label>${WORDS.licence} <select name="licence">${LICENCES.map((name) => html`<option>${name}</option>`)}</select></label>
    <label>${WORDS.giver} <input name="giver" maxlength="80" autocomplete="name" /></label>
    <label><input type="checkbox" name="agree" value="true" required /> ${WORDS.consent}</label>
    <button class="plain">${WORDS.give}</button></form></details>`;
}
