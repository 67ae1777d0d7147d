/** What if it went there: the way, what it costs and suffers, and every answer from its end. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { inches, isAnswered, type Answered } from "../format";
import { directionTo } from "../geometry";
import { miniature, type Manner, type State, type Way } from "../state";
import { hasMoved, isCourseOf, length_mm, pointsOf } from "../way";
import { everybody } from "./alone";
import { chip } from "./chips";
import { icon, type IconName } from "./icons";
import { named } from "./news";
import { rows } from "./rows";
import { answers, trouble } from "./sheet";
import { ways } from "./ways";
import { SAY } from "./words";

const MANNERS: readonly Manner[] = ["advance", "run"];
const TURN_DEG = 15;
const MOVES = new Set(["move", "charge", "flee"]);

export function plan(state: State, way: Way, actions: Actions): TemplateResult {
  const m = miniature(state, way.who);
  const isMoved = hasMoved(state, way);
  const isTold = isMoved && state.table?.is_measuring_free;
  const far = isTold ? SAY.wouldGo(inches(length_mm(pointsOf(state, way)))) : isMoved ? SAY.notMeasured : SAY.tapGround;
  return html`<section class="sheet plan" aria-label=${SAY.whatIf}>
    <header class="pair">
      <h2 class="who a"><b aria-hidden="true">A</b><span>${m?.name}<small>${far}</small></span></h2>
      <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
    </header>
    <div class="lines">${controls(state, way, isMoved, actions)}
      ${state.course ? html`<div class=${isCourseOf(state, way) ? "" : "old"}>
        ${rows(state.course.lines, state.course, state, actions, (line) => course(line, state))}</div>` : nothing}
      ${from(state, actions)}</div>
  </section>`;
}

/** What holds from there: about B, else about everybody. */
export function from(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.b !== null) return html`${ways(state, actions)}<h3 class="versus"><b class="letter b">B</b> ${miniature(state, state.b)?.name}</h3>${answers(state, actions)}`;
  if (state.around?.who === state.a) return everybody(state.around, state, actions);
  return state.askProblem ? trouble(state.askProblem) : nothing;
}

function controls(state: State, way: Way, isMoved: boolean, actions: Actions): TemplateResult {
  const b = miniature(state, state.b);
  const tool = (name: IconName, label: string, act: () => void, isOff = false) =>
    html`<button class="tool" ?disabled=${isOff} @click=${act} aria-label=${label} title=${label}>${icon(name)}</button>`;
  return html`<div class="chips manners" role="radiogroup" aria-label=${SAY.mannerName}>
      ${MANNERS.map((one) => chip(SAY.manner[one], way.manner === one, () => actions.way.manner(one)))}</div>
    <div class="toolbar" role="group" aria-label=${SAY.whatIf}>
      ${tool("corner", SAY.cornerWhy, () => actions.way.corner(), !isMoved)}
      ${tool("undo", SAY.undoLeg, () => actions.way.undoLeg(), !isMoved)}
      ${tool("left", SAY.turnLeft("A"), () => actions.way.turn(TURN_DEG))}
      ${tool("right", SAY.turnRight("A"), () => actions.way.turn(-TURN_DEG))}
      ${b
        ? tool("face", SAY.faceB, () => actions.way.face(directionTo(way.at, b.at_mm)))
        : tool("ahead", SAY.faceAhead, () => actions.way.face(null), way.facing_deg === null)}
      ${tool("back", SAY.backToStart, () => actions.way.backToStart(), !isMoved)}
    </div>`;
}

/** What a move costs and meets, in words below its line. */
export function course(line: Answered, state: State): TemplateResult | typeof nothing {
  if (!isAnswered(line) || !MOVES.has(line.verdict.kind)) return nothing;
  const { value } = line.verdict;
  const melee = state.drill ? [] : meets(value, state);
  const said = [...costs(value), ...failures(value, state), ...melee];
  if (said.length === 0) return nothing;
  return html`<ul class="said">${said.map((one) => html`<li>${one}</li>`)}</ul>`;
}

function costs({ travelled_mm, spent_mm, left_mm }: Answered["verdict"]["value"]): string[] {
  if (typeof travelled_mm !== "number" || typeof spent_mm !== "number") return [];
  const uneven = Math.abs(travelled_mm - spent_mm) > 0.05 ? [SAY.costs(inches(spent_mm), inches(travelled_mm))] : [];
  return typeof left_mm === "number" ? [SAY.used(inches(spent_mm), inches(left_mm)), ...uneven] : uneven;
}

function failures({ violation }: Answered["verdict"]["value"], state: State): string[] {
  const { what, thing } = (violation ?? {}) as { what?: string; thing?: string | null };
  if (!what) return [];
  const clause = (SAY.clause as Record<string, string>)[what] ?? what;
  return [SAY.wrongAt(thing ? `${clause}, ${named(state, [thing])}` : clause)];
}

function meets(value: Answered["verdict"]["value"], state: State): string[] {
  const listed = (key: string) => (Array.isArray(value[key]) ? (value[key] as (string | { id: string })[]) : []);
  const ids = (key: string) => listed(key).map((one) => (typeof one === "string" ? one : one.id));
  const [strikes, touched, melee] = [ids("free_strikes"), ids("contacts"), ids("in_melee_with")];
  return [
    ...(strikes.length ? [SAY.strikesFrom(named(state, strikes))] : []),
    ...(touched.length ? [SAY.touches(named(state, touched))] : []),
    melee.length ? SAY.endsIn(named(state, melee)) : SAY.alone,
  ];
}
