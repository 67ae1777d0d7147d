/** The table: picture below, outlines in table millimetres above, letters on top in screen pixels. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { frameOf, scaleOf, type Frame } from "../geometry";
import type { State } from "../state";
import type { DrawnArea, DrawnTable } from "../types.gen";
import { base, tag } from "./base";
import { points } from "./path";
import { label, shown, witnesses } from "./witness";

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
  return html`<p class="waiting">${state.link === "open" ? "Looking for the table …" : "Connecting …"}</p>`;
}

function table(state: State, drawn: DrawnTable, actions: Actions): TemplateResult {
  const frame = frameOf(drawn.size, state.stage, state.view, state.isTurned);
  const { width_px, height_px } = state.stage;
  const lines = shown(state);
  const blockers = new Set(lines.flatMap((line) => line.verdict.blockers));
  const matrix = `matrix(${frame.sx} 0 0 ${frame.sy} ${frame.ex} ${frame.ey})`;
  return html`${picture(frame, drawn, actions)}
    <svg class="layer" viewBox="0 0 ${width_px} ${height_px}" role="group" aria-label="Table from above">
      <g transform=${matrix}>
        ${ground(drawn, actions.picture.isPainted)}
        ${repeat(drawn.miniatures, (m) => m.id, (m) => base(m, frame, state, blockers.has(m.id), actions))}
        ${[...lines].reverse().map((line) => witnesses(line.verdict, state.open !== null))}
      </g>
      ${lines.map((line) => label(line, lines, frame))}
      ${drawn.miniatures.filter((m) => blockers.has(m.id)).map((m) => tag(m, frame, m.name, "blocker"))}
      ${drawn.miniatures.filter((m) => m.id === state.a).map((m) => tag(m, frame, "A", "a"))}
      ${drawn.miniatures.filter((m) => m.id === state.b).map((m) => tag(m, frame, "B", "b"))}
    </svg>`;
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
