/** Lower third: who plays, how the game stands and in which round, as it was when the delayed picture was taken. */

import { html, nothing, type TemplateResult } from "lit";
import type { Params } from "./url-params";
import type { State } from "./state";
import { span } from "../shared/format";
import type { Board, Scoreboard } from "../shared/types.gen";
import { words } from "./strings";

/** What was said, and since when. */
export interface Said<What> {
  readonly since_s: number;
  readonly what: What;
}

const MOST_KEPT = 30;

export function withSaid<What>(said: readonly Said<What>[], what: What, now_s: number): readonly Said<What>[] {
  const isSame = JSON.stringify(said.at(-1)?.what) === JSON.stringify(what);
  return isSame ? said : [...said, { since_s: said.length === 0 ? 0 : now_s, what }].slice(-MOST_KEPT);
}

/** The newest that had been said by then. */
export function saidAt<What>(said: readonly Said<What>[], then_s: number): What | null {
  return (said.filter((one) => one.since_s <= then_s).at(-1) ?? said[0])?.what ?? null;
}

export function lowerThird({ scores, now_s }: State, params: Params): TemplateResult | typeof nothing {
  const board = saidAt(scores, now_s - params.delay_s);
  if (board === null || (Object.keys(board.players).length === 0 && board.score === null)) return nothing;
  const { score } = board;
  return html`<aside class="lower-third" aria-label=${words.score}>
    ${player("player-a", board)}
    <div>${score === null ? html`<b class="versus">–</b>` : html`<b>${score.points["player-a"]}<i>:</i>${score.points["player-b"]}</b>`}
      ${score?.round ? html`<small>${words.round(score.round)}</small>` : nothing}</div>
    ${player("player-b", board)}
  </aside>`;
}

/** How much time is left to both, and the score, in one line; empty where there is neither. */
export function scoreboardText({ clocks, scoreboard, now_s: written_s }: Board, now_s: number): string {
  const left = clocks?.players.map(({ player, left_s, runs }) => `${words.players[player]} ${span(left_s - (runs ? now_s - written_s : 0))}`);
  const points = scoreboard.score?.points;
  return [left?.[0], points && `${points["player-a"]} : ${points["player-b"]}`, left?.[1]].filter(Boolean).join("   ·   ");
}

function player(seat: "player-a" | "player-b", { players }: Scoreboard): TemplateResult {
  const known = players[seat];
  return html`<span class=${seat}>${known?.name ?? words.player[seat]}${known?.side ? html`<em>${known.side}</em>` : nothing}</span>`;
}
