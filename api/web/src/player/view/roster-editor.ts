/** Roster editor: a name, a side, a size and a profile card for each base, with a tap. */

import { html, nothing, type TemplateResult } from "lit";
import { fieldOf } from "../../shared/form-fields";
import { everyone } from "../../shared/entities";
import { SAY } from "../../shared/strings";
import { typed } from "../../shared/typed-value";
import type { Book, DrawnMiniature, ExpectedMiniature, ProfileGiven } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { countText, sizeOf } from "../event-text";
import type { About } from "../profile-card";
import { miniature, sidesOf, type State, type TextDraft } from "../state";
import { chip, choice } from "./pair-sheet";
import { icon } from "./icons";
import { entries } from "./picker";
import { sideProposals } from "./side-proposals";

const SPEEDS_IN = [4, 5, 6, 7, 8];
const REACHES_IN = [0.5, 1, 2];

type Ability = NonNullable<ProfileGiven["abilities"]>[number];
/** Those that geometry reads most often; a list of expected bases may bring any. */
const ABILITIES: readonly Ability[] = [
  "stealth", "pathfinder", "incorporeal", "flight", "parry", "arc-node", "eyeless-sight", "gunfighter", "assault", "cavalry",
];

export function rosterEditor(state: State, actions: Actions): TemplateResult {
  if (state.sideAssignment) return sideProposals(state, state.sideAssignment, actions);
  const m = miniature(state, state.picked);
  if (!m) {
    const amiss = state.fresh.amiss.map((one) => html`<p>${countText(one)}</p>`);
    return html`${amiss}<p class="soft">${SAY.whoTap}</p>
      <div class="toolbar words"><button class="mend" @click=${() => void actions.sides.proposeSides()}>${SAY.proposeSides}</button></div>${entries(everyone(state.table), state, actions)}`;
  }
  const tell = (about: About) => void actions.corrections.card.describe(m.id, about);
  const change = (changes: (card: ProfileGiven) => ProfileGiven) => void actions.corrections.card.change(m.id, changes);
  const card = state.card ?? {};
  const setSpeed = (spd_in: number) => change((known) => ({ ...known, spd_in }));
  const setReach = (reach_in: number) => change((known) => ({ ...known, melee: [{ name: SAY.weapon, reach_in }] }));
  return html`<header class="pair"><h2>${m.name}</h2>
      <button class="round" @click=${() => actions.corrections.pickMiniature(null)} aria-label=${SAY.everybody}>${icon("clear")}</button></header>
    ${expectedChoices(state, m, tell)}
    ${state.table?.units.includes(m) ? nothing : nameForm(m, state, actions, tell)}
    ${unitForm(m, state, actions, tell)}
    <h3>${SAY.side}</h3>${choose(SAY.side, sidesOf(state), m.side, (side) => tell({ side }))}
    <h3>${SAY.size}</h3>${sizes(state, m, tell)}
    <h3>${SAY.speedName}</h3>${choice(SAY.speedName, SPEEDS_IN, card.spd_in ?? null, setSpeed)}
    <h3>${SAY.reachName}</h3>${choice(SAY.reachName, REACHES_IN, card.melee?.[0]?.reach_in ?? null, setReach)}
    <h3>${SAY.abilities}</h3><div class="chips">${ABILITIES.map((ability) => abilityToggle(ability, card, change))}</div>`;
}

/** Those of the list that this base may be. */
function expectedChoices(state: State, m: DrawnMiniature, tell: (about: About) => void): TemplateResult | typeof nothing {
  const may = state.expected.filter((one) => one.may_be.includes(m.id)).map((one) => one.expected);
  const tellAs = ({ name, side, unit, type, base, profile }: ExpectedMiniature) => tell({ name, side, unit, type, base, profile });
  return may.length === 0 ? nothing : html`<h3>${SAY.mayBe}</h3>
    <div class="chips">${may.map((one) => html`<button @click=${() => tellAs(one)}>${one.name}</button>`)}</div>`;
}

