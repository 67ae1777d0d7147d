/** Dispute sheet: one question, four ways to end it, and what each player has done; the same on both phones. */

import { html, nothing, type TemplateResult } from "lit";
import { headlineOf, isAnswered, lengthIn } from "../../shared/format";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";
import type { Dispute } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { mayCorrect, namesOf, type State } from "../state";
import { marginText, withLetters } from "./answer-rows";
import { icon } from "./icons";
import { problemBox } from "./pair-sheet";

const PLAYERS = ["player-a", "player-b"] as const;
const FACES = ["", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];
const EIGHTH_IN = 0.125;

export function disputeSheet(dispute: Dispute, state: State, actions: Actions): TemplateResult {
  const may = mayCorrect(state);
  return html`<section class="sheet disputed" aria-label=${SAY.disputed}>
    <header class="pair"><h2>${SAY.disputed}</h2>
      ${may ? html`<button class="round" @click=${() => void actions.settlements.answer({ how: "put-away" })} aria-label=${SAY.putDisputeAway}>${icon("clear")}</button>` : nothing}</header>
    <div class="lines"><p class="sentence close"><span>${withLetters(phrase(dispute.title), namesOf(state), dispute)}?</span></p>${found(dispute, state)}
      ${state.askProblem ? problemBox(state.askProblem) : nothing}
      ${agreement(dispute, state, may, actions)}${dice(dispute, state, may, actions)}${tape(dispute, state, may, actions)}${judge(dispute, state, may, actions)}</div>
  </section>`;
}

/** What the referee found, with its figure. */
function found({ a, b, title }: Dispute, state: State): TemplateResult | typeof nothing {
  const line = state.sheet?.a === a && state.sheet.b === b ? state.sheet.lines.find((one) => one.title === title) : undefined;
  return line && isAnswered(line) ? html`<p class="soft">${headlineOf(line)} · ${marginText(line, state)}</p>` : nothing;
}

/** What a player has done so far, beside the name. */
function done(what: (player: (typeof PLAYERS)[number]) => string): TemplateResult {
  return html`<p class="done">${PLAYERS.map((player) => html`<span><b>${SAY.seat[player]}</b> ${what(player) || "…"}</span>`)}</p>`;
}

function agreement({ claims, yes, no }: Dispute, { seat }: State, may: boolean, actions: Actions): TemplateResult {
  const says = (claim: "yes" | "no") => phrase(claim === "yes" ? yes : no);
  return html`<section class="manner"><h3>${SAY.agreeOn}</h3>
    ${may ? html`<div class="chips">${(["yes", "no"] as const).map((claim) => html`<button aria-pressed=${claims[seat] === claim} @click=${() => void actions.settlements.answer({ how: "agree", answer: claim })}>${says(claim)}</button>`)}</div>` : nothing}
    ${done((player) => (claims[player] ? says(claims[player]) : ""))}</section>`;
}

/** Each rolls one die, once; after a tie both roll again, and the higher roll decides. */
function dice({ dice, claims }: Dispute, { seat }: State, may: boolean, actions: Actions): TemplateResult {
  const [first = [], second = []] = PLAYERS.map((player) => dice[player] ?? []);
  const isEven = first.length === second.length;
  const winner = first.length > 0 && isEven && first.at(-1) !== second.at(-1) ? ((first.at(-1) ?? 0) > (second.at(-1) ?? 0) ? PLAYERS[0] : PLAYERS[1]) : null;
  const mine = (dice[seat] ?? []).length;
  const isMyTurn = winner === null && mine <= Math.min(first.length, second.length);
  return html`<section class="manner"><h3>${SAY.rollFor}</h3><p class="soft">${SAY.rollForWhy}</p>
    ${may ? html`<button class="mend" ?disabled=${!isMyTurn} @click=${() => void actions.settlements.answer({ how: "roll" })}>${SAY.rollMine}</button>` : nothing}
    <p class="done dice" role="status">${PLAYERS.map((player) => html`<span><b>${SAY.seat[player]}</b> ${(dice[player] ?? []).map((face) => html`<i class="die">${FACES[face]}</i> ${face}`)}</span>`)}</p>
    ${winner && !claims[winner] ? html`<p role="status"><b>${SAY.winnerSays(SAY.seat[winner])}</b></p>` : nothing}</section>`;
}

function tape({ limit_mm, tapes_in }: Dispute, _: State, may: boolean, actions: Actions): TemplateResult | typeof nothing {
  if (limit_mm === null) return nothing;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const tape_in = Number(new FormData(event.target as HTMLFormElement).get("tape"));
    if (tape_in > 0) void actions.settlements.answer({ how: "tape", tape_in });
  };
  return html`<section class="manner"><h3>${SAY.layTape}</h3>
    ${may ? html`<form class="form inline" @submit=${send}><label>${SAY.tapeReads}<input name="tape" type="number" inputmode="decimal" min="0" max="120" step=${EIGHTH_IN} required /></label>
      <button class="mend">${SAY.tellTape}</button></form>` : nothing}
    ${done((player) => (tapes_in[player] === undefined ? "" : lengthIn(tapes_in[player])))}</section>`;
}

function judge({ is_judge_called }: Dispute, { hasJudge, call }: State, may: boolean, actions: Actions): TemplateResult {
  const couldCome = hasJudge || call?.in_hall === true;
  return html`<section class="manner"><h3>${SAY.seat.judge}</h3>
    ${is_judge_called ? html`<p role="status"><b>${SAY.judgeCalled}</b> ${couldCome ? "" : SAY.noJudgeHere}</p>`
      : !couldCome ? html`<p class="soft">${SAY.noJudgeHere}</p>`
      : may ? html`<button class="mend" @click=${() => void actions.settlements.answer({ how: "judge" })}>${SAY.callJudge}</button>` : nothing}</section>`;
}
