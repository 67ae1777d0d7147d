/** Stream settings: how the overlay is fed, what is on air, and the address of the browser source. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { hasRight, type State } from "../state";
import type { Bench } from "../../shared/types.gen";
import { clockTime } from "../../shared/time-format";
import { words } from "../strings";
import { choice, options, optionsOf } from "./segmented-control";

const STAYS_S = [5, 8, 12, 20];
const DELAYS_S = [0, 5, 10, 20, 30];

export function stream(state: State, actions: Actions): TemplateResult {
  const { bench } = state;
  return html`<h2>${words.stream.title}</h2>
    ${bench && hasRight(state, "air") ? feedSettings(bench, actions) : nothing} ${address(state, actions)}`;
}

function feedSettings({ production, on_air }: Bench, actions: Actions): TemplateResult {
  const feeds = [
    { value: "asked" as const, says: words.stream.asked },
    { value: "pushed" as const, says: words.stream.pushed },
  ];
  return html`<section class="card">
      <h3>${words.stream.now}</h3>
      ${on_air === null ? html`<p class="hint">${words.stream.nothing}</p>` : html`<div class="preview"><b>${on_air.who.join(" · ")}</b>${on_air.lines.map((line) => html`<p>${line}</p>`)}
        <small>${on_air.waits ? words.stream.waits(clockTime(on_air.at_s)) : words.stream.shown(clockTime(on_air.at_s))}</small></div><div class="deeds">
        <button class="main" @click=${() => actions.resolveItem(on_air.id)}>${words.stream.resolved}</button>
        <button class="quiet" @click=${() => actions.takeOffAir()}>${words.stream.off}</button></div>`}
      <label class="switch"><span>${words.stream.hide}<small>${words.stream.hideSays}</small></span>
        <input type="checkbox" role="switch" .checked=${production.hide_until_resolved} @change=${(event: Event) => actions.changeProduction({ hide_until_resolved: (event.target as HTMLInputElement).checked })} /></label>
      ${choice(words.stream.feed, feeds, production.feed, (feed) => actions.changeProduction({ feed }))}
      ${choice(words.stream.stays, options(STAYS_S), production.stays_s, (stays_s) => actions.changeProduction({ stays_s }))}
    </section>`;
}

function address(state: State, actions: Actions): TemplateResult {
  const { theme, widgets, clocks, score, delay_s } = state.source;
  const search = parameters(state);
  const url = new URL(`overlay${search}`, location.href).href;
  return html`<section class="card">
    <label>${words.stream.address}<input readonly .value=${url} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>
    ${choice(words.stream.widgets, optionsOf(words.stream.widgetsOf), widgets, (value) => actions.changeSource({ widgets: value }))}
    ${choice(words.stream.theme, optionsOf(words.stream.themes), theme, (value) => actions.changeSource({ theme: value }))}
    ${choice(words.stream.delay, options(DELAYS_S), delay_s, (value) => actions.changeSource({ delay_s: value }))}
    <label class="switch"><span>${words.stream.withClocks}</span>
      <input type="checkbox" role="switch" .checked=${clocks} @change=${(event: Event) => actions.changeSource({ clocks: (event.target as HTMLInputElement).checked })} /></label>
    <label class="switch"><span>${words.stream.withScore}</span>
      <input type="checkbox" role="switch" .checked=${score} @change=${(event: Event) => actions.changeSource({ score: (event.target as HTMLInputElement).checked })} /></label>
    <a class="quiet" href="overlay/loader.html${search}" download>${words.stream.loader}</a>
  </section>`;
}

function parameters({ source: { theme, widgets, clocks, score, delay_s } }: State): string {
  const params = new URLSearchParams();
  if (theme !== "dark") params.set("theme", theme);
  const shown = [widgets, ...(clocks ? ["clocks"] : []), ...(score ? ["lowerthird"] : [])].join(",");
  if (shown !== "ruling,closeup") params.set("widgets", shown);
  if (delay_s > 0) params.set("delay", String(delay_s));
  const text = params.toString().replaceAll("%2C", ",");
  return text ? `?${text}` : "";
}
