/** What the organiser sets for the whole event. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import { languageChoice } from "../language";
import { words } from "../strings";

export function event(state: State, actions: Actions): TemplateResult {
  const { hall } = state;
  if (!hall) return html``;
  const { settings } = hall;
  const isLocked = state.me?.seat !== "organiser";
  const send = (submitted: SubmitEvent) => {
    submitted.preventDefault();
    const fields = new FormData(submitted.target as HTMLFormElement);
    const number = (name: string) => Number(fields.get(name));
    const penalties = String(fields.get("penalties")).split("\n").map((one) => one.trim()).filter(Boolean);
    const featured = String(fields.get("featured"));
    void actions.saveSettings({
      round_minutes: number("minutes"), clock_minutes: number("clocks"), delay_s: number("delay"), penalties,
      featured: featured === "" ? null : Number(featured),
    });
  };
  return html`<h2>${words.event.title}</h2>
    ${isLocked ? html`<p class="hint">${words.event.onlyOrganiser}</p>` : nothing}
    <form class="card" @submit=${send}><fieldset class="settings" ?disabled=${isLocked}>
      <label>${words.event.minutes}<input name="minutes" type="number" min="1" max="1440" step="any" required .value=${String(settings.round_minutes)} /></label>
      <label>${words.event.clocks}<input name="clocks" type="number" min="0" max="1440" step="any" required .value=${String(settings.clock_minutes)} /></label>
      <label>${words.event.penalties}<textarea name="penalties" rows="4" .value=${settings.penalties.join("\n")}></textarea></label>
      <label>${words.event.delay}<input name="delay" type="number" min="0" max="3600" step="any" required .value=${String(settings.delay_s)} /></label>
      <label>${words.event.featured}<select name="featured"><option value="">${words.event.noFeatured}</option>
        ${hall.tables.map(({ number }) => html`<option value=${number} ?selected=${number === settings.featured}>${words.table(number)}</option>`)}</select></label>
      ${isLocked ? nothing : html`<button class="main">${words.event.save}</button>`}
    </fieldset></form>
    ${Object.keys(settings.columns).length === 0 ? nothing : html`<section class="card"><h3>${words.event.columns}</h3>
      <ul class="entries">${Object.entries(settings.columns).map(([name, role]) => html`<li>${name}: ${words.rounds.roles[role] ?? role}</li>`)}</ul>
      ${isLocked ? nothing : html`<button class="quiet" @click=${() => actions.saveSettings({ columns: {} })}>${words.event.forget}</button>`}</section>`}
    <div class="deeds"><a class="quiet" href="/overlay?table=featured">${words.event.overlay}</a><a class="quiet" href="/hall/clock">${words.rounds.clockPage}</a></div>
    ${languageChoice(() => actions.redraw())}`;
}
