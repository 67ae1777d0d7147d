/** Markup for the terrain of the table: what the pictures propose, what each piece is, and the name it is kept under. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { fieldOf } from "../shared/form-fields";
import type { PieceChoiceGiven, TerrainPiece, TerrainStatus } from "../shared/types.gen";
import type { Actions } from "./actions";
import type { State } from "./state";
import { guessesOf, guessOf, heightOf, keptOf, laidOf, layAgainOf, TERRAIN } from "./strings";

type Kind = TerrainStatus["kinds"][number];
const STEP_MM = 5;
const LIKELY = 2;

export function terrainPart(state: State, actions: Actions): TemplateResult {
  const { terrain } = state;
  if (!terrain) return html``;
  return html`<section class="terrain" aria-label=${TERRAIN.title}><h2>${TERRAIN.title}</h2>
    ${terrain.laid === null ? nothing : html`<p class="note good">${laidOf(terrain.laid)}</p>`}
    ${terrain.pieces === null ? beginning(state, terrain, actions) : html`${map(terrain, actions)}${list(state, terrain, actions)}`}
    ${terrain.pieces === null && terrain.laid === null ? nothing : html`<button class="plain" ?disabled=${state.busy !== null} @click=${() => void actions.terrain("POST", "/leave")}>${TERRAIN.without}</button>`}
  </section>`;
}

/** What was kept another day, and whether pictures are at hand. */
function beginning(state: State, { shelf, views, laid }: TerrainStatus, actions: Actions): TemplateResult {
  return html`<p class="hint">${views > 0 ? TERRAIN.hint : TERRAIN.noPictures}</p>
    <div class="row">
      ${views > 0 ? html`<button class="plain" ?disabled=${state.busy !== null} @click=${() => void actions.proposeTerrain()}>${TERRAIN.propose}</button>` : nothing}
      ${shelf.filter(({ name }) => name !== laid).map(
        ({ name, pieces }) => html`<button class="plain" ?disabled=${state.busy !== null} @click=${() => void actions.terrain("POST", "/take-up", { name })}>${layAgainOf(name, pieces)}</button>`,
      )}
    </div>`;
}

function list(state: State, { pieces, kinds, views }: TerrainStatus, actions: Actions): TemplateResult {
  const all = pieces ?? [];
  const count = all.filter(({ choice }) => choice?.kind).length;
  return html`${all.length === 0 ? html`<p class="hint">${TERRAIN.nothing}</p>` : html`<p class="hint">${TERRAIN.tap}</p>`}
    <ol class="pieces">${all.map((one, k) => entry(one, k, kinds, state, actions))}</ol>
    ${count === 0 ? nothing : html`<form class="row" @submit=${(event: SubmitEvent) => keep(event, actions)}>
      <label class="wide">${TERRAIN.name} <input name="name" required maxlength="60" pattern="[A-Za-z0-9][A-Za-z0-9 _\\-]*" .value=${state.terrain?.laid ?? TERRAIN.usualName} /></label>
      <button class="plain strong" ?disabled=${state.busy !== null}>${keptOf(count)}</button></form>`}
    ${views > 0 ? html`<button class="plain" ?disabled=${state.busy !== null} @click=${() => void actions.proposeTerrain()}>${TERRAIN.again}</button>` : nothing}`;
}

function entry(one: TerrainPiece, k: number, kinds: readonly Kind[], state: State, actions: Actions): TemplateResult {
  const { proposed, choice } = one;
  const likely = likelyKinds(one, kinds);
  const isBusy = state.busy !== null;
  const choose = (kind: Kind | null) => choosePiece(one, kind, heightNow(one), actions);
  return html`<li class=${choice === null ? "" : choice.kind ? "good" : "out"} data-id=${proposed.id}>
    <p><b class="number">${k + 1}</b> ${guessesOf(proposed.kinds.map(({ kind, probability }) => guessOf(kind.replaceAll("-", " "), probability)).join(", "))}<small>${heightOf(proposed)}</small></p>
    <div class="chips" role="radiogroup" aria-label=${`${TERRAIN.is} ${k + 1}`}>
      ${likely.map((kind) => html`<button role="radio" ?disabled=${isBusy} aria-checked=${choice?.kind === kind} @click=${() => choose(kind)}>${kind.replaceAll("-", " ")}</button>`)}
      <button role="radio" ?disabled=${isBusy} aria-checked=${choice !== null && choice.kind === null} @click=${() => choose(null)}>${TERRAIN.none}</button>
      <select aria-label=${`${TERRAIN.other} ${k + 1}`} ?disabled=${isBusy} @change=${(event: Event) => choose((event.currentTarget as HTMLSelectElement).value as Kind)}>
        <option value="" disabled ?selected=${!choice?.kind || likely.includes(choice.kind)}>${TERRAIN.other}</option>
        ${kinds.filter((kind) => !likely.includes(kind)).map((kind) => html`<option value=${kind} ?selected=${choice?.kind === kind}>${kind.replaceAll("-", " ")}</option>`)}
      </select>
    </div>
    ${choice?.kind ? stepper(one, k, isBusy, actions) : nothing}</li>`;
}

