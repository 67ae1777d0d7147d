/** Table stage: picture below, outlines in table millimetres above, letters on top in screen pixels. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { isAnswered, type AnsweredLine } from "../../shared/format";
import { matrixOf, pictureMatrix, scaleOf, viewportFrame, type Frame } from "../../shared/geometry";
import { everyone } from "../../shared/entities";
import { drawnLines, type State } from "../state";
import type { MiniatureSheet, DrawnMiniature, DrawnTable } from "../../shared/types.gen";
import { baseInitials, baseNames } from "./base-names";
import { base, member, tag } from "./base-marker";
import { BUTTONS_PX, LabelLayout } from "./label-layout";
import { lazyView } from "./lazy-view";
import { news, openNote } from "./news";
import { isChosen } from "../unit-manoeuvre";
import { supposedFacingSigmas } from "./arc-uncertainty";
import { ground } from "./ground";
import { proposedAreas, proposedNumbers } from "./terrain-proposals";
import { sideOf, toneOf } from "./side-proposals";
import { facingArrows, reserveFacingArrows } from "./facing-choices";
import { candidateNames, candidates, reserveCandidateNames, rollText, unconfirmedText } from "./unconfirmed-bases";
import { label, ruledMood, witnesses } from "./witness";
import { standingMood } from "../settlements";
import { SAY } from "../../shared/strings";

export function stage(state: State, actions: Actions): TemplateResult {
  return html`<div class="stage" @click=${(event: MouseEvent) => actions.tap(at(event))} @pointerdown=${(event: PointerEvent) => actions.longPress.down(at(event))}
      @pointermove=${(event: PointerEvent) => actions.longPress.move(at(event))} @pointerup=${() => actions.longPress.up()}
      @pointercancel=${() => actions.longPress.up()} @contextmenu=${(event: Event) => event.preventDefault()}>
    ${state.table ? table(state, state.table, actions) : html`${placeholder(state)}${news(state, null, actions)}`}
  </div>`;
}

function at(event: MouseEvent): [number, number] {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function placeholder(state: State): TemplateResult {
  return html`<p class="no-table">${state.link !== "open" ? SAY.connecting : state.byPhotograph ? SAY.noPhotograph : SAY.searching}</p>`;
}

function table(state: State, drawn: DrawnTable, actions: Actions): TemplateResult {
  const frame = viewportFrame(state) as Frame;
  const { width_px, height_px } = state.stage;
  const lines = isAboutPair(state) ? drawnLines(state) : [];
  const around = aroundOfA(state);
  const sigmas = supposedFacingSigmas(state);
  const layout = new LabelLayout(drawn.miniatures, frame, state.stage);
  reserveControls(state, layout);
  reserveFacingArrows(state, frame, layout);
  reserveCandidateNames(drawn, frame, layout);
  const tools = state.tool === "ask" ? null : drawings(actions);
  const way = tools && state.tool === "move" && state.path ? tools.ghostTag(state, state.path, frame, layout) : nothing;
  const tags = letters(state, drawn, lines, frame, layout);
  const lengths = lines.map((line) => label(line, lines, frame, layout));
  const around_px = around ? (sheets(actions)?.ringLabels(around, state, frame, layout) ?? nothing) : nothing;
  const isTagged = (id: string) => isPairTool(state) && (id === state.a || id === state.b); // its name stands on its tag
  const names = baseNames(state.labelled, { ...drawn, miniatures: drawn.miniatures.filter((m) => !isTagged(m.id)) }, frame, layout);
  return html`${picture(frame, drawn, actions)}
    <svg class="layer ${actions.picture.isPainted ? "" : "plain"}" viewBox="0 0 ${width_px} ${height_px}" role="group" aria-label=${SAY.stage}>
      <g transform=${matrixOf(frame)}>
        ${ground(drawn, actions.picture.isPainted)}
        ${proposedAreas(state)}
        ${around ? (sheets(actions)?.rings(around, state) ?? nothing) : nothing}
        ${candidates(drawn, frame, actions.candidates)}
        ${bases(state, drawn, lines, frame, actions)}
        ${[...lines].reverse().map((line) => witnesses(line.verdict, state.openSlot !== null, sigmas, ruledMood(line, standingMood(line, state))))}
        ${tools && state.tool === "move" && state.manoeuvre ? tools.unitPath(state, frame) : nothing}
        ${tools && state.tool === "move" ? tools.wheelHandles(state, frame, actions) : nothing}
        ${tools && state.tool === "move" && state.path ? tools.ghost(state, state.path, frame, actions) : nothing}
        ${tools && state.tool === "blast" ? tools.templateShape(state, frame, actions) : nothing}
        ${tools && state.tool === "table" && state.drawing ? tools.drawing(state.drawing, frame, actions) : nothing}
      </g>
      ${baseInitials(drawn, frame)}
      ${candidateNames(drawn, frame)}
      ${names}
      ${around_px}
      ${lengths}
      ${proposedNumbers(state, frame)}
      ${facingArrows(state, frame, actions)}
      ${tags}${way}
    </svg>${openNote([rollText(drawn), unconfirmedText(drawn)].filter(Boolean).join(" · "), layout, state.stage)}${news(state, layout, actions)}`;
}

const sheets = lazyView(() => import("./sheets"));
const drawings = lazyView(() => import("./tool-drawings"));
const STRIP_PX = 76;
const EDGE_PX = 8;
const SHUTTER_PX = 60;
const TINTS = { yes: "seen", no: "unseen", "too-close": "maybe" } as const;

function isPairTool({ tool }: State): boolean {
  return tool === "ask" || tool === "move";
}

/** Whether answers about two miniatures are on the page. */
function isAboutPair({ tool, b }: State): boolean {
  return b !== null && (tool === "ask" || tool === "move");
}

