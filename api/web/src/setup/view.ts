/** Markup of the set-up page: four steps, one on the screen, what is wanted next above. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { fieldOf } from "../shared/form-fields";
import type { PictureStage } from "../shared/picture-stage";
import type { PictureNote, SetupStatus } from "../shared/types.gen";
import type { Actions } from "./actions";
import { hasSource, isDone, LAST, type State } from "./state";
import { photographStep } from "./photograph-view";
import { sheetsChoice, sheetsStep } from "./sheets-view";
import { terrainPart } from "./terrain-view";
import { EDITIONS, EYES, pictureCount, SIZES, steps, WORDS } from "./strings";

type Part = TemplateResult | typeof nothing;

export function page(state: State, actions: Actions, stage: PictureStage): TemplateResult {
  const { status } = state;
  return html`<header class="bar"><div class="now"><h1>${WORDS.title}${status ? html`: ${status.name}` : nothing}</h1>
      <p class="badge ${state.busy ? "wait" : "good"}" role="status"><span class="dot"></span><span>${state.busy ?? status?.wants ?? ""}</span></p></div></header>
    <main class="steps part" aria-busy=${state.busy !== null}>
      ${status ? html`${stepper(state, status, actions)}${isMarking(state, status) ? nothing : problems(state)}${body(state, status, actions, stage)}${isMarking(state, status) ? problems(state) : nothing}` : problems(state)}
    </main>
    ${status ? foot(state, status, actions) : html`<div></div>`}`;
}

/** While a photograph is marked nothing comes above it: a picture that shifts would move under the finger. */
function isMarking({ step, photograph }: State, status: SetupStatus): boolean {
  return step === LAST - 1 && status.eye === "photograph" && photograph !== null;
}

function stepper({ step }: State, status: SetupStatus, actions: Actions): TemplateResult {
  return html`<ol class="stepper">${steps().map(
    (name, k) => html`<li><button aria-current=${k === step ? "step" : "false"} class=${isDone(k, status) ? "done" : ""}
      ?disabled=${k > 0 && !isDone(k - 1, status)} @click=${() => actions.goTo(k)}><b>${isDone(k, status) ? "✓" : k + 1}</b>${name}</button></li>`,
  )}</ol>`;
}

function problems(state: State): Part {
  if (state.problems.length === 0) return nothing;
  return html`${state.problems.map((one) => html`<p class="note bad" role="alert"><b>${one.title}.</b> ${one.detail}</p>`)}`;
}

function body(state: State, status: SetupStatus, actions: Actions, stage: PictureStage): TemplateResult {
  return [eyeStep, tableStep, sweepStep, playStep][state.step]?.(state, status, actions, stage) ?? html``;
}

function eyeStep({ cameras }: State, status: SetupStatus, actions: Actions): TemplateResult {
  return html`<h2>${WORDS.eye}</h2>
    <div class="choices" role="radiogroup" aria-label=${WORDS.eye}>${EYES.map(
      ({ eye, says, more }) => html`<button role="radio" aria-checked=${status.eye === eye} @click=${() => void actions.choose({ eye, source: null })}>
        ${eyePicture(eye)}<span><b>${says}</b><small>${more}</small></span></button>`,
    )}</div>
    ${!hasSource(status.eye) ? nothing : sources(cameras ?? [], status, actions)}
    ${status.is_lens_known ? html`<p class="note good">${WORDS.known}</p>` : nothing}`;
}

/** What looks at the table, drawn: a camera over it, a phone beside it, a photograph, a film. */
const EYE_PATHS: Readonly<Record<(typeof EYES)[number]["eye"], string>> = {
  camera: "M8 42L18 30H54L64 42ZM36 14v-8M28 14h16v6H28ZM36 20L24 30M36 20L48 30",
  phone: "M4 42L14 30H46L56 42ZM52 6h12v22H52ZM52 16L34 30M56 25h4",
  photograph: "M12 8H60V40H12ZM12 34L28 22L40 32L48 26L60 36M48 16h.1",
  recording: "M10 10H62V38H10ZM16 10v28M56 10v28M10 19h6M10 29h6M56 19h6M56 29h6M32 18L44 24L32 30Z",
};

function eyePicture(eye: (typeof EYES)[number]["eye"]): TemplateResult {
  return html`<svg class="eye" viewBox="0 0 72 48" aria-hidden="true"><path d=${EYE_PATHS[eye]} /></svg>`;
}

function sources(cameras: NonNullable<State["cameras"]>, status: SetupStatus, actions: Actions): TemplateResult {
  return html`<h2>${WORDS.whichCamera}</h2>
    ${cameras.length === 0 ? html`<p class="hint">${WORDS.noCamera}</p>` : nothing}
    <div class="cameras" role="radiogroup" aria-label=${WORDS.whichCamera}>${cameras.map(
      ({ source, name }) => html`<button role="radio" aria-checked=${status.source === source} @click=${() => void actions.choose({ source })}>
        <img alt="" loading="lazy" src="api/v1/setup/preview.jpg?source=${encodeURIComponent(source)}" /><b>${name}</b></button>`,
    )}</div>
    <form class="row" @submit=${(event: SubmitEvent) => submitAddress(event, actions)}>
      <label class="wide">${WORDS.address} <input name="address" type="url" placeholder=${WORDS.addressHint} /></label>
      <button class="plain">${WORDS.useAddress}</button>
    </form>`;
}

