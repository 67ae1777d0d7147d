/** Score: the round, and the points of both players, as the judge sets them. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { hasRight, type State } from "../state";
import { words } from "../strings";

const MOST_POINTS = 10_000;

/** A field that is in use keeps what was typed, whatever the players say meanwhile, until the score is set. */
export function scoreForm(state: State, actions: Actions): TemplateResult | typeof nothing {
  const board = state.bench?.scoreboard;
  if (!board || !hasRight(state, "rule")) return nothing;
  const set = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const points = { "player-a": Number(fields.get("player-a")), "player-b": Number(fields.get("player-b")) };
    await actions.setScore(Number(fields.get("round")), points, board.score?.n ?? 0);
    form.reset();
  };
  const points = (player: "player-a" | "player-b") =>
    field(words.score.points(board.players[player]?.name ?? words.seats[player]!), player, board.score?.points[player] ?? 0, 0, MOST_POINTS);
  return html`<form class="card score" @submit=${set}><h3>${words.score.title}</h3>
    ${field(words.score.round, "round", board.score?.round ?? 1, 1, 99)} ${points("player-a")} ${points("player-b")}
    <button class="main">${words.score.set}</button></form>`;
}

function field(says: string, name: string, value: number, least: number, most: number): TemplateResult {
  return html`<label>${says}<input name=${name} type="number" inputmode="decimal" min=${least} max=${most} step="1" .defaultValue=${String(value)} required /></label>`;
}
