/** Entry of the page on the projector: light where the table is, black elsewhere, and a blink for the camera. */

import { html, nothing, render, svg } from "lit";
import { airtimeAt } from "../overlay/schedule";
import { paramsOf } from "../overlay/url-params";
import { WholeStream } from "../shared/event-stream";
import { send } from "../shared/http";
import { nameSeats } from "../shared/language";
import { usePageLanguage } from "../shared/page-language";
import { problemOf } from "../shared/problem";
import "../shared/style.css";
import type { Board, LightBoard, OnAirItem, ShownPattern } from "../shared/types.gen";
import { edgeText, lightDrawing, marksDrawing, shadows, spokenLines, tableDrawing } from "./light-view";
import { layOut, LightMap } from "./light-map";
import "./projector.css";
import { words } from "./strings";

const TICK_MS = 200;
const LEVEL_STEP = 0.05;

const params = paramsOf(location.search);
await usePageLanguage(params.language);
const root = document.getElementById("projector") as HTMLElement;
const source = document.createElementNS("http://www.w3.org/2000/svg", "svg");
let light: LightBoard | null = null;
let board: Board | null = null;
let ahead_s = 0;
let trouble = "";
let drawn = "";
let isSpeaking = false;
let spoken: number | null = null;

new WholeStream<LightBoard>("api/v1/projector/stream", { onWhole: takeLight }).open();
new WholeStream<Board>("api/v1/overlay/stream", { onWhole: takeBoard }).open();
addEventListener("keydown", ({ key }) => press(key.toLowerCase()));
addEventListener("resize", () => draw(true));
setInterval(() => draw(), TICK_MS);
requestAnimationFrame(blink);

function takeLight(whole: LightBoard): void {
  const was = light?.pattern?.number;
  light = whole;
  draw(true);
  if (whole.pattern && whole.pattern.number !== was) confirmShown(whole.pattern);
}

function takeBoard(whole: Board): void {
  nameSeats(whole.scoreboard);
  board = whole;
  ahead_s = whole.now_s - performance.now() / 1000;
  draw();
}

/** Two frames later it is on the projector's cable. */
function confirmShown({ number }: ShownPattern): void {
  requestAnimationFrame(() => requestAnimationFrame(() => void fetch(`api/v1/projector/shown/${number}`, { method: "POST" })));
}

function press(key: string): void {
  if (key === "c") {
    trouble = "";
    const size = { width_px: ownPixels(innerWidth), height_px: ownPixels(innerHeight) };
    void send("POST", "projector/calibration", size).catch(explain);
  } else if (key === "s") {
    [isSpeaking, spoken] = [!isSpeaking, null];
    speechSynthesis.cancel();
  } else if (light && ["b", ".", "+", "-"].includes(key)) {
    const { level, is_black } = light.settings;
    const step = key === "+" ? LEVEL_STEP : key === "-" ? -LEVEL_STEP : 0;
    const settings = { ...light.settings, level: Math.min(0.8, Math.max(LEVEL_STEP, level + step)), is_black: step === 0 ? !is_black : is_black };
    light = { ...light, settings };
    draw(true);
    void send("PUT", "projector/settings", settings).catch(explain);
  }
}

function explain(wrong: unknown): void {
  trouble = problemOf(wrong).detail;
  draw(true);
}

function ownPixels(css: number): number {
  return Math.round(css * devicePixelRatio);
}

/** Draw anew what is other than before; text along the edges changes each second. */
function draw(isForced = false): void {
  if (!light) return;
  const now_s = performance.now() / 1000 + ahead_s;
  const airtime = board === null ? null : airtimeAt(board, now_s, params);
  if (airtime && airtime.item.id !== spoken) speak(airtime.item);
  const now = `${airtime?.item.id} ${airtime?.since_s} ${Math.floor(now_s)}`;
  if (!isForced && now === drawn) return;
  drawn = now;
  root.style.setProperty("--level", String(light.pattern ? 1 : light.settings.level));
  root.classList.toggle("white", light.pattern?.is_white ?? false);
  render(light.pattern ? pattern(light.pattern) : shine(light, airtime?.item ?? null, now_s), root);
}

/** Say what has come on air aloud, where somebody wants it. */
function speak(item: OnAirItem): void {
  spoken = item.id;
  if (!isSpeaking) return;
  const said = new SpeechSynthesisUtterance(spokenLines(item));
  said.lang = document.documentElement.lang;
  speechSynthesis.speak(said);
}

function pattern({ dots_px, radius_px }: ShownPattern) {
  const ratio = devicePixelRatio;
  return html`<svg class="light">${dots_px.map(([x, y]) => svg`<circle class="dot" cx=${(x + 0.5) / ratio} cy=${(y + 0.5) / ratio} r=${radius_px / ratio} />`)}</svg>`;
}

/** The drawing as the projector must show it. Nothing shines while it is dark but, under hands, the camera's marks. */
function shine(whole: LightBoard, item: OnAirItem | null, now_s: number) {
  const { projector, dark } = whole;
  if (whole.settings.is_black) return nothing;
  const note = trouble || (dark === "moved" ? words.moved : dark === "uncalibrated" ? words.uncalibrated : "");
  if (projector === null || note) return html`<p>${note}</p>`;
  const map = new LightMap(projector, whole.surfaces, devicePixelRatio);
  const lay = (drawing: ReturnType<typeof lightDrawing>) => {
    render(drawing, source);
    return layOut(source, map);
  };
  const shown = dark === null ? svg`<clipPath id="table">${lay(tableDrawing(whole))}</clipPath>
    <g class="drawing" clip-path="url(#table)">${lay(lightDrawing(whole, item))}</g>${edgeText(whole, board, now_s, map)}` : nothing;
  return html`<svg class="light">${shown}${lay(marksDrawing(whole))}${shadows(whole, map)}</svg>`;
}

/** Black for a moment, again and again: then the camera looks. */
function blink(at_ms: number): void {
  requestAnimationFrame(blink);
  if (light) root.classList.toggle("blink", !light.pattern && at_ms % light.blink.every_ms < light.blink.black_ms);
}