function nameForm(m: DrawnMiniature, state: State, actions: Actions, tell: (about: About) => void): TemplateResult {
  return html`<form class="form inline" @submit=${(event: Event) => {
      const name = fieldOf(event, "name").trim();
      if (name) tell({ name });
      actions.draftText(null);
    }}>
    <label>${SAY.name}${textField(m.id, "name", m.name === m.id ? "" : m.name, state, actions, { maxlength: 80 })}</label>
    <button class="mend">${SAY.save}</button>
  </form>`;
}

/** The unit it is in; one that is not there yet is made. */
function unitForm(m: DrawnMiniature, state: State, actions: Actions, tell: (about: About) => void): TemplateResult {
  return html`<form class="form inline" @submit=${(event: Event) => {
      const unit = fieldOf(event, "unit").trim();
      if (unit) tell({ unit });
      actions.draftText(null);
    }}>
    <label>${SAY.unit}${textField(m.id, "unit", state.inUnit ?? "", state, actions, { list: "units", maxlength: 40 })}</label>
    <button class="mend">${SAY.putIn}</button>
    <datalist id="units">${state.unitIds.map((id) => html`<option value=${id}></option>`)}</datalist>
  </form>`;
}

function choose(name: string, values: readonly string[], chosen: string | null, take: (value: string) => void): TemplateResult {
  const chips = values.map((value) => chip(value, value === chosen, () => take(value)));
  return html`<div class="chips" role="radiogroup" aria-label=${name}>${chips}</div>`;
}

function sizes(state: State, m: DrawnMiniature, tell: (about: About) => void): TemplateResult {
  const bases: Book["bases"] = state.books.find((book) => book.id === state.table?.edition)?.bases ?? [];
  return html`<div class="chips" role="radiogroup" aria-label=${SAY.size}>
    ${bases.map((base) => chip(sizeOf({ base }), sizeOf({ base }) === sizeOf(m), () => tell({ base })))}</div>`;
}

function abilityToggle(ability: Ability, card: ProfileGiven, change: (changes: (card: ProfileGiven) => ProfileGiven) => void): TemplateResult {
  const isOn = (card.abilities ?? []).includes(ability);
  const others = ({ abilities = [] }: ProfileGiven) => abilities.filter((one) => one !== ability);
  const toggle = () => change((known) => ({ ...known, abilities: isOn ? others(known) : [...others(known), ability] }));
  return html`<button aria-pressed=${isOn} @click=${toggle}>${ability.replaceAll("-", " ")}</button>`;
}

interface FieldOptions {
  readonly list?: string;
  readonly maxlength: number;
}

export function textField(id: string, field: TextDraft["field"], known: string, state: State, actions: Actions, { list, maxlength }: FieldOptions): TemplateResult {
  const draft = state.draft?.id === id && state.draft.field === field ? state.draft : null;
  const type = (event: Event) => actions.draftText({ id, field, text: (event.target as HTMLInputElement).value, was: draft?.was ?? known });
  const isOther = draft !== null && draft.was !== known && draft.text !== known;
  return html`<input name=${field} autocomplete="off" list=${list ?? nothing} maxlength=${maxlength} .value=${typed(draft?.text ?? known)}
      @focus=${(event: Event) => (event.target as HTMLInputElement).select()} @input=${type} />
    ${isOther ? html`<span class="meanwhile" role="alert"><span>${SAY.namedMeanwhile(whoTold(state, id), known)}</span>
      <button type="button" class="mend" @click=${() => actions.draftText({ ...draft, was: known })}>${SAY.keepMine}</button>
      <button type="button" class="mend" @click=${() => actions.draftText(null)}>${SAY.takeTheirs}</button></span>` : nothing}`;
}

/** Who told of this one last. */
function whoTold({ steps, seat }: State, id: string): string {
  const newest = [...steps].reverse().find((step) => step.changed_by !== seat && step.says.startsWith(`${id}:`));
  return SAY.seat[newest?.changed_by ?? "viewer"];
}
