/** Rulebook settings: edition and scenario that are played, and saved set-ups. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { State } from "../state";
import type { Book, Setting } from "../../shared/types.gen";
import { chip } from "./chips";
import { SAY } from "../../shared/strings";

export function rules(state: State, actions: Actions): TemplateResult {
  const book = state.books.find((one) => one.id === state.table?.edition);
  return html`<h3>${SAY.edition}</h3>
    <div class="chips tall" role="radiogroup" aria-label=${SAY.edition}>
      ${state.books.map((one) => chip(one.book, one === book, () => void actions.corrections.send({ do: "table", edition: one.id })))}</div>
    ${book?.written ? writtenBook(book, book.written) : nothing}
    ${book?.scenarios.length ? html`<h3>${SAY.scenario}</h3>
      <div class="chips">${book.scenarios.map((name) => scenario(name, actions))}</div>` : nothing}
    ${book?.settings.length ? html`<h3>${SAY.settings}</h3>${book.settings.map((one) => setting(one, book, state, actions))}` : nothing}
    <h3>${SAY.kept}</h3>
    <ul class="others">${state.setups.map((one) => html`<li><button class="other" @click=${() => actions.corrections.layOutSetup(one.name)}>
      <span class="whom">${one.name}<small>${one.parts.join(", ")}</small></span><small>${SAY.layOut}</small></button></li>`)}</ul>
    <h3>${SAY.expectedBases}</h3>
    <form class="form" @submit=${(event: Event) => {
        event.preventDefault();
        void actions.corrections.expectBases(String(new FormData(event.currentTarget as HTMLFormElement).get("roster") ?? ""));
      }}>
      <label>${SAY.rosterWhy}<textarea name="roster" rows="4" autocomplete="off" spellcheck="false"></textarea></label>
      <button class="mend">${SAY.expectThem}</button>
    </form>
    <form class="form inline" @submit=${(event: Event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name") ?? "").trim();
        if (name) void actions.corrections.saveSetup(name);
      }}>
      <label>${SAY.keepAs}<input name="name" autocomplete="off" maxlength="40" /></label><button class="mend">${SAY.save}</button>
    </form>`;
}

/** What a rulebook written as data says of itself, and the hash of its file by which rulings name it. */
function writtenBook(book: Book, written: NonNullable<Book["written"]>): TemplateResult {
  return html`<p class="note written">${book.about ?? nothing}
    <small>${book.author ? SAY.bookBy(book.author) : nothing} SHA-256 ${written.sha256.slice(0, 12)}</small></p>`;
}

/** One setting: a choice with what it does in words, or a number. A choice adds to those made before; a preset ends them. */
function setting(one: Setting, book: Book, state: State, actions: Actions): TemplateResult {
  const made: Readonly<Record<string, string>> = Object.fromEntries(state.table?.house_rules ?? []);
  const preset = book.preset_key === null ? "" : made[book.preset_key] ?? "";
  const chosen = made[one.key] ?? one.presets[preset] ?? one.default;
  const keys = new Set(book.settings.map((other) => other.key));
  const kept = one.key === book.preset_key ? Object.fromEntries(Object.entries(made).filter(([key]) => !keys.has(key))) : made;
  const choose = (value: string) => void actions.corrections.send({ do: "table", house_rules: { ...kept, [one.key]: value } });
  if (one.number !== null) {
    return html`<form class="form inline setting" data-key=${one.key} @submit=${(event: Event) => {
        event.preventDefault();
        choose(String(new FormData(event.currentTarget as HTMLFormElement).get("number") ?? ""));
      }}>
      <label>${one.decides} (${one.number})<input name="number" type="number" step="any" min="0" max=${one.most ?? nothing} .value=${chosen} required /></label>
      <button class="mend">${SAY.save}</button></form>`;
  }
  return html`<div class="setting" data-key=${one.key}><p class="note">${one.decides}</p>
    <div class="chips tall" role="radiogroup" aria-label=${one.decides}>
      ${Object.entries(one.readings).map(([value, does]) => chip(does, value === chosen, () => choose(value)))}</div></div>`;
}

function scenario(name: string, actions: Actions): TemplateResult {
  const choose = () => void actions.corrections.send({ do: "table", scenario: { name } });
  return html`<button @click=${choose}>${name.replaceAll("-", " ")}</button>`;
}
