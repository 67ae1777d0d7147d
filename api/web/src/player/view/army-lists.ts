/** Army lists: what is laid out, who of it is named, and the bases that an entry may be. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Actions } from "../actions";
import { ArmyLists, missingOf, sureOf } from "../army-lists";
import { USUAL_SIDES, sidesOf, type State } from "../state";
import { fieldOf } from "../../shared/form-fields";
import type { ArmyList, ListNaming, ListQuestion, NamingEntry } from "../../shared/types.gen";
import { chip } from "./pair-sheet";
import { icon } from "./icons";
import { listReading } from "./list-reading";
import { sizeOf } from "../event-text";
import { SAY } from "../../shared/strings";

export function armyLists(state: State, actions: Actions): TemplateResult {
  const { lists, naming } = state;
  const entry = naming && lists?.entries.find((one) => one.expected.entry === naming.entry);
  if (state.reading) return listReading(state.reading, actions);
  if (naming && entry) return namingPanel(entry, naming.ids.length, actions);
  const sure = sureOf(lists).reduce((sum, one) => sum + one.proposed.length, 0);
  return html`${(lists?.notes ?? []).map((note) => html`<p class="soft" role="note">${note}</p>`)}
    ${sure === 0 ? nothing : html`<div class="toolbar words">
      <button class="mend strong" @click=${() => void actions.listsOf(ArmyLists).nameSure()}>${SAY.nameSure(sure)}</button></div>`}
    ${lists ? lists.lists.map((one) => laidList(one, lists, actions)) : nothing}
    ${layForm(state, actions)}`;
}

function laidList(list: ArmyList, { entries }: ListNaming, actions: Actions): TemplateResult {
  const own = entries.filter((one) => one.expected.side === list.side);
  return html`<header class="pair"><h3>${list.side} · ${list.name ?? list.game ?? ""}</h3>
      <button class="round" @click=${() => void actions.listsOf(ArmyLists).putAway(list.side)} aria-label=${SAY.putListAway(list.side)}>${icon("clear")}</button></header>
    ${list.questions.map((one) => question(one, actions))}
    <ul class="naming">${repeat(own, (one) => one.expected.entry, (one) => entryRow(one, actions))}</ul>
    ${list.remarks.length === 0 ? nothing : html`<details><summary>${SAY.listRemarks(list.remarks.length)}</summary>
      <ul>${list.remarks.map((remark) => html`<li><small>${remark}</small></li>`)}</ul></details>`}`;
}

function entryRow(one: NamingEntry, actions: Actions): TemplateResult {
  const { name, base, count, entry, unit_name } = one.expected;
  const size = base === null ? SAY.anySize : sizeOf({ base });
  const told = [size, SAY.namedOf(one.named.length, count), one.fallen.length > 0 ? SAY.fallen(one.fallen.length) : ""].filter(Boolean);
  const called = unit_name === null || unit_name === name ? name : `${unit_name}: ${name}`;
  return html`<li><button class="entry ${missingOf(one) === 0 ? "one" : ""}" data-entry=${entry ?? ""} @click=${() => actions.listsOf(ArmyLists).open(one)}>
    <span>${called}</span><small>${told.join(" · ")}</small></button></li>`;
}

function question(asked: ListQuestion, actions: Actions): TemplateResult {
  const answer = (choice: string) => void actions.listsOf(ArmyLists).answer(asked, choice);
  return html`<p role="note">${asked.says}</p>
    ${asked.asks === "base"
      ? html`<form class="form inline" @submit=${(event: Event) => answer(fieldOf(event, "base"))}><label>${SAY.whichBase}<input name="base" autocomplete="off" required maxlength="20" /></label><button class="mend">${SAY.save}</button></form>`
      : html`<div class="chips">${asked.choices.map((choice) => html`<button @click=${() => answer(choice)}>${choice}</button>`)}</div>`}`;
}

function namingPanel(one: NamingEntry, chosen: number, actions: Actions): TemplateResult {
  const { name, card } = one.expected;
  return html`<header class="pair"><h2>${name}</h2>
      <button class="round" @click=${() => actions.listsOf(ArmyLists).close()} aria-label=${SAY.leaveNaming}>${icon("clear")}</button></header>
    <p class="soft">${chosen === 0 ? SAY.nothingLikeIt : SAY.chosenOf(chosen, missingOf(one))}</p>
    <div class="toolbar words"><button class="mend strong" ?disabled=${chosen === 0} @click=${() => void actions.listsOf(ArmyLists).confirm()}>${SAY.nameThese(chosen)}</button></div>
    <p class="soft">${card === null ? SAY.noCard : SAY.numbersFrom(card)}</p>`;
}

/** The list lies on another phone: it opens this page by a code. */
function otherDevice(): TemplateResult {
  const address = `${location.origin}/#lists`;
  return html`<details class="other-device"><summary>${SAY.otherDevice}</summary><p class="soft">${SAY.otherDeviceWhy}</p>
    <div class="share"><img loading="lazy" src="api/v1/qr.svg?${new URLSearchParams({ says: address }).toString()}" alt=${address} width="148" height="148" /></div></details>`;
}

/** A file of the phone, or text; whose it is comes first. */
function layForm(state: State, actions: Actions): TemplateResult {
  const sides = [...new Set([...USUAL_SIDES, ...sidesOf(state)])];
  const side = state.listSide ?? state.settings.mine ?? sides.find((one) => !state.lists?.lists.some((list) => list.side === one)) ?? sides[0] ?? "";
  return html`<h3>${SAY.listFor}</h3>
    <p class="soft">${SAY.listsWhy}</p>
    <div class="chips" role="radiogroup" aria-label=${SAY.listFor}>${sides.map((one) => chip(one, one === side, () => actions.listsOf(ArmyLists).chooseSide(one)))}</div>
    <form class="form" @submit=${(event: Event) => {
        const text = fieldOf(event, "list").trim();
        if (text) void actions.listsOf(ArmyLists).lay(side, "", text);
      }}>
      <label>${SAY.chooseFile}<input type="file" name="file" multiple @change=${(event: Event) => {
        const input = event.currentTarget as HTMLInputElement;
        const files = [...(input.files ?? [])];
        if (files.length > 0) void actions.listsOf(ArmyLists).layFiles([side, ...sides.filter((one) => one !== side)], files).then(() => { input.value = ""; });
      }} /></label>
      <label>${SAY.pasteList}<textarea name="list" rows="4" autocomplete="off" spellcheck="false" .defaultValue=${state.sharedList}></textarea></label>
      <button class="mend">${SAY.readList}</button>
    </form>
    ${otherDevice()}`;
}
