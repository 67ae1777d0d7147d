/** Move plan of a ghost: its path, what it costs and suffers, and every answer from its end. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { inches, isAnswered, type AnsweredLine } from "../../shared/format";
import { directionTo } from "../../shared/geometry";
import { miniature, type Manner, type State, type MovePath } from "../state";
import { hasMoved, isCourseOf, length_mm, pointsOf } from "../ghost-path";
import { everybody } from "./miniature-sheet";
import { answers, chip, problemBox } from "./pair-sheet";
import { icon, type IconName } from "./icons";
import { listNames } from "../event-text";
import { rows } from "./answer-rows";
import { sideChip } from "./picker";
import { facingChoices } from "./facing-choices";
import { SAY } from "../../shared/strings";

const MANNERS: readonly Manner[] = ["advance", "run"];
const TURN_DEG = 15;
const MOVES = new Set(["move", "charge", "flee"]);

export function plan(state: State, path: MovePath, actions: Actions): TemplateResult {
  const m = miniature(state, path.who);
  const isMoved = hasMoved(state, path);
  const isTold = isMoved && state.table?.is_measuring_free;
  const far = isTold ? SAY.wouldGo(inches(length_mm(pointsOf(state, path)))) : isMoved ? SAY.notMeasured : SAY.tapGround;
  return html`<section class="sheet plan" aria-label=${SAY.whatIf}>
    <header class="pair">
      <h2 class="who a"><span>${m ? sideChip(m, state) : nothing}${m?.name}<small>${far}</small></span></h2>
      <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
    </header>
    <div class="lines">${controls(state, path, isMoved, actions)}
      ${state.course ? html`<div class=${isCourseOf(state, path) ? "" : "old"}>
        ${rows(state.course.lines, state, actions, (line) => course(line, state))}</div>` : nothing}
      ${answersFromEnd(state, actions)}</div>
  </section>`;
}

/** What holds from there: about B, else about everybody. */
export function answersFromEnd(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.b !== null) return html`${facingChoices(state, actions)}<h3 class="versus">${miniature(state, state.b)?.name}</h3>${answers(state, actions)}`;
  if (state.around?.who === state.a) return everybody(state.around, state, actions);
  return state.askProblem ? problemBox(state.askProblem) : nothing;
}

function controls(state: State, path: MovePath, isMoved: boolean, actions: Actions): TemplateResult {
  const [m, b] = [miniature(state, path.who), miniature(state, state.b)];
  const tool = (name: IconName & keyof typeof SAY.short, label: string, act: () => void, isOff = false) => namedTool(name, SAY.short[name], label, act, isOff);
  return html`<div class="chips manners" role="radiogroup" aria-label=${SAY.mannerName}>
      ${MANNERS.map((one) => chip(SAY.manner[one], path.manner === one, () => actions.ghost.setManner(one)))}</div>
    <div class="toolbar named" role="group" aria-label=${SAY.whatIf}>
      ${tool("corner", SAY.cornerWhy, () => actions.ghost.addCorner(), !isMoved)}
      ${tool("undo", SAY.undoLeg, () => actions.ghost.undoLeg(), !isMoved)}
      ${tool("left", SAY.turnLeft(m?.name ?? ""), () => actions.ghost.turnBy(TURN_DEG))}
      ${tool("right", SAY.turnRight(m?.name ?? ""), () => actions.ghost.turnBy(-TURN_DEG))}
      ${b
        ? tool("face", SAY.faceToward(m?.name ?? "", b.name), () => actions.ghost.setFacing(directionTo(path.at, b.at_mm)))
        : tool("ahead", SAY.faceAhead, () => actions.ghost.setFacing(null), path.facing_deg === null)}
      ${tool("back", SAY.backToStart, () => actions.ghost.backToStart(), !isMoved)}
    </div>`;
}

/** A tool with its name below it; `label` says all of what it does. */
export function namedTool(name: IconName, short: string, label: string, act: () => void, isOff: boolean): TemplateResult {
  return html`<button class="tool named" ?disabled=${isOff} @click=${act} aria-label="${short}: ${label}" title=${label}>${icon(name)}<span>${short}</span></button>`;
}

/** What a move costs and meets, in words below its line. */
export function course(line: AnsweredLine, state: State): TemplateResult | typeof nothing {
  if (!isAnswered(line) || !MOVES.has(line.verdict.kind)) return nothing;
  const { value } = line.verdict;
  const melee = state.manoeuvre ? [] : contactLines(value, state);
  const said = [...costs(value), ...failures(value, state), ...melee];
  if (said.length === 0) return nothing;
  return html`<ul class="said">${said.map((one) => html`<li>${one}</li>`)}</ul>`;
}

function costs({ travelled_mm, spent_mm, left_mm }: AnsweredLine["verdict"]["value"]): string[] {
  if (typeof travelled_mm !== "number" || typeof spent_mm !== "number") return [];
  const uneven = Math.abs(travelled_mm - spent_mm) > 0.05 ? [SAY.costs(inches(spent_mm), inches(travelled_mm))] : [];
  return typeof left_mm === "number" ? [SAY.used(inches(spent_mm), inches(left_mm)), ...uneven] : uneven;
}

function failures({ violation }: AnsweredLine["verdict"]["value"], state: State): string[] {
  const { what, thing } = (violation ?? {}) as { what?: string; thing?: string | null };
  if (!what) return [];
  const clause = (SAY.clause as Record<string, string>)[what] ?? what;
  return [SAY.wrongAt(thing ? `${clause}, ${listNames(state, [thing])}` : clause)];
}

function contactLines(value: AnsweredLine["verdict"]["value"], state: State): string[] {
  const valuesOf = (key: string) => (Array.isArray(value[key]) ? (value[key] as (string | { id: string })[]) : []);
  const ids = (key: string) => valuesOf(key).map((one) => (typeof one === "string" ? one : one.id));
  const [strikes, touched, melee] = [ids("free_strikes"), ids("contacts"), ids("in_melee_with")];
  return [
    ...(strikes.length ? [SAY.strikesFrom(listNames(state, strikes))] : []),
    ...(touched.length ? [SAY.touches(listNames(state, touched))] : []),
    melee.length ? SAY.endsIn(listNames(state, melee)) : SAY.alone,
  ];
}
