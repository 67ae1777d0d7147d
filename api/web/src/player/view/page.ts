/** Layout of the player's page. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { mayCorrect, restShown, type State } from "../state";
import { candidatePrompt, unconfirmedText } from "./unconfirmed-bases";
import { asOf } from "./as-of";
import { callButton } from "./call-button";
import { clockStrip } from "./clock-strip";
import { icon } from "./icons";
import { lazyView } from "./lazy-view";
import { badge } from "../event-text";
import { isTimeBarShown, panel, pastBar } from "./panel";
import { photographButtons } from "./photograph";
import { rulingNotice } from "./rulings";
import { stage } from "./table-stage";
import { tabs } from "./tabs";
import { phrase } from "../../shared/language";
import { isQuarterTurned, isWide } from "../../shared/geometry";
import { SAY } from "../../shared/strings";

const clock = lazyView(() => import("./chess-clock"));

export function page(state: State, actions: Actions): TemplateResult {
  return html`${bar(state, actions)}
    <main class=${state.settings.isLeft ? "left" : ""}>${stage(state, actions)}${candidatePrompt(state.table, state.candidate, mayCorrect(state), actions.candidates)}${banner(state, actions)}${rulingNotice(state, actions)}${lookButton(state, actions)}${photographButtons(state, actions)}</main>
    <div class="lower ${isTimeBarShown(state) ? "with-bar" : ""} ${state.isTall ? "tall" : isTableLong(state) ? "low" : ""} ${state.settings.isLeft ? "left" : ""}">
      <button class="grab" @click=${() => actions.toggleTall()} aria-label=${state.isTall ? SAY.moreTable : SAY.moreAnswers}
        aria-expanded=${state.isTall}></button>
      ${asOf(restShown(state), actions.picture)}
      ${pastBar(state, actions)}${panel(state, actions)}${tabs(state, actions)}
    </div>
    ${state.isClockOpen ? (clock(actions)?.chessClock(state, actions) ?? nothing) : nothing}`;
}

/** Whether the table on its side gets the height that two picked ones need for their answers. */
function isTableLong(state: State): boolean {
  return state.isNarrow && state.tool === "ask" && state.b === null && isQuarterTurned(state);
}

function bar(state: State, actions: Actions): TemplateResult {
  const { tone, says } = badge(state);
  const more = unconfirmedText(state.table);
  return html`<header class="bar ${state.settings.isLeft ? "left" : ""}">
    <p class="badge ${tone}" role="status" aria-live="off"><span class="dot"></span><span>${says}</span></p>
    <h1 class=${state.notice ? "news" : ""}><span role="status">${state.notice ?? state.title}</span>${more && !state.notice ? html`<small>${more}</small>` : nothing}</h1>
    ${clockStrip(state, actions)}${callButton(state, actions)}
  </header>`;
}

/** Back to the whole table, where the thumb is; while all of it is shown and nobody is picked, a quarter turn. */
function lookButton(state: State, actions: Actions): TemplateResult | typeof nothing {
  const { a, isNarrow, table, view: { k, x, y } } = state;
  if (k !== 1 || x !== 0 || y !== 0) return html`<button class="round look" @click=${() => actions.showWholeTable()} aria-label=${SAY.whole}>${icon("whole")}</button>`;
  if (!isNarrow || a !== null || !isWide(table)) return nothing;
  return html`<button class="round look" @click=${() => actions.sitAt({ quarter: !isQuarterTurned(state) })} aria-label=${SAY.quarter} aria-pressed=${isQuarterTurned(state)}>${icon("turn")}</button>`;
}

function banner(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (state.link === "lost") {
    return html`<p class="banner wait" role="alert">${icon("warn")}<span><b>${SAY.reconnecting}</b> ${SAY.mayBeOld}</span></p>`;
  }
  if (!state.problem) return alarms(state);
  const { title, detail } = state.problem;
  const tone = state.fresh.source === "ended" ? "wait" : "bad";
  return html`<div class="banner ${tone}" role="alert">${icon("warn")}<span><b>${phrase(title)}.</b> ${phrase(detail)}</span>
    ${state.problem.type === "world/camera_moved"
      ? html`<button class="mend" @click=${() => actions.camera.register()}>${SAY.registerAgain}</button>`
      : nothing}</div>`;
}

/** What is not as it should be with the server itself; the newest, since a phone has room for one. */
function alarms({ alarms }: State): TemplateResult | typeof nothing {
  const newest = alarms.at(-1);
  return newest ? html`<div class="banner wait" role="alert">${icon("warn")}<span>${phrase(newest.says)}</span></div>` : nothing;
}