function stepper(one: TerrainPiece, k: number, isBusy: boolean, actions: Actions): TemplateResult {
  const mm = one.choice?.height_mm ?? null;
  const to = (height: number | null) => choosePiece(one, one.choice?.kind ?? null, height, actions);
  return html`<div class="row height"><span>${TERRAIN.height} <b>${mm === null ? TERRAIN.unknown : `${mm.toFixed(0)} mm`}</b></span>
    <button class="plain" ?disabled=${isBusy || mm === null || mm <= 0} aria-label=${`${TERRAIN.lower} ${k + 1}`} @click=${() => to(Math.max(0, stepped(mm, -1)))}>−</button>
    <button class="plain" ?disabled=${isBusy} aria-label=${`${TERRAIN.higher} ${k + 1}`} @click=${() => to(stepped(mm, 1))}>+</button></div>`;
}

/** The next whole step from there. */
function stepped(mm: number | null, way: number): number {
  const at = (mm ?? 0) / STEP_MM;
  return STEP_MM * (way > 0 ? Math.floor(at + 1) : Math.ceil(at - 1));
}

function heightNow({ proposed, choice }: TerrainPiece): number | null {
  return choice?.kind ? (choice.height_mm ?? null) : (proposed.height_mm ?? null);
}

function choosePiece({ proposed }: TerrainPiece, kind: Kind | null, height_mm: number | null, actions: Actions): void {
  const choice: PieceChoiceGiven = { kind, height_mm };
  void actions.terrain("PUT", `/pieces/${encodeURIComponent(proposed.id)}`, choice);
}

/** Those of the guesses that the edition knows; where it knows none, the first of its kinds. */
function likelyKinds({ proposed }: TerrainPiece, kinds: readonly Kind[]): readonly Kind[] {
  const known = proposed.kinds.map(({ kind }) => kind).filter((kind) => kinds.includes(kind));
  return (known.length ? known : kinds).slice(0, LIKELY);
}

function keep(event: SubmitEvent, actions: Actions): void {
  const name = fieldOf(event, "name");
  if (typeof name === "string") void actions.terrain("POST", "/keep", { name: name.trim() });
}

/** The table from above with an outline a piece; a tap takes the likeliest kind, the next one leaves it out. */
function map({ pieces, kinds, look, table_mm }: TerrainStatus, actions: Actions): TemplateResult {
  const [width, depth] = table_mm ?? [1219.2, 1219.2];
  return html`<svg class="map" viewBox="0 0 ${width} ${depth}" role="group" aria-label=${TERRAIN.map}>
    <rect class="mat" width=${width} height=${depth} />
    ${look === null ? nothing : svg`<image href="api/v1/setup/terrain/look/${look}.jpg" width=${width} height=${depth} preserveAspectRatio="none" />`}
    ${(pieces ?? []).map((one, k) => outline(one, k, depth, kinds, actions))}</svg>`;
}

function outline(one: TerrainPiece, k: number, depth: number, kinds: readonly Kind[], actions: Actions): SVGTemplateResult {
  const corners = one.proposed.polygon_mm.map(([x, y]) => [x, depth - y] as const);
  const middle = (axis: 0 | 1) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  const isIn = Boolean(one.choice?.kind);
  const tap = () => choosePiece(one, isIn ? null : (likelyKinds(one, kinds)[0] ?? null), heightNow(one), actions);
  return svg`<g class="piece ${one.choice === null ? "" : isIn ? "good" : "out"}" @click=${tap}>
    <polygon points=${corners.map((corner) => corner.join(",")).join(" ")} />
    <text x=${middle(0)} y=${middle(1)} font-size=${depth / 16}>${k + 1}</text></g>`;
}
