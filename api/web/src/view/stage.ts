/** The table: picture below, outlines in table millimetres above, letters on top in screen pixels. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { isAnswered, type Answered } from "../format";
import { frameOf, scaleOf, type Frame } from "../geometry";
import { everyone } from "../everyone";
import type { State } from "../state";
import type { Around, DrawnArea, DrawnMiniature, DrawnTable } from "../types.gen";
import { base, member, tag } from "./base";
import { block } from "./block";
import { drawing } from "./drawing";
import { looksNow } from "./fan";
import { ghost, ghostTag } from "./ghost";
import { laid } from "./laid";
import { points } from "./path";
import { proposedAreas, proposedNumbers } from "./proposed";
import { ringLabels, rings } from "./rings";
import { sideOf, toneOf } from "./siding";
import { wayArrows } from "./ways";
import { label, shown, witnesses } from "./witness";
import { SAY } from "./words";

export function stage(state: State, actions: Actions): TemplateResult {
  return html`<div class="stage" @click=${(event: MouseEvent) => actions.tap(at(event))}>
    ${state.table ? table(state, state.table, actions) : waiting(state)}
  </div>`;
}

function at(event: MouseEvent): [number, number] {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function waiting(state: State): TemplateResult {
  return html`<p class="waiting">${state.link === "open" ? SAY.looking : SAY.connecting}</p>`;
}

function table(state: State, drawn: DrawnTable, actions: Actions): TemplateResult {
  const frame = frameOf(drawn.size, state.stage, state.view, state.isTurned);
  const { width_px, height_px } = state.stage;
  const lines = isAboutPair(state) ? shown(state) : [];
  const around = aroundShown(state);
  const looks = looksNow(state);
  const matrix = `matrix(${frame.sx} 0 0 ${frame.sy} ${frame.ex} ${frame.ey})`;
  return html`${picture(frame, drawn, actions)}
    <svg class="layer" viewBox="0 0 ${width_px} ${height_px}" role="group" aria-label=${SAY.stage}>
      <g transform=${matrix}>
        ${ground(drawn, actions.picture.isPainted)}
        ${proposedAreas(state)}
        ${around ? rings(around, state) : nothing}
        ${bases(state, drawn, lines, frame, actions)}
        ${[...lines].reverse().map((line) => witnesses(line.verdict, state.open !== null, looks))}
        ${state.tool === "move" && state.drill ? block(state, frame) : nothing}
        ${state.tool === "move" && state.way ? ghost(state, state.way, frame, actions) : nothing}
        ${state.tool === "blast" ? laid(state, frame, actions) : nothing}
        ${state.tool === "table" && state.drawing ? drawing(state.drawing, frame, actions) : nothing}
      </g>
      ${around ? ringLabels(around, state, frame) : nothing}
      ${lines.map((line) => label(line, lines, frame))}
      ${proposedNumbers(state, frame)}
      ${wayArrows(state, frame, actions)}
      ${letters(state, drawn, lines, frame)}
    </svg>`;
}

/** Whether answers about two miniatures are on the page. */
function isAboutPair({ tool, b }: State): boolean {
  return b !== null && (tool === "ask" || tool === "move");
}

function aroundShown({ tool, a, b, around }: State): Around | null {
  return (tool === "ask" || tool === "move") && b === null && around?.who === a ? around : null;
}

function bases(state: State, drawn: DrawnTable, lines: readonly Answered[], frame: Frame, actions: Actions): unknown {
  const blockers = blockersOf(state, lines);
  const under = new Map((state.tool === "blast" ? (state.blastVerdict?.members ?? []) : []).map((one) => [one.id, one.answer]));
  const role = (id: string) => {
    if (blockers.has(id)) return "blocker";
    if (state.tool === "table" && state.siding) return toneOf(sideOf(id, state, state.siding), state.siding);
    if (state.tool === "table") return id === state.picked ? "a" : "";
    return under.get(id) === "yes" ? "under" : under.get(id) === "too-close" ? "maybe" : "";
  };
  const one = (m: DrawnMiniature) =>
    m.unit === null ? base(m, frame, state, role(m.id), actions) : member(m, m.unit, state, role(m.unit) || role(m.id));
  return svg`${repeat(drawn.miniatures, (m) => m.id, one)}
    ${repeat(drawn.units, (unit) => unit.id, (unit) => base(unit, frame, state, role(unit.id), actions))}`;
}

/** Who is in the way of what is shown: of the answers about a pair, else of the shots around one. */
function blockersOf(state: State, lines: readonly Answered[]): ReadonlySet<string> {
  const around = aroundShown(state)?.others.flatMap((other) => other.lines.filter(isAnswered)) ?? [];
  return new Set([...lines, ...around].flatMap((line) => line.verdict.blockers));
}

function letters(state: State, drawn: DrawnTable, lines: readonly Answered[], frame: Frame): SVGTemplateResult {
  const blockers = blockersOf(state, lines);
  const all = everyone(drawn);
  const of = (id: string | null) => all.filter((m) => m.id === id);
  const isPairTool = state.tool === "ask" || state.tool === "move";
  return svg`${all.filter((m) => blockers.has(m.id)).map((m) => tag(m, frame, m.name, "blocker"))}
    ${isPairTool ? of(state.a).map((m) => tag(m, frame, "A", "a")) : nothing}
    ${isPairTool ? of(state.b).map((m) => tag(m, frame, "B", "b")) : nothing}
    ${state.tool === "move" && state.way ? ghostTag(state, state.way, frame) : nothing}`;
}

/** The canvas, as large as the table in millimetres and then scaled, so that picture and outlines share one frame. */
function picture(frame: Frame, { size }: DrawnTable, actions: Actions): TemplateResult {
  const { canvas, isPainted } = actions.picture;
  const s = Math.sign(frame.sx) * scaleOf(frame);
  const top = frame.sy < 0 ? frame.ey + frame.sy * size.depth_mm : frame.ey + scaleOf(frame) * size.depth_mm;
  canvas.style.width = `${size.width_mm}px`;
  canvas.style.height = `${size.depth_mm}px`;
  canvas.style.transform = `matrix(${s}, 0, 0, ${s}, ${frame.ex}, ${top})`;
  canvas.style.display = isPainted ? "" : "none";
  return html`${canvas}`;
}

function ground({ size, areas }: DrawnTable, isPainted: boolean): SVGTemplateResult {
  return svg`<rect class=${isPainted ? "edge" : "edge mat"} width=${size.width_mm} height=${size.depth_mm} />
    ${areas.map((one) => area(one, isPainted))}`;
}

function area({ kind, outline_mm }: DrawnArea, isPainted: boolean): SVGTemplateResult {
  return svg`<polygon class="area ${kind} ${isPainted ? "" : "filled"}" points=${points(outline_mm)} />`;
}
