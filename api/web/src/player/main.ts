/** Entry of the player's page. */

import { render } from "lit";
import { Actions } from "./actions";
import { start } from "./state";
import { keepAddress } from "./link";
import { preferredLanguage, useLanguage } from "../shared/language";
import { Store } from "../shared/store";
import "../shared/style.css";
import "./player.css";
import { page } from "./view/page";
import { viewOnStage } from "../shared/geometry";
import { Zoom } from "../shared/zoom";

const TICK_MS = 500;
const NARROW_PX = 560; // an upright phone, a keyboard on it or not

const root = document.getElementById("page") as HTMLElement;
await useLanguage(preferredLanguage());
const store = new Store(start, (state) => {
  actions.followPicture();
  render(page(state, actions), root);
  if (state.table) keepAddress(state); // until then the address says what to open
});
const actions = new Actions(store);

render(page(store.state, actions), root);
watch(root.querySelector(".stage") as HTMLElement);
actions.begin();
setInterval(() => store.set({ now_ms: performance.now() }), TICK_MS);
addEventListener("keydown", (event) => event.key === "Escape" && actions.escape());

/** Keep the state's idea of the stage in step with the screen. */
function watch(stage: HTMLElement): void {
  const zoom = new Zoom(stage, (view) => store.set({ view }));
  actions.zoom = zoom;
  new ResizeObserver(() => {
    const size = { width_px: stage.clientWidth, height_px: stage.clientHeight };
    const view = viewOnStage(store.state, size);
    zoom.keepWithin(size);
    store.set({ stage: size, isNarrow: innerWidth < NARROW_PX });
    zoom.placeAt(view);
    actions.handleResize();
  }).observe(stage);
}
