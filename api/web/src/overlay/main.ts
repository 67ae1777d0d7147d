/** The stream's overlay: what the server says is on air, for as long as it is. */

import { render } from "lit";
import { Store } from "../store";
import { WholeStream } from "../whole";
import "../style.css";
import "./overlay.css";
import { HIGH_PX, paramsOf, WIDE_PX } from "./params";
import { start, type State } from "./state";
import type { Board } from "./types.gen";
import { overlay } from "./view";
import { showing } from "./when";

/** Often enough that a verdict comes and goes in time. */
const TICK_MS = 100;

const params = paramsOf(location.search);
const root = document.getElementById("overlay") as HTMLElement;
const store = new Store<State>(start, (state) => render(overlay(state, params), root));

document.documentElement.dataset.theme = params.theme;
root.style.setProperty("--safe", `${params.safe_px}px`);
fit();
addEventListener("resize", fit);
// A program that hides a source stops its timers: what is shown is worked out anew as soon as it is seen again.
for (const shown of ["visibilitychange", "obsSourceVisibleChanged", "obsSourceActiveChanged"]) addEventListener(shown, look);
document.addEventListener("visibilitychange", look);
new WholeStream<Board>("api/v1/overlay/stream", { told: take }).open();
setInterval(look, TICK_MS);

function take(board: Board): void {
  store.set({ board, ahead_s: board.now_s - performance.now() / 1000 });
  look();
}

/** What is on air now; drawn anew only when that is something else. */
function look(): void {
  const { board, ahead_s, drawn, showing: was } = store.state;
  if (!board) return;
  const now_s = performance.now() / 1000 + ahead_s;
  const now = showing(board, now_s, params);
  const isSame = now?.item === was?.item && now?.since_s === was?.since_s;
  if (!isSame) store.set({ showing: now, drawn: now ?? drawn });
  if (params.widgets.has("clocks")) store.set({ now_s });
}

/** The page is laid out for 1920 x 1080 and shrinks into whatever it is given. */
function fit(): void {
  const scale = Math.min(innerWidth / WIDE_PX, innerHeight / HIGH_PX);
  root.style.transform = `scale(${scale})`;
}
