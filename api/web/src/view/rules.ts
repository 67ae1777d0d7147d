/** The rulebook and the scenario that are played, and tables that were kept. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import { chip } from "./chips";
import { SAY } from "./words";

export function rules(state: State, actions: Actions): TemplateResult {
  const book = state.books.find((one) => one.id === state.table?.edition);
  return html`<h3>${SAY.edition}</h3>
    <div class="chips tall" role="radiogroup" aria-label=${SAY.edition}>
      ${state.books.map((one) => chip(one.book, one === book, () => void actions.table.tell({ do: "table", edition: one.id })))}</div>
    ${book?.scenarios.length ? html`<h3>${SAY.scenario}</h3>
      <div class="chips">${book.scenarios.map((name) => scenario(name, actions))}</div>` : nothing}
    <h3>${SAY.kept}</h3>
    <ul class="others">${state.setups.map((one) => html`<li><button class="other" @click=${() => actions.table.layOut(one.name)}>
      <span class="whom">${one.name}<small>${one.parts.join(", ")}</small></span><small>${SAY.layOut}</small></button></li>`)}</ul>
    <h3>${SAY.expectedBases}</h3>
    <form class="form" @submit=${(event: Event) => {
        event.preventDefault();
        void actions.table.expect(String(new FormData(event.currentTarget as HTMLFormElement).get("roster") ?? ""));
      }}>
      <label>${SAY.rosterWhy}<textarea name="roster" rows="4" autocomplete="off" spellcheck="false"></textarea></label>
      <button class="mend">${SAY.expectThem}</button>
    </form>
    <form class="form inline" @submit=${(event: Event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name") ?? "").trim();
        if (name) void actions.table.keepAs(name);
      }}>
      <label>${SAY.keepAs}<input name="name" autocomplete="off" maxlength="40" /></label><button class="mend">${SAY.save}</button>
    </form>`;
}

function scenario(name: string, actions: Actions): TemplateResult {
  const choose = () => void actions.table.tell({ do: "table", scenario: { name } });
  return html`<button @click=${choose}>${name.replaceAll("-", " ")}</button>`;
}
