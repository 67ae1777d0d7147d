/** Score: the round of the game and the points of each, said by whoever sits at the table. */

import { html, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import { SAY } from "../../shared/strings";

const PLAYERS = ["player-a", "player-b"] as const;

export function scoreForm(state: State, actions: Actions): TemplateResult {
  const known = state.scoreboard.score;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const points = Object.fromEntries(PLAYERS.map((player) => [player, Number(fields.get(player))]));
    void actions.corrections.put("scoreboard/score", { round: Number(fields.get("round")), points, seen: known?.n ?? 0 });
  };
  return html`<h3>${SAY.score}</h3><form class="form score" @submit=${send}>
    ${number(SAY.roundOfGame, "round", known?.round ?? 1, 1, 99)}
    ${PLAYERS.map((player) => number(SAY.seat[player], player, known?.points[player] ?? 0, 0, 10000))}
    <button class="mend">${SAY.saveScore}</button></form>
    ${known ? html`<p class="soft">${SAY.saidBy(SAY.seat[known.by])}</p>` : ""}`;
}

function number(says: string, name: string, value: number, least: number, most: number): TemplateResult {
  return html`<label>${says}<input type="number" inputmode="numeric" name=${name} min=${least} max=${most} step="1" required .defaultValue=${String(value)} /></label>`;
}