function submitAddress(event: SubmitEvent, actions: Actions): void {
  const told = fieldOf(event, "address");
  if (typeof told === "string" && told.trim()) void actions.choose({ source: told.trim() });
}

function tableStep(state: State, status: SetupStatus, actions: Actions): TemplateResult {
  const isChosen = (mm: readonly [number, number]) => !state.isOther && status.table_mm?.[0] === mm[0] && status.table_mm[1] === mm[1];
  const isPrinted = status.eye !== "photograph" && status.paper === null;
  return html`${isPrinted ? html`${laying(status.table_mm ?? [1219.2, 1219.2])}<p>${WORDS.lay}</p>` : nothing}
    <h2>${WORDS.size}</h2>
    <div class="chips" role="radiogroup" aria-label=${WORDS.size}>
      ${SIZES.map(({ says, mm }) => html`<button role="radio" aria-checked=${isChosen(mm)} @click=${() => void actions.choose({ table_mm: mm })}>${says}</button>`)}
      <button role="radio" aria-checked=${state.isOther} @click=${() => actions.showOther()}>${WORDS.other}</button>
    </div>
    ${state.isOther ? otherSize(status, actions) : nothing}
    ${status.eye === "photograph" ? nothing : html`${isPrinted ? pagesToPrint(status, actions) : nothing}${status.eye === "phone" && status.paper === null ? nothing : sheetsChoice(status, actions)}`}`;
}

function pagesToPrint(status: SetupStatus, actions: Actions): TemplateResult {
  return html`<h2>${WORDS.print}</h2>
    <div class="row"><a class="plain" href="api/v1/setup/pages.pdf?paper=a4" target="_blank">A4</a>
      <a class="plain" href="api/v1/setup/pages.pdf?paper=letter" target="_blank">Letter</a></div>
    <p class="row"><label>${WORDS.ruler} <input name="ruler" type="number" inputmode="decimal" min="80" max="120" step="0.1" .value=${status.ruler_mm?.toString() ?? ""}
      @change=${(event: Event) => changeRuler(event, actions)} /> mm</label></p>
    <p class="hint">${WORDS.rulerHint}</p>`;
}

function changeRuler(event: Event, actions: Actions): void {
  const box = event.currentTarget as HTMLInputElement;
  if (box.value === "" || box.reportValidity()) void actions.choose({ ruler_mm: box.value === "" ? null : box.valueAsNumber });
}

function otherSize({ table_mm }: SetupStatus, actions: Actions): TemplateResult {
  const [width, depth] = table_mm ?? [1000, 1000];
  const onChange = (event: Event): void => {
    const [w, d] = [...(event.currentTarget as HTMLElement).querySelectorAll("input")].map((one) => one.valueAsNumber);
    if (w && d) void actions.choose({ table_mm: [w, d] });
  };
  return html`<div class="row" @change=${onChange}>
    <label>${WORDS.width} <input type="number" inputmode="decimal" min="300" max="3000" step="0.1" .valueAsNumber=${width} /></label>
    <label>${WORDS.depth} <input type="number" inputmode="decimal" min="300" max="3000" step="0.1" .valueAsNumber=${depth} /> mm</label>
  </div>`;
}

/** How the pages lie: 1 and 2 at the near edge, 3 and 4 at the far one, each outside with its cross at the corner. */
function laying([width, depth]: readonly [number, number]): TemplateResult {
  const [w, h] = [200, (200 * depth) / width];
  const at = ([x, y]: readonly [number, number], dx: number, dy: number, k: number): SVGTemplateResult => svg`
    <rect class="sheet" x=${dx > 0 ? x : x - 40} y=${dy > 0 ? y : y - 30} width="40" height="30" />
    <path class="cross" d="M${x - 6} ${y}h12M${x} ${y - 6}v12" />
    <text x=${x + dx * 20} y=${y + dy * 15 + 5}>${k}</text>`;
  return html`<svg class="laying" viewBox="-12 -42 224 ${h + 108}" role="img" aria-label=${WORDS.lay}>
    <rect class="mat" width=${w} height=${h} />
    ${at([0, h], 1, 1, 1)}${at([w, h], -1, 1, 2)}${at([w, 0], -1, -1, 3)}${at([0, 0], 1, -1, 4)}
    <text class="you" x=${w / 2} y=${h + 56}>${WORDS.near}</text></svg>`;
}