function aroundOfA({ tool, a, b, around }: State): MiniatureSheet | null {
  return (tool === "ask" || tool === "move") && b === null && around?.who === a ? around : null;
}

function bases(state: State, drawn: DrawnTable, lines: readonly AnsweredLine[], frame: Frame, actions: Actions): unknown {
  const blockers = blockersOf(state, lines);
  const under = new Map((state.tool === "blast" ? (state.templateVerdict?.members ?? []) : []).map((one) => [one.id, one.answer]));
  const sight = new Map((state.isTinted ? (aroundOfA(state)?.others ?? []) : []).map((one) => [one.id, one.sight?.answer]));
  const role = (id: string) => {
    if (sight.get(id)) return TINTS[sight.get(id) as keyof typeof TINTS];
    if (blockers.has(id)) return "blocker";
    if (state.tool === "table" && state.sideAssignment) return toneOf(sideOf(id, state, state.sideAssignment), state.sideAssignment);
    if (state.tool === "table" && state.naming) return isChosen(state, state.naming, id) ? "under" : "";
    if (state.tool === "table") return id === state.picked ? "a" : "";
    return under.get(id) === "yes" ? "under" : under.get(id) === "too-close" ? "maybe" : "";
  };
  const one = (m: DrawnMiniature) =>
    m.unit === null ? base(m, frame, state, role(m.id), actions) : member(m, m.unit, state, role(m.unit) || role(m.id));
  return svg`${repeat(drawn.miniatures, (m) => m.id, one)}
    ${repeat(drawn.units, (unit) => unit.id, (unit) => base(unit, frame, state, role(unit.id), actions))}`;
}

/** Who is in the way of what is shown: of the answers about a pair, else of the shots around one. */
function blockersOf(state: State, lines: readonly AnsweredLine[]): ReadonlySet<string> {
  const around = aroundOfA(state)?.others.flatMap((other) => other.lines.filter(isAnswered)) ?? [];
  return new Set([...lines, ...around].flatMap((line) => line.verdict.blockers));
}

function letters(state: State, drawn: DrawnTable, lines: readonly AnsweredLine[], frame: Frame, layout: LabelLayout): SVGTemplateResult {
  const blockers = blockersOf(state, lines);
  const all = everyone(drawn);
  const of = (id: string | null) => all.filter((m) => m.id === id);
  const [a, b] = [of(state.a)[0] ?? null, of(state.b)[0] ?? null];
  return svg`${isPairTool(state) && a ? tag(a, frame, a.name, "a", layout, b) : nothing}
    ${isPairTool(state) && b ? tag(b, frame, b.name, "b", layout, a) : nothing}
    ${all.filter((m) => blockers.has(m.id)).map((m) => tag(m, frame, m.name, "blocker", layout))}`;
}

/** What lies on the table to be tapped or read, on which no word is laid: buttons, a banner, what is asked, a ruling. */
function reserveControls({ link, problem, alarms, candidate, rulings, seat, byPhotograph, settings: { isLeft } }: State, layout: LabelLayout): void {
  const hasBanner = link === "lost" || problem !== null || alarms.length > 0;
  layout.reserveCorner({ isLeft, isTop: hasBanner, width_px: BUTTONS_PX });
  if (hasBanner || candidate !== null) layout.reserveCorner({ height_px: heightOf(".banner, .candidate-prompt") });
  if (rulings.some((one) => one.withdrawn === null && one.waits_for.includes(seat))) layout.reserveCorner({ isTop: true, height_px: heightOf(".ruling-notice") });
  if (byPhotograph) layout.reserveCorner({ isTop: true, height_px: SHUTTER_PX });
}

/** As it is drawn now, with the edge around it; until it is drawn, as high as most are. */
function heightOf(what: string): number {
  return (document.querySelector<HTMLElement>(what)?.offsetHeight ?? STRIP_PX) + EDGE_PX;
}

/** The canvas, as large as the table in millimetres and then scaled, so that picture and outlines share one frame. */
function picture(frame: Frame, { size }: DrawnTable, actions: Actions): TemplateResult {
  const { canvas, isPainted } = actions.picture;
  actions.picture.fit(scaleOf(frame) * size.width_mm);
  canvas.style.width = `${size.width_mm}px`;
  canvas.style.height = `${size.depth_mm}px`;
  canvas.style.transform = pictureMatrix(frame, size);
  canvas.style.display = isPainted ? "" : "none";
  return html`${canvas}`;
}
