/** Tabs of the tools, along the edge where the thumb is. */

import { html, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State, Tool } from "../state";
import { icon } from "./icons";
import { SAY } from "../../shared/strings";

const TOOLS: readonly Tool[] = ["ask", "move", "blast", "table", "hall"];

export function tabs({ tool, call }: State, actions: Actions): TemplateResult {
  return html`<nav class="tabs" aria-label=${SAY.tools}>
    ${TOOLS.filter((one) => one !== "hall" || call?.in_hall === true).map((one) => html`<button aria-current=${one === tool ? "page" : "false"} @click=${() => actions.useTool(one)}>
      ${icon(one)}<span>${SAY.tool[one]}</span></button>`)}
  </nav>`;
}
