/** Panel on the lower half: what the tool in hand has to say. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { isSittingDown, miniature, type State } from "../state";
import { lazyView } from "./lazy-view";
import { miniatureSheet } from "./miniature-sheet";
import { picker } from "./picker";
import { pairSheet } from "./pair-sheet";
import { SAY } from "../../shared/strings";

const tools = lazyView(() => import("./tool-panels"));
const joining = lazyView(() => import("./joining-sheet"));
const setUp = lazyView(() => import("./setup-panel"));

export function panel(state: State, actions: Actions): TemplateResult {
  return html`<div class="panel">${toolPanel(state, actions)}</div>`;
}

function toolPanel(state: State, actions: Actions): TemplateResult {
  const isChecked = state.check !== null || state.isChecking;
  if (state.tool === "ask" && !isChecked) return askPanel(state, actions);
  if (state.tool === "move" && !isChecked && !state.manoeuvre && !state.path) return picker(SAY.whoMoves, SAY.whoMovesWhy, state, actions);
  if (state.tool === "table" && !isChecked) return setUp(actions)?.setupPanel(state, actions) ?? loading(state);
  const loaded = tools(actions);
  if (loaded === null) return loading(state);
  if (isChecked) return loaded.selfCheck(state, actions);
  if (state.tool === "move") return state.manoeuvre ? loaded.manoeuvrePanel(state, state.manoeuvre, actions) : loaded.plan(state, state.path!, actions);
  return state.tool === "blast" ? loaded.templatePanel(state, actions) : loaded.hallPanel(state, actions);
}

function loading({ tool }: State): TemplateResult {
  return html`<section class="sheet setup" aria-busy="true" aria-label=${SAY.tool[tool]}></section>`;
}

function askPanel(state: State, actions: Actions): TemplateResult {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  if (a && b) return pairSheet(state, a, b, actions);
  if (!a && isSittingDown(state)) return joining(actions)?.joiningSheet(state, actions) ?? loading(state);
  return a ? miniatureSheet(state, a, actions) : picker(SAY.tapOne, SAY.tapOneWhy, state, actions);
}

/** All that happened on one line, where it is looked at: in a game that is over, at an earlier moment, and in its section. */
export function pastBar(state: State, actions: Actions): TemplateResult | typeof nothing {
  return (isTimeBarShown(state) && tools(actions)?.timeBar(state, actions)) || nothing;
}

export function isTimeBarShown({ isReplay, at, tool, section }: State): boolean {
  return isReplay || at !== null || (tool === "table" && section === "past");
}
