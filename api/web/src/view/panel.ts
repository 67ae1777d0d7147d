/** The lower half: what the tool in hand has to say. */

import { html, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { miniature, type State } from "../state";
import { alone } from "./alone";
import { check } from "./check";
import { drill } from "./drill";
import { picker } from "./picker";
import { plan } from "./plan";
import { sheet } from "./sheet";
import { setup } from "./setup";
import { template } from "./template";
import { SAY } from "./words";

export function panel(state: State, actions: Actions): TemplateResult {
  return html`<div class="panel">${inside(state, actions)}</div>`;
}

function inside(state: State, actions: Actions): TemplateResult {
  if (state.check || state.isChecking) return check(state, actions);
  switch (state.tool) {
    case "ask":
      return asking(state, actions);
    case "move":
      if (state.drill) return drill(state, state.drill, actions);
      return state.way ? plan(state, state.way, actions) : picker(SAY.whoMoves, SAY.whoMovesWhy, state, actions);
    case "blast":
      return template(state, actions);
    case "table":
      return setup(state, actions);
  }
}

function asking(state: State, actions: Actions): TemplateResult {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  if (a && b) return sheet(state, a, b, actions);
  return a ? alone(state, a, actions) : picker(SAY.tapOne, SAY.tapOneWhy, state, actions);
}
