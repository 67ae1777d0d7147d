/** Unconfirmed bases: what may be one is drawn dotted; a tap asks, one more confirms or dismisses it. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { CandidateHandlers } from "../../shared/candidate-handlers";
import { onScreen, scaleOf, type Frame } from "../../shared/geometry";
import { SAY } from "../../shared/strings";
import type { DrawnCandidate, DrawnTable } from "../../shared/types.gen";
import { sizeOf } from "../event-text";
import { outline } from "./base-marker";
import { icon } from "./icons";
import { textWidth, type LabelLayout } from "./label-layout";

const LEAST_PX = 15;
const LETTER_PX = 8;
const TEXT_PX = 13;

/** Outlines in table millimetres, each with room for a finger. */
export function candidates({ unconfirmed }: DrawnTable, frame: Frame, on: CandidateHandlers): SVGTemplateResult {
  const reach = LEAST_PX / scaleOf(frame);
  const press = (event: Event, one: DrawnCandidate) => {
    event.stopPropagation();
    event.preventDefault();
    on.open(one);
  };
  return svg`${unconfirmed.map((one) => svg`<g class="candidate" role="button" tabindex="0" aria-label=${describe(one)} @click=${(event: Event) => press(event, one)}
      @keydown=${(event: KeyboardEvent) => (event.key === "Enter" || event.key === " ") && press(event, one)}>
    <circle class="touch" cx=${one.at_mm[0]} cy=${one.at_mm[1]} r=${reach} />${outline(asDrawn(one), "casing")}${outline(asDrawn(one), "dotted")}</g>`)}`;
}

/** Nothing else is written over their names. */
export function reserveCandidateNames({ unconfirmed }: DrawnTable, frame: Frame, layout: LabelLayout): void {
  for (const { at_mm, name } of unconfirmed) {
    const [x, y] = onScreen(frame, at_mm);
    layout.reserve({ x, y, half: textWidth(name, TEXT_PX) / 2 + 2, high: LETTER_PX });
  }
}

/** Their names, in screen pixels. */
export function candidateNames({ unconfirmed }: DrawnTable, frame: Frame): SVGTemplateResult {
  return svg`${unconfirmed.map((one) => {
    const [x, y] = onScreen(frame, one.at_mm);
    return svg`<text class="candidate-name" x=${x} y=${y} dy="0.35em" aria-hidden="true">${one.name}</text>`;
  })}`;
}

/** What is asked about the one that was tapped, while it is there. */
export function candidatePrompt(table: DrawnTable | null, opened: DrawnCandidate | null, may: boolean, on: CandidateHandlers): TemplateResult | typeof nothing {
  const one = table?.unconfirmed.find(({ at_mm }) => at_mm[0] === opened?.at_mm[0] && at_mm[1] === opened?.at_mm[1]);
  if (!one) return nothing;
  return html`<div class="candidate-prompt" role="group" aria-label=${describe(one)}><p><b>${one.name}</b> ${describe(one)}</p>
    ${may ? html`<button class="mend strong" @click=${() => on.settle(one, true)}>${SAY.isBase}</button>
      <button class="mend" @click=${() => on.settle(one, false)}>${SAY.isNoBase}</button>
      <a class="mend" href=${measureAddress({ at: one.at_mm.join(",") })}>${SAY.lookCloser}</a>` : nothing}
    <button class="round" @click=${() => on.open(null)} aria-label=${SAY.putAway}>${icon("clear")}</button></div>`;
}

/** Where a base is measured in the camera's own pixels: this miniature, what stands at this place, or one to be tapped. */
export function measureAddress(what: Readonly<Record<string, string>> = {}): string {
  const from: Readonly<Record<string, string>> = location.pathname.endsWith("judge") ? { judge: "" } : {};
  return `measure?${new URLSearchParams({ ...what, ...from }).toString()}${location.hash}`;
}

/** How many bases of the lists stand nowhere, or that both players called the table complete. */
export function rollText(table: DrawnTable | null): string {
  if (table?.is_complete) return SAY.tableComplete;
  return table?.missing ? SAY.missingBases(table.missing) : "";
}

/** How many more there probably are; empty where nothing is in doubt. */
export function unconfirmedText(table: DrawnTable | null): string {
  const all = table?.unconfirmed ?? [];
  return all.length === 0 ? "" : SAY.unconfirmed(Math.round(all.reduce((sum, one) => sum + one.probability, 0)));
}

function describe(one: DrawnCandidate): string {
  return SAY.mayBeBase(sizeOf(one), SAY.percent(one.probability));
}

function asDrawn({ at_mm, base, turn_deg }: DrawnCandidate): Parameters<typeof outline>[0] {
  return { at_mm, base, facing_deg: turn_deg, facing_alternatives: [] };
}
