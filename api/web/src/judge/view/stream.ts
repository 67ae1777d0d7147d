/** How the stream is fed, what is on air, and the address of the browser source. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { may, type State } from "../state";
import type { Bench } from "../types.gen";
import { words } from "../words";
import { choice, options, optionsOf } from "./choice";

const STAYS_S = [5, 8, 12, 20];
const DELAYS_S = [0, 5, 10, 20, 30];

export function stream(state: State, actions: Actions): TemplateResult {
  const { bench } = state;
  return html`<h2>${words.stream.title}</h2>
    ${bench && may(state, "air") ? feeding(bench, actions) : nothing} ${address(state, actions)}`;
}

function feeding({ production, on_air }: Bench, actions: Actions): TemplateResult {
  const feeds = [
    { value: "asked" as const, says: words.stream.asked },
    { value: "pushed" as const, says: words.stream.pushed },
  ];
  return html`<section class="card">
      <h3>${words.stream.now}</h3>
      ${on_air === null ? html`<p class="hint">${words.stream.nothing}</p>` : html`<div class="deeds">
        <button class="main" @click=${() => actions.resolve(on_air)}>${words.stream.resolved}</button>
        <button class="quiet" @click=${() => actions.takeOffAir()}>${words.stream.off}</button></div>`}
      <label class="switch"><span>${words.stream.hide}<small>${words.stream.hideSays}</small></span>
        <input type="checkbox" role="switch" .checked=${production.hide_until_resolved} @change=${(event: Event) => actions.produce({ hide_until_resolved: (event.target as HTMLInputElement).checked })} /></label>
      ${choice(words.stream.feed, feeds, production.feed, (feed) => actions.produce({ feed }))}
      ${choice(words.stream.stays, options(STAYS_S), production.stays_s, (stays_s) => actions.produce({ stays_s }))}
    </section>`;
}

function address(state: State, actions: Actions): TemplateResult {
  const { theme, widgets, clocks, delay_s } = state.source;
  const asked = parameters(state);
  const url = new URL(`overlay${asked}`, location.href).href;
  return html`<section class="card">
    <label>${words.stream.address}<input readonly .value=${url} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>
    ${choice(words.stream.widgets, optionsOf(words.stream.widgetsOf), widgets, (value) => actions.source({ widgets: value }))}
    ${choice(words.stream.theme, optionsOf(words.stream.themes), theme, (value) => actions.source({ theme: value }))}
    ${choice(words.stream.delay, options(DELAYS_S), delay_s, (value) => actions.source({ delay_s: value }))}
    <label class="switch"><span>${words.stream.withClocks}</span>
      <input type="checkbox" role="switch" .checked=${clocks} @change=${(event: Event) => actions.source({ clocks: (event.target as HTMLInputElement).checked })} /></label>
    <a class="quiet" href="overlay/loader.html${asked}" download>${words.stream.loader}</a>
  </section>`;
}

function parameters({ source: { theme, widgets, clocks, delay_s } }: State): string {
  const told = new URLSearchParams();
  if (theme !== "dark") told.set("theme", theme);
  if (widgets !== "ruling,closeup" || clocks) told.set("widgets", clocks ? `${widgets},clocks` : widgets);
  if (delay_s > 0) told.set("delay", String(delay_s));
  const text = told.toString().replaceAll("%2C", ",");
  return text ? `?${text}` : "";
}
