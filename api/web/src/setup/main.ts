/** Entry of the page on which a table is set up. */

import { render } from "lit";
import "../shared/style.css";
import { usePageLanguage } from "../shared/page-language";
import { PictureStage } from "../shared/picture-stage";
import { Store } from "../shared/store";
import { Actions } from "./actions";
import "./setup.css";
import { start, type State } from "./state";
import { page } from "./view";

await usePageLanguage();
const root = document.getElementById("page") as HTMLElement;
const store = new Store(start, draw);
const stage = new PictureStage(() => store.set({}));
const actions = new Actions(store, stage);

draw(store.state);
void actions.open();

function draw(state: State): void {
  render(page(state, actions, stage), root);
}