function sweepStep(state: State, status: SetupStatus, actions: Actions, stage: PictureStage): TemplateResult {
  if (status.eye === "photograph") return photographStep(state, actions, stage);
  if (status.paper !== null) return sheetsStep(state, status, actions, stage);
  const isCamera = status.eye !== "phone";
  return html`${ring(status)}<p><b>${pictureCount(status.pictures.length)}.</b> ${status.wants}</p>
    <p class="hint">${isCamera ? WORDS.sweepCamera : WORDS.sweepPhone}</p>
    <div class="row">
      ${isCamera ? html`<button class="plain strong" ?disabled=${state.busy !== null} @click=${() => void actions.look()}>${WORDS.look}</button>` : nothing}
      <label class="plain ${isCamera ? "" : "strong"}">${WORDS.take}<input class="aloud" type="file" accept="image/*,.heic" multiple ?disabled=${state.busy !== null}
        @change=${(event: Event) => sendFiles(event, actions)} /></label>
    </div>
    ${status.trouble ? html`<p class="note bad" role="alert">${status.trouble}</p>` : nothing}
    <ul class="pictures">${status.pictures.map((one) => picture(one, state, actions))}</ul>`;
}

function sendFiles(event: Event, actions: Actions): void {
  const box = event.currentTarget as HTMLInputElement;
  const files = [...(box.files ?? [])];
  box.value = "";
  if (files.length > 0) void actions.send(files);
}

function picture(one: PictureNote, state: State, actions: Actions): TemplateResult {
  return html`<li class=${one.pages.length ? "good" : "bad"}><span><b>${one.name}</b><small>${one.says}</small></span>
    <button class="plain" ?disabled=${state.busy !== null} aria-label="${WORDS.remove} ${one.name}" @click=${() => void actions.remove(one.name)}>${WORDS.remove}</button></li>`;
}

/** Where the pages lie around the table, from 1 on. */
const PAGE_PLACES = [[-18, 21], [6, 21], [6, -30], [-18, -30]] as const;

/** Eighths around the table, the near side below, and its pages; those from which a picture was taken, and those that are in one, are filled. */
function ring({ ring: eighths, pictures }: SetupStatus): TemplateResult {
  const arc = (k: number): string => {
    const [from, to] = [k - 0.46, k + 0.46].map((at) => (Math.PI / 4) * at + Math.PI / 2) as [number, number];
    const point = (turn: number, r: number) => `${(r * Math.cos(turn)).toFixed(1)} ${(r * Math.sin(turn)).toFixed(1)}`;
    return `M${point(from, 46)}A46 46 0 0 1 ${point(to, 46)}L${point(to, 34)}A34 34 0 0 0 ${point(from, 34)}Z`;
  };
  const seen = eighths.filter(Boolean).length;
  return html`<svg class="ring" viewBox="-50 -50 100 100" role="img" aria-label="${WORDS.from} ${seen} / ${eighths.length}">
    <rect class="mat" x="-20" y="-20" width="40" height="40" />
    ${PAGE_PLACES.map(([x, y], k) => svg`<g class=${pictures.some((one) => one.pages.includes(k + 1)) ? "seen" : ""}><rect x=${x} y=${y} width="12" height="9" /><text x=${x + 6} y=${y + 7}>${k + 1}</text></g>`)}
    ${eighths.map((is, k) => svg`<path class=${is && pictures.length ? "seen" : ""} d=${arc(-k)} />`)}</svg>`;
}

function playStep(state: State, status: SetupStatus, actions: Actions): TemplateResult {
  const { result } = status;
  if (!result) return html`<p class="hint">${WORDS.result} ${status.wants}</p>`;
  return html`<img class="doubt" alt=${WORDS.map} src="api/v1/setup/doubt.svg?${result.middle_mm}-${result.corners_mm}" />
    <p class="note good result"><b>${result.says}</b></p>
    ${result.remarks.map((one) => html`<p class="note">${one}.</p>`)}
    <h2>${WORDS.edition}</h2>
    <div class="chips" role="radiogroup" aria-label=${WORDS.edition}>${EDITIONS.map(
      ({ id, says }) => html`<button role="radio" aria-checked=${status.edition === id} @click=${() => void actions.choose({ edition: id })}>${says}</button>`,
    )}</div>
    ${status.eye === "photograph" ? nothing : terrainPart(state, actions)}
    <p class="hint">${WORDS.join}</p>
    <p class="hint"><a href="licences">${WORDS.sourceOffer}</a></p>`;
}

function foot(state: State, status: SetupStatus, actions: Actions): TemplateResult {
  const { step } = state;
  const isBusy = state.busy !== null || state.isLeaving;
  const isLast = step === steps().length - 1;
  const isReady = isMarking(state, status) && state.photograph?.pose != null; // how good it is stands above already
  return html`<div class="foot-bar">
    <button class="plain" ?disabled=${step === 0 || isBusy} @click=${() => actions.goTo(step - 1)}>${WORDS.back}</button>
    ${isLast ? nothing : html`<button class="plain ${isReady ? "" : "strong"}" ?disabled=${!isDone(step, status) || isBusy} @click=${() => actions.goTo(step + 1)}>${WORDS.next}</button>`}
    ${isLast || isReady ? html`<button class="plain strong" ?disabled=${status.result === null || isBusy} @click=${() => void actions.play()}>${WORDS.play}</button>` : nothing}
  </div>`;
}
