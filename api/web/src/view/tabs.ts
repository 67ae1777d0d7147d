/** The tools, along the edge where the thumb is. */

import { html, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State, Tool } from "../state";
import { icon } from "./icons";
import { SAY } from "./words";

const TOOLS: readonly Tool[] = ["ask", "move", "blast", "table"];

export function tabs({ tool }: State, actions: Actions): TemplateResult {
  return html`<nav class="tabs" aria-label=${SAY.tools}>
    ${TOOLS.map((one) => html`<button aria-current=${one === tool ? "page" : "false"} @click=${() => actions.use(one)}>
      ${icon(one)}<span>${SAY.tool[one]}</span></button>`)}
  </nav>`;
}
