/** The phone's page: what is known, what is asked, what is drawn. */

import { render } from "lit";
import { Actions } from "./actions";
import { start } from "./state";
import { Store } from "./store";
import "./style.css";
import "./player.css";
import { page } from "./view/page";
import { Zoom } from "./zoom";

const TICK_MS = 500;

const root = document.getElementById("page") as HTMLElement;
const store = new Store(start, (state) => render(page(state, actions), root));
const actions = new Actions(store);

render(page(store.state, actions), root);
watch(root.querySelector(".stage") as HTMLElement);
actions.begin();
setInterval(() => store.set({ now_ms: performance.now() }), TICK_MS);
addEventListener("keydown", (event) => event.key === "Escape" && actions.clear());

/** Keep the state's idea of the stage in step with the screen. */
function watch(stage: HTMLElement): void {
  const zoom = new Zoom(stage, (view) => store.set({ view }));
  actions.zoom = zoom;
  new ResizeObserver(() => {
    const size = { width_px: stage.clientWidth, height_px: stage.clientHeight };
    zoom.keepWithin(size);
    store.set({ stage: size });
    actions.resized();
  }).observe(stage);
}
