/** Entry of a spectator's page: one table, as late as the organiser set it. */

import { html, nothing, render, type TemplateResult } from "lit";
import "../shared/style.css";
import "./watch.css";
import { WholeStream } from "../shared/event-stream";
import { Store } from "../shared/store";
import { span } from "../shared/format";
import type { ClockView, SpectatedTable } from "../shared/types.gen";
import { languageChoice, useHallLanguage } from "./language";
import { words } from "./strings";
import { drawnTable } from "../judge/view/drawn-table";

const TICK_MS = 500;
const number = Number(/\/tables\/(\d+)/.exec(location.pathname)?.[1] ?? NaN);

interface State {
  readonly shown: SpectatedTable | null;
  readonly isLost: boolean;
  readonly isUnknown: boolean;
  /** when what is shown came, and now, both by this page's clock */
  readonly came_s: number;
  readonly now_s: number;
}

await useHallLanguage();

const root = document.getElementById("watch") as HTMLElement;
const store = new Store<State>({ shown: null, isLost: false, isUnknown: false, came_s: 0, now_s: 0 }, (state) => render(page(state), root));

render(page(store.state), root);
void begin();
setInterval(() => store.set({ now_s: performance.now() / 1000 }), TICK_MS);

async function begin(): Promise<void> {
  const answer = await fetch(`/api/v1/hall/tables/${number}/watch`, { cache: "no-store" }).catch(() => null);
  if (answer !== null && (answer.status === 404 || answer.status === 422)) return store.set({ isUnknown: true });
  new WholeStream<SpectatedTable>(`/api/v1/hall/tables/${number}/watch/stream`, {
    onWhole: (shown) => store.set({ shown, isLost: false, came_s: performance.now() / 1000, now_s: performance.now() / 1000 }),
    onLost: () => store.set({ isLost: true }),
  }).open();
}

function page(state: State): TemplateResult {
  const { shown, isLost, isUnknown } = state;
  return html`<header><h1>${words.table(number)}${shown?.round ? html` <small>${words.round(shown.round)}</small>` : nothing}</h1>
      <a href="/hall/clock">${words.watching.back}</a></header>
    <main>
      ${isLost ? html`<p class="lost" role="alert">${words.lost}</p>` : nothing}
      ${(shown?.alarms ?? []).map((alarm) => html`<p class="lost" role="alert">${alarm.says}</p>`)}
      ${isUnknown ? html`<p class="hint">${words.watching.unknown}</p>` : shown ? table(shown, state) : html`<p class="hint">${words.connecting}</p>`}
      ${languageChoice(() => store.set({}))}
    </main>`;
}

function table(shown: SpectatedTable, state: State): TemplateResult {
  const players = shown.players as Readonly<Record<string, string>>;
  return html`${shown.clocks || players["player-a"] ? html`<div class="sides">${["player-a", "player-b"].map((player) => {
      const clock = shown.clocks?.players.find((one) => one.player === player);
      return html`<p class=${clock?.runs ? "runs" : ""}><span>${players[player] ?? words.players[player]}</span>${clock ? html`<b>${span(leftNow(clock, state))}</b>` : nothing}</p>`;
    })}</div>` : nothing}
    ${shown.table ? drawnTable(shown.table, words.table(shown.number)) : html`<p class="hint">${words.watching.none}</p>`}
    <p class="hint">${shown.delay_s > 0 ? words.watching.late(span(shown.delay_s)) : words.watching.live}</p>`;
}

function leftNow(clock: ClockView, { came_s, now_s }: State): number {
  return clock.left_s - (clock.runs ? Math.max(0, now_s - came_s) : 0);
}
