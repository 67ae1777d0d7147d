/** Entry of the stream's overlay: what the server says is on air, for as long as it is. */

import { render } from "lit";
import { nameSeats } from "../shared/language";
import { usePageLanguage } from "../shared/page-language";
import { Store } from "../shared/store";
import { WholeStream } from "../shared/event-stream";
import "../shared/style.css";
import "./overlay.css";
import { HIGH_PX, paramsOf, WIDE_PX } from "./url-params";
import { withSaid } from "./lower-third";
import { start, type State } from "./state";
import type { Board, ListNaming, SeatStatus } from "../shared/types.gen";
import { PluginWidgets } from "./plugin-widgets";
import { overlay } from "./view";
import { airtimeAt } from "./schedule";

/** Often enough that a verdict comes and goes in time. */
const TICK_MS = 100;
const LISTS_MS = 4000;

const params = paramsOf(location.search);
await usePageLanguage(params.language);
const root = document.getElementById("overlay") as HTMLElement;
const stage = document.getElementById("plugin-widgets") as HTMLElement;
const plugins = new PluginWidgets(stage);
const store = new Store<State>(start, (state) => render(overlay(state, params), root));

document.documentElement.dataset.theme = params.theme;
root.style.setProperty("--safe", `${params.safe_px}px`);
fitToWindow();
addEventListener("resize", fitToWindow);
// A program that hides a source stops its timers: what is shown is worked out anew as soon as it is seen again.
for (const shown of ["visibilitychange", "obsSourceVisibleChanged", "obsSourceActiveChanged"]) addEventListener(shown, refresh);
document.addEventListener("visibilitychange", refresh);
new WholeStream<Board>("api/v1/overlay/stream", { onWhole: takeBoard }).open();
setInterval(refresh, TICK_MS);
void readSeat();
void plugins.load(params);
if (params.widgets.has("army")) {
  void readLists();
  setInterval(() => void readLists(), LISTS_MS);
}

/** Who came by the stream's code may show the camera's own pixels; the others see the straightened picture. */
async function readSeat(): Promise<void> {
  const answer = await fetch("api/v1/seat").catch(() => null);
  if (answer?.ok) store.set({ mayCut: ((await answer.json()) as SeatStatus).rights.includes("air") });
}

/** How the armies stand; what cannot be read stays as it was. */
async function readLists(): Promise<void> {
  const answer = await fetch("api/v1/lists").catch(() => null);
  if (!answer?.ok) return;
  const naming = (await answer.json()) as ListNaming;
  const now_s = performance.now() / 1000 + store.state.ahead_s;
  store.set({ lists: withSaid(store.state.lists, naming, now_s), now_s });
}

function takeBoard(board: Board): void {
  nameSeats(board.scoreboard);
  const scores = withSaid(store.state.scores, board.scoreboard, board.now_s);
  store.set({ board, scores, ahead_s: board.now_s - performance.now() / 1000 });
  plugins.take(board, params.delay_s);
  refresh();
}

/** What is on air now; drawn anew only when that is something else. */
function refresh(): void {
  const { board, ahead_s, newest: before, current: was } = store.state;
  if (!board) return;
  const now_s = performance.now() / 1000 + ahead_s;
  const now = airtimeAt(board, now_s, params);
  const isSame = now?.item === was?.item && now?.since_s === was?.since_s;
  if (!isSame) store.set({ current: now, newest: now ?? before });
  if (params.widgets.has("clocks") || params.widgets.has("lowerthird") || params.widgets.has("army")) store.set({ now_s });
}

/** The page is laid out for 1920 x 1080 and shrinks into whatever it is given. */
function fitToWindow(): void {
  const scale = Math.min(innerWidth / WIDE_PX, innerHeight / HIGH_PX);
  for (const laid of [root, stage]) laid.style.transform = `scale(${scale})`;
}
