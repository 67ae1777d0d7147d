/** What if a unit manoeuvred: its steps, a charge or a flight, what it costs, and every answer from its end. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { isCourseOfDrill, isMove, manoeuvreOf, placesOf } from "../drill";
import { miniature, type Drill, type State } from "../state";
import type { Step } from "../types.gen";
import { chip } from "./chips";
import { icon, type IconName } from "./icons";
import { course, from } from "./plan";
import { rows } from "./rows";
import { SAY } from "./words";

const WHEEL_DEG = 10;
const STEP_IN = 1;
const DEEDS: readonly Drill["do"][] = ["move", "march", "charge", "flee"];
const ROLLS = [4, 5, 6, 7, 8, 10];

export function drill(state: State, drill: Drill, actions: Actions): TemplateResult {
  const m = miniature(state, drill.who);
  return html`<section class="sheet plan" aria-label=${SAY.whatIf}>
    <header class="pair">
      <h2 class="who a"><b aria-hidden="true">A</b><span>${m?.name}<small>${summary(state, drill)}</small></span></h2>
      <button class="round" @click=${() => actions.clear()} aria-label=${SAY.clear}>${icon("clear")}</button>
    </header>
    <div class="lines">
      <div class="chips manners" role="radiogroup" aria-label=${SAY.mannerName}>
        ${DEEDS.map((one) => chip(SAY.deed[one], drill.do === one, () => actions.drill.as(one)))}</div>
      ${isMove(drill) ? steps(drill, actions) : drill.do === "flee" ? rolls(drill, actions) : nothing}
      ${play(state, actions)}
      ${state.course?.who === drill.who
        ? html`<div class=${isCourseOfDrill(state) ? "" : "old"}>
          ${rows(state.course.lines, state.course, state, actions, (line) => course(line, state))}</div>` : nothing}
      ${from(state, actions)}</div>
  </section>`;
}

function summary(state: State, drill: Drill): string {
  if (isMove(drill)) return drill.steps.length ? drill.steps.map(told).join(", ") : SAY.drillIt;
  const other = miniature(state, state.b)?.name;
  if (!other) return drill.do === "flee" ? SAY.tapFrom : SAY.tapWhom;
  return drill.do === "flee" ? SAY.fleesFrom(other) : SAY.chargesAt(other);
}

function told(step: Step): string {
  return SAY.step[step.do](step.by_deg == null ? `${+(step.by_in ?? 0).toFixed(2)}″` : `${Math.round(step.by_deg)}°`);
}

function steps(drill: Drill, actions: Actions): TemplateResult {
  const isStill = drill.steps.length === 0;
  const wheel = (way: "wheel-left" | "wheel-right"): Step => ({ do: way, by_in: null, by_deg: WHEEL_DEG });
  const go = (way: "forward" | "backward" | "left" | "right"): Step => ({ do: way, by_in: STEP_IN, by_deg: null });
  const tool = (name: IconName, label: string, act: () => void, isOff = false) =>
    html`<button class="tool" ?disabled=${isOff} @click=${act} aria-label=${label} title=${label}>${icon(name)}</button>`;
  const one = (name: IconName, step: Step) => tool(name, told(step), () => actions.drill.step(step));
  return html`<div class="toolbar steps" role="group" aria-label=${SAY.steps}>
      ${one("left", wheel("wheel-left"))}${one("ahead", go("forward"))}${one("right", wheel("wheel-right"))}
      ${one("rear", go("backward"))}${one("aside", go("left"))}${one("beside", go("right"))}
      ${tool("undo", SAY.undoLeg, () => actions.drill.undo(), isStill)}
      ${tool("back", SAY.backToStart, () => actions.drill.backToStart(), isStill)}
    </div>`;
}

function rolls(drill: Drill, actions: Actions): TemplateResult {
  const roll = (roll_in: number) => actions.drill.roll(drill.roll_in === roll_in ? null : roll_in);
  return html`<div class="chips" role="radiogroup" aria-label=${SAY.fleeRoll}>
    ${ROLLS.map((inches) => chip(`${inches}″`, drill.roll_in === inches, () => roll(inches)))}</div>`;
}

function play(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (manoeuvreOf(state) === null || Object.keys(placesOf(state)).length === 0) return nothing;
  return html`<div class="toolbar words"><button class="mend" @click=${() => actions.drill.play()}>${SAY.playAgain}</button></div>`;
}
