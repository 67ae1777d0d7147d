/** Queue of a judge: what waits at this table and at the others, the longest first, with players, clocks and the question in words. */

import { html, nothing, type TemplateResult } from "lit";
import { sideChip } from "../../player/view/picker";
import { inNames } from "../../shared/entities";
import { lengthIn, span } from "../../shared/format";
import { phrase } from "../../shared/language";
import type { Dispute, TableSummary } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { hereNow, nameOf, type Other, type State } from "../state";
import { words } from "../strings";
import { thumbnail } from "./drawn-table";
import { secondsLeft } from "./clocks";
import { freshnessText, tone } from "./tables";

const PLAYERS = ["player-a", "player-b"] as const;

/** What waits: since when, and how it is drawn. */
interface Waiting {
  readonly at_s: number;
  readonly card: TemplateResult;
}

export function queue(state: State, actions: Actions): TemplateResult {
  const [waiting, here] = [waitingAt(state, actions), hereNow(state)];
  return html`<section class="queue" aria-live="polite"><h2>${words.queue.title} ${waiting.length > 0 ? html`<b class="count">${waiting.length}</b>` : nothing}</h2>
    ${waiting.length === 0 ? html`<p class="hint">${words.queue.nobody}</p>` : nothing}
    <ol>${waiting.map(({ card }) => html`<li>${card}</li>`)}</ol>
    ${state.dispute === null && here !== null ? ownTable(state, here, actions) : nothing}</section>`;
}

function waitingAt(state: State, actions: Actions): readonly Waiting[] {
  const here = state.dispute === null ? [] : [{ at_s: state.dispute.at_s, card: disputeCard(state.dispute, state, actions) }];
  const others = state.others.flatMap((one) => otherCard(one, state));
  return [...here, ...others].sort((one, other) => one.at_s - other.at_s);
}

/** The question as a sentence with the names of the two. */
export function questionOf(dispute: Pick<Dispute, "title" | "a" | "b">, state: State): string {
  const said = inNames(phrase(dispute.title), { a: nameOf(state, dispute.a), b: nameOf(state, dispute.b) }, null);
  return /: /.test(said) ? said : `${said}?`;
}

function disputeCard(dispute: Dispute, state: State, actions: Actions): TemplateResult {
  return html`<button class="queued ${dispute.is_judge_called ? "called" : ""}" @click=${() => actions.openDispute(dispute)}>
    ${state.table ? thumbnail(state.table, [dispute.a, dispute.b]) : nothing}
    <span class="asks">${questionOf(dispute, state)}</span>
    <span class="waits">${dispute.is_judge_called ? words.calledFor : words.types["dispute-opened"]}, ${span(state.now_s - dispute.at_s)}</span>
    ${players(state)}
    <span class="deeds-done">${PLAYERS.map((seat) => html`<small>${playerName(state, seat)}: ${deedsOf(dispute, seat) || "…"}</small>`)}</span></button>`;
}

/** What a player has done about a dispute so far. */
export function deedsOf({ claims, dice, tapes_in, yes, no }: Dispute, seat: string): string {
  const claim = claims[seat];
  const tape_in = tapes_in[seat];
  return [claim ? phrase(claim === "yes" ? yes : no) : "", (dice[seat] ?? []).join(", "), tape_in === undefined ? "" : lengthIn(tape_in)].filter(Boolean).join(" · ");
}

export function playerName({ bench }: State, seat: string): string {
  return bench?.scoreboard.players[seat]?.name ?? words.seats[seat] ?? seat;
}

/** Both players with their sides' colours, and what their clocks show. */
function players(state: State): TemplateResult {
  const clocks = state.bench?.clocks?.players ?? [];
  return html`<span class="both">${PLAYERS.map((seat) => {
    const clock = clocks.find(({ player }) => player === seat);
    const side = state.bench?.scoreboard.players[seat]?.side ?? null;
    return html`<span class=${clock?.runs ? "runs" : ""}>${sideChip({ side }, state)}${playerName(state, seat)} ${clock ? html`<b>${span(secondsLeft(clock, state))}</b>` : nothing}</span>`;
  })}</span>`;
}

/** Nobody disputes anything: the table as it is. */
function ownTable(state: State, here: TableSummary, actions: Actions): TemplateResult {
  return html`<button class="queued quietly ${tone(here)}" @click=${() => actions.goToMoment(null)}>
    ${state.table ? thumbnail(state.table, []) : nothing}
    <span class="asks">${here.title}</span>
    <span class="state"><i class="dot"></i>${freshnessText(here.fresh, here.problem !== null)}</span>
    ${players(state)}</button>`;
}

function otherCard({ name, url, glance }: Other, state: State): readonly Waiting[] {
  if (glance === null || glance === "none" || !glance.question) return [];
  const { question, players: called, clocks } = glance;
  const card = html`<a class="queued ${question.is_judge_called ? "called" : ""}" href="${url}/judge">
    <span class="asks">${name}: ${question.asked}?</span>
    <span class="waits">${question.is_judge_called ? words.calledFor : words.types["dispute-opened"]}, ${span(state.now_s - question.at_s)}</span>
    <span class="both">${PLAYERS.map((seat) => {
      const clock = clocks?.players.find(({ player }) => player === seat);
      return html`<span class=${clock?.runs ? "runs" : ""}>${called[seat] ?? words.seats[seat]} ${clock ? html`<b>${span(clock.left_s)}</b>` : nothing}</span>`;
    })}</span></a>`;
  return [{ at_s: question.at_s, card }];
}
