/** Panel on the lower half: what the tool in hand has to say. */

import { html, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { miniature, type State } from "../state";
import { miniatureSheet } from "./miniature-sheet";
import { selfCheck } from "./self-check";
import { manoeuvrePanel } from "./unit-manoeuvre";
import { picker } from "./picker";
import { plan } from "./move-plan";
import { pairSheet } from "./pair-sheet";
import { hallPanel } from "./hall-panel";
import { templatePanel } from "./template-panel";
import { SAY } from "../../shared/strings";

export function panel(state: State, actions: Actions): TemplateResult {
  return html`<div class="panel">${toolPanel(state, actions)}</div>`;
}

function toolPanel(state: State, actions: Actions): TemplateResult {
  if (state.check || state.isChecking) return selfCheck(state, actions);
  switch (state.tool) {
    case "ask":
      return askPanel(state, actions);
    case "move":
      if (state.manoeuvre) return manoeuvrePanel(state, state.manoeuvre, actions);
      return state.path ? plan(state, state.path, actions) : picker(SAY.whoMoves, SAY.whoMovesWhy, state, actions);
    case "blast":
      return templatePanel(state, actions);
    case "table":
      return setUp(state, actions);
    case "hall":
      return hallPanel(state, actions);
  }
}

/** Loaded when a table is set up: most who open the page never do. */
let setup: typeof import("./setup-panel") | null = null;

function setUp(state: State, actions: Actions): TemplateResult {
  if (setup) return setup.setupPanel(state, actions);
  void import("./setup-panel").then((loaded) => {
    setup = loaded;
    actions.redraw();
  });
  return html`<section class="sheet setup" aria-busy="true" aria-label=${SAY.table}></section>`;
}

function askPanel(state: State, actions: Actions): TemplateResult {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  if (a && b) return pairSheet(state, a, b, actions);
  return a ? miniatureSheet(state, a, actions) : picker(SAY.tapOne, SAY.tapOneWhy, state, actions);
}
