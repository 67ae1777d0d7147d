/** Entry of the hall clock: what a projector shows, and where a player finds his table. */

import { html, nothing, render, type TemplateResult } from "lit";
import "../shared/style.css";
import "./clock.css";
import { WholeStream } from "../shared/event-stream";
import { problemOf, Refusal } from "../shared/problem";
import { Store } from "../shared/store";
import { span } from "../shared/format";
import type { OwnCheckIn, Pairing, Problem, PublicHall } from "../shared/types.gen";
import { useHallLanguage } from "./language";
import { standingsTable } from "./view/players";
import { remaining_s } from "./view/rounds";
import { words } from "./strings";

const TICK_MS = 250;

interface State {
  readonly hall: PublicHall | null;
  /** the code of who scanned it at the desk, what was typed to find a name, and what the hub said */
  readonly checkIn: string | null;
  readonly sought: string;
  readonly says: string | null;
  readonly isLost: boolean;
  readonly ahead_s: number;
  readonly now_s: number;
}

await useHallLanguage();

const root = document.getElementById("clock") as HTMLElement;
const store = new Store<State>({ hall: null, checkIn: new URLSearchParams(location.search).get("check-in"), sought: "", says: null, isLost: false, ahead_s: 0, now_s: 0 }, (state) => render(page(state), root));

render(page(store.state), root);
new WholeStream<PublicHall>("/api/v1/hall/public/stream", {
  onWhole: (hall) => store.set({ hall, now_s: hall.now_s, ahead_s: hall.now_s - performance.now() / 1000, isLost: false }),
  onLost: () => store.set({ isLost: true }),
}).open();
setInterval(() => store.set({ now_s: performance.now() / 1000 + store.state.ahead_s }), TICK_MS);

function page(state: State): TemplateResult {
  const { hall, isLost, now_s } = state;
  return html`<header><h1>${hall?.event ?? words.connecting}</h1></header>
    <main>
      ${isLost ? html`<p class="lost" role="alert">${words.lost}</p>` : nothing}
      ${(hall?.alarms ?? []).map((alarm) => html`<p class="lost" role="alert">${alarm.says}</p>`)}
      ${hall && state.checkIn !== null ? checkInPart(hall, state.checkIn, state) : nothing}
      ${hall ? face(hall, now_s) : nothing}
      ${hall?.round ? html`<ul class="pairs">${hall.pairings.map(row)}</ul>` : hall ? html`<p class="soft">${words.clock.nobody}</p>` : nothing}
      ${hall?.round && hall.standings.length > 0 ? html`<section aria-label=${words.swiss.standings}><h2>${words.swiss.standings}</h2>${standingsTable(hall.standings)}</section>` : nothing}
    </main>`;
}

/** Who scanned the code at the desk taps their name. */
function checkInPart({ standings }: PublicHall, code: string, { sought, says }: State): TemplateResult {
  const found = standings.filter((one) => one.name.toLowerCase().includes(sought.toLowerCase())).map((one) => one.name).sort();
  return html`<section class="check-in" aria-label=${words.swiss.checkIn}><h2>${words.swiss.checkIn}</h2>
    ${says === null ? html`<p class="soft">${words.swiss.checkInSays}</p>` : html`<p class="says" role="status">${says}</p>`}
    <label>${words.swiss.find}<input type="search" autocomplete="off" .value=${sought} @input=${(event: Event) => store.set({ sought: (event.target as HTMLInputElement).value })} /></label>
    <ul>${found.map((name) => html`<li><button @click=${() => void checkIn(name, code)}>${name}</button></li>`)}</ul></section>`;
}

async function checkIn(name: string, code: string): Promise<void> {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, code } satisfies OwnCheckIn) };
  try {
    const answer = await fetch("/api/v1/hall/check-in", request);
    if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
    store.set({ says: words.swiss.checkedIn(name) });
  } catch (wrong) {
    store.set({ says: problemOf(wrong).detail });
  }
}

function face({ round }: PublicHall, now_s: number): TemplateResult {
  if (!round) return html`<section class="face"><p>${words.clock.none}</p></section>`;
  const left_s = remaining_s(round, now_s);
  const isOver = round.state === "over" || left_s <= 0;
  return html`<section class="face ${isOver ? "over" : left_s < 300 ? "low" : ""}">
    <h2>${words.round(round.number)}</h2>
    <p class="time" role="timer">${round.state === "over" || left_s <= 0 ? words.clock.over : span(left_s)}</p>
    <p>${round.state === "over" ? words.clock.ended : left_s <= 0 ? words.rounds.over(span(-left_s)) : words.clock.left}</p>
  </section>`;
}

function row(one: Pairing): TemplateResult {
  if (one.b === null) return html`<li><span class="at"></span><span>${one.a.name}</span><small>${words.rounds.bye}</small></li>`;
  return html`<li><a class="at" href="/hall/tables/${one.table}" aria-label=${words.table(one.table ?? 0)}>${one.table}</a>
    <span>${one.a.name} <small>${words.rounds.versus}</small> ${one.b.name}</span><small>${resultOf(one)}</small></li>`;
}

function resultOf({ result, a, b }: Pairing): string {
  if (!result) return "";
  const points = `${result.points_a}:${result.points_b}`;
  if (result.winner === "draw") return `${words.rounds.draw} ${points}`;
  return `${words.clock.won((result.winner === "player-a" ? a.name : b?.name) ?? "")} ${points}`;
}
