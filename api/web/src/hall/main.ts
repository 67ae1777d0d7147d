/** Entry of the hall's page: all tables, for judges and organiser. */

import { render } from "lit";
import "../shared/style.css";
import "../judge/judge.css";
import "./hall.css";
import { Store } from "../shared/store";
import { Actions } from "./actions";
import { useHallLanguage } from "./language";
import { start, WIDE, type State } from "./state";
import { page } from "./view/page";

const TICK_MS = 500;

await useHallLanguage();

const root = document.getElementById("judge") as HTMLElement;
const store = new Store<State>(start, (state) => render(page(state, actions), root));
const actions = new Actions(store);

render(page(store.state, actions), root);
const wide = matchMedia(WIDE);
wide.addEventListener("change", () => void actions.setWide(wide.matches));
void actions.setWide(wide.matches);
void actions.begin();
setInterval(() => store.set({ now_s: performance.now() / 1000 + store.state.ahead_s }), TICK_MS);
