/** Entry of the judge's page. */

import { render } from "lit";
import { usePageLanguage } from "../shared/page-language";
import { Store } from "../shared/store";
import "../shared/style.css";
import { Zoom } from "../shared/zoom";
import { Actions } from "./actions";
import "./judge.css";
import { start, WIDE, type State } from "./state";
import { page } from "./view/page";

const TICK_MS = 250;

await usePageLanguage();
const root = document.getElementById("judge") as HTMLElement;
const store = new Store<State>(start, draw);
const actions = new Actions(store);
let watchedStage: Element | null = null;

const wide = matchMedia(WIDE);
wide.addEventListener("change", () => store.set({ isWide: wide.matches }));
store.set({ isWide: wide.matches });
actions.begin();
setInterval(() => store.set({ now_s: performance.now() / 1000 + store.state.ahead_s }), TICK_MS);

function draw(state: State): void {
  actions.followPicture();
  render(page(state, actions), root);
  const stage = root.querySelector<HTMLElement>(".stage");
  if (stage && stage !== watchedStage) watch(stage);
  watchedStage = stage;
}

/** Keep the state's idea of the stage in step with the screen; the stage comes and goes with its tab. */
function watch(stage: HTMLElement): void {
  const zoom = new Zoom(stage, (view) => store.set({ view }));
  actions.zoom = zoom;
  new ResizeObserver(() => {
    const size = { width_px: stage.clientWidth, height_px: stage.clientHeight };
    if (size.width_px === 0) return;
    zoom.keepWithin(size);
    store.set({ stage: size });
    actions.lookAtPair();
  }).observe(stage);
}
