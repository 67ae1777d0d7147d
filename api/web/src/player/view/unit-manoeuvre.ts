/** Manoeuvre panel of a unit: its steps, a charge or a flight, what it costs, and every answer from its end. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { isCourseOfManoeuvre, isMove, manoeuvreQuestion, placesOf } from "../unit-manoeuvre";
import { miniature, type ManoeuvrePlan, type State } from "../state";
import type { Step } from "../../shared/types.gen";
import { chip } from "./pair-sheet";
import { icon, type IconName } from "./icons";
import { course, answersFromEnd, namedTool } from "./move-plan";
import { rows } from "./answer-rows";
import { SAY } from "../../shared/strings";

const WHEEL_DEG = 10;
const STEP_IN = 1;
const DEEDS: readonly ManoeuvrePlan["do"][] = ["move", "march", "charge", "flee"];
const ROLLS = [4, 5, 6, 7, 8, 10];

export function manoeuvrePanel(state: State, manoeuvre: ManoeuvrePlan, actions: Actions): TemplateResult {
  const m = miniature(state, manoeuvre.who);
  return html`<section class="sheet plan" aria-label=${SAY.whatIf}>
    <header class="pair">
      <h2 class="who a"><b aria-hidden="true">A</b><span>${m?.name}<small>${summary(state, manoeuvre)}</small></span></h2>
      <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
    </header>
    <div class="lines">
      <div class="chips manners" role="radiogroup" aria-label=${SAY.mannerName}>
        ${DEEDS.map((one) => chip(SAY.deed[one], manoeuvre.do === one, () => actions.manoeuvre.setKind(one)))}</div>
      ${isMove(manoeuvre) ? steps(manoeuvre, actions) : manoeuvre.do === "flee" ? rolls(manoeuvre, actions) : nothing}
      ${play(state, actions)}
      ${state.course?.who === manoeuvre.who
        ? html`<div class=${isCourseOfManoeuvre(state) ? "" : "old"}>
          ${rows(state.course.lines, state, actions, (line) => course(line, state))}</div>` : nothing}
      ${answersFromEnd(state, actions)}</div>
  </section>`;
}

function summary(state: State, manoeuvre: ManoeuvrePlan): string {
  if (isMove(manoeuvre)) return manoeuvre.steps.length ? manoeuvre.steps.map(stepText).join(", ") : SAY.drillIt;
  const other = miniature(state, state.b)?.name;
  if (!other) return manoeuvre.do === "flee" ? SAY.tapFrom : SAY.tapWhom;
  return manoeuvre.do === "flee" ? SAY.fleesFrom(other) : SAY.chargesAt(other);
}

function stepText(step: Step): string {
  return SAY.step[step.do](step.by_deg == null ? `${+(step.by_in ?? 0).toFixed(2)}″` : `${Math.round(step.by_deg)}°`);
}

function steps(manoeuvre: ManoeuvrePlan, actions: Actions): TemplateResult {
  const isStill = manoeuvre.steps.length === 0;
  const wheel = (path: "wheel-left" | "wheel-right"): Step => ({ do: path, by_in: null, by_deg: WHEEL_DEG });
  const go = (path: "forward" | "backward" | "left" | "right"): Step => ({ do: path, by_in: STEP_IN, by_deg: null });
  const tool = (name: IconName, short: string, label: string, act: () => void, isOff = false) => namedTool(name, short, label, act, isOff);
  const one = (name: IconName, short: string, step: Step) => tool(name, short, stepText(step), () => actions.manoeuvre.addStep(step));
  return html`<div class="toolbar steps named" role="group" aria-label=${SAY.section.steps}>
      ${one("left", SAY.short.wheelLeft, wheel("wheel-left"))}${one("ahead", SAY.short.forward, go("forward"))}${one("right", SAY.short.wheelRight, wheel("wheel-right"))}
      ${one("rear", SAY.short.rear, go("backward"))}${one("aside", SAY.short.aside, go("left"))}${one("beside", SAY.short.beside, go("right"))}
      ${tool("undo", SAY.short.undo, SAY.undoLeg, () => actions.manoeuvre.undoStep(), isStill)}
      ${tool("back", SAY.short.back, SAY.backToStart, () => actions.manoeuvre.backToStart(), isStill)}
    </div>`;
}

function rolls(manoeuvre: ManoeuvrePlan, actions: Actions): TemplateResult {
  const roll = (roll_in: number) => actions.manoeuvre.setRoll(manoeuvre.roll_in === roll_in ? null : roll_in);
  return html`<div class="chips" role="radiogroup" aria-label=${SAY.fleeRoll}>
    ${ROLLS.map((inches) => chip(`${inches}″`, manoeuvre.roll_in === inches, () => roll(inches)))}</div>`;
}

function play(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (manoeuvreQuestion(state) === null || Object.keys(placesOf(state)).length === 0) return nothing;
  return html`<div class="toolbar words"><button class="mend" @click=${() => actions.manoeuvre.playMove()}>${SAY.playAgain}</button></div>`;
}
