/** Time bar: all that happened on one line, to move along, to play, and to hand a link on. */

import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { inNames } from "../../shared/entities";
import { phrase } from "../../shared/language";
import { clockTime } from "../../shared/format";
import { eventText } from "../event-text";
import type { BarMoment, MomentKind } from "../moment-list";
import type { State } from "../state";
import { icon } from "./icons";
import { sharing } from "./share-link";
import { SAY } from "../../shared/strings";
import "../past.css";

const RATES = [1, 4, 16] as const;
const WIDTH = 1000;
/** Drawn one over the other: what is rare stands on top. */
const KINDS: readonly MomentKind[] = ["other", "rest", "move", "clock", "correction", "ruling"];

export function timeBar(state: State, actions: Actions): TemplateResult {
  const { moments, playhead_s, at, rate, isReplay } = state;
  const end_s = moments.at(-1)?.since_s ?? 0;
  const here = moments.find((one) => one.n === at);
  const says = here ? momentText(state, here) : SAY.now;
  return html`<section class="past-bar" aria-label=${SAY.bar}>
    <p class="moment-says">${here ? html`<time>${clockTime(here.at_s)}</time>` : nothing} <span>${says}</span></p>
    <div class="scrub">
      <svg class="marks" viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true">${KINDS.map((kind) => marks(kind, moments, end_s))}</svg>
      <input type="range" min="0" max=${Math.max(end_s, 0.1)} step="0.1" .value=${String(at === null ? end_s : playhead_s)} aria-label=${SAY.moment}
        aria-valuetext=${here ? `${clockTime(here.at_s)}, ${says}` : says} ?disabled=${moments.length === 0}
        @input=${(event: Event) => actions.past.scrub(Number((event.target as HTMLInputElement).value))} />
    </div>
    <div class="bar-buttons">
      <button class="round" @click=${() => actions.past.step(-1)} aria-label=${SAY.momentBefore}>${icon("before")}</button>
      ${RATES.map((one) => html`<button class="rate" aria-pressed=${rate === one} aria-label=${SAY.playAt(one)} @click=${() => actions.past.play(one)}>
        ${icon(rate === one ? "pause" : "play")}<span>${one}×</span></button>`)}
      <button class="round" @click=${() => actions.past.step(1)} aria-label=${SAY.momentAfter}>${icon("after")}</button>
      <button class="round" @click=${() => void actions.past.share()} aria-label=${SAY.shareMoment}>${icon("share")}</button>
      ${isReplay || at === null ? nothing : html`<button class="rate strong" @click=${() => void actions.past.goTo(null)}>${SAY.now}</button>`}
    </div>
    ${state.shared === null ? nothing : sharing(state.shared, actions)}
  </section>`;
}

function marks(kind: MomentKind, moments: readonly BarMoment[], end_s: number): SVGTemplateResult {
  const places = moments.filter((one) => one.kind === kind).map((one) => (WIDTH * one.since_s) / Math.max(end_s, 0.1));
  return svg`<path class="mark at-${kind}" d=${places.map((x) => `M${x.toFixed(1)} 0V12`).join("")} />`;
}

function momentText(state: State, one: BarMoment): string {
  const { distance_mm, travelled_mm, ids, says, event } = one;
  const [a, b] = ids;
  if (event === null) return says === null ? SAY.momentKind[one.kind] : a !== undefined && b !== undefined ? inNames(phrase(says), { a, b }, state.table) : says;
  const way = distance_mm === null ? {} : { from_mm: [0, 0], to_mm: [distance_mm, 0] };
  return eventText(state, { type: event, ids, travelled_mm, ...way } as unknown as Parameters<typeof eventText>[1]);
}
