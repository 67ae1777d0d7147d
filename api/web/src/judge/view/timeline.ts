/** What happened at the table; every line can be asked about again. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { may, nameOf, type State } from "../state";
import type { Brief, Moment } from "../types.gen";
import { words } from "../words";
import { choice } from "./choice";
import { tabIcon } from "./icons";
import { ago, clockTime } from "./time";

const FILTERS = [
  { value: "all" as const, says: words.moments.all },
  { value: "settled" as const, says: words.moments.settled },
  { value: "rulings" as const, says: words.moments.rulings },
];

export function timeline(state: State, actions: Actions): TemplateResult {
  const shown = state.moments.filter((one) => passes(one, state)).reverse();
  const nothingYet = state.filter === "rulings" ? words.moments.noRulings : words.moments.nothing;
  return html`<h2>${words.moments.title}</h2>
    ${choice(words.moments.show, FILTERS, state.filter, (filter) => actions.filter(filter))}
    ${shown.length === 0 ? html`<p class="hint">${nothingYet}</p>` : nothing}
    <ol class="moments">${repeat(shown, (one) => one.n, (one) => moment(one, state, actions))}</ol>`;
}

function passes({ type }: Moment, { filter }: State): boolean {
  return filter === "all" || (filter === "settled" ? type === "settled" : type === "ruled");
}

function moment(one: Moment, state: State, actions: Actions): TemplateResult {
  const ruling = one.type === "ruled" ? state.bench?.rulings.find((brief) => brief.n === one.n) : undefined;
  return html`<li class=${one.type}>
    <button class="moment" @click=${() => actions.goTo(one)}>
      <time>${clockTime(one.at_s)}<small>${ago(state.now_s - one.at_s)}</small></time>
      <span>${ruling ? ruled(ruling) : said(one, state)}</span><span class="aloud">${words.moments.ask}</span>
    </button>
    ${ruling ? deeds(ruling, state, actions) : nothing}
  </li>`;
}

function ruled(ruling: Brief): TemplateResult {
  return html`${tabIcon("gavel")}<b class=${ruling.withdrawn ? "gone" : ""}>${ruling.said}</b>
    <small>${ruling.title}: ${ruling.headline ?? ""} · ${ruling.a}, ${ruling.b}</small>
    ${ruling.withdrawn ? html`<small class="gone-why">${words.moments.withdrawn}: ${ruling.withdrawn}</small>` : nothing}`;
}

function deeds({ n, withdrawn }: Brief, state: State, actions: Actions): TemplateResult {
  return html`<div class="deeds">
    <a class="mend" href="api/v1/rulings/${n}/record.html" target="_blank" rel="noopener">${words.moments.record} ${n}</a>
    ${withdrawn !== null || !may(state, "rule") ? nothing : state.withdrawing === n ? why(n, actions)
      : html`<button class="mend" @click=${() => actions.askWhyWithdrawn(n)}>${words.moments.withdraw}</button>`}
  </div>`;
}

function why(n: number, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    void actions.withdraw(n, String(new FormData(event.target as HTMLFormElement).get("reason")));
  };
  return html`<form class="why" @submit=${send}>
    <label>${words.withdrawWhy}<input name="reason" maxlength="400" required /></label>
    <button class="mend">${words.moments.withdraw}</button>
    <button type="button" class="mend" @click=${() => actions.askWhyWithdrawn(null)}>${words.cancel}</button>
  </form>`;
}

function said(one: Moment, state: State): string {
  if (one.event !== null) {
    const who = one.ids.map((id) => nameOf(state, id)).join(", ");
    return `${who} ${words.events[one.event] ?? one.event}`.trim();
  }
  const what = words.types[one.type] ?? one.type;
  return one.by === null ? what : `${what} · ${words.seats[one.by] ?? one.by}`;
}
