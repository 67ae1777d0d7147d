/** Who is who: a name, a side, a size and a card for each base, with a tap. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import type { About } from "../correcting";
import { everyone } from "../everyone";
import { miniature, type State } from "../state";
import type { Book, DrawnMiniature, Expected, ProfileGiven } from "../types.gen";
import { chip, choice } from "./chips";
import { icon } from "./icons";
import { counted, sizeOf } from "./news";
import { entries } from "./picker";
import { sidesOf } from "./setup";
import { siding } from "./siding";
import { SAY } from "./words";

const SPEEDS_IN = [4, 5, 6, 7, 8];
const REACHES_IN = [0.5, 1, 2];
type Ability = NonNullable<ProfileGiven["abilities"]>[number];
/** Those that geometry reads most often; a list of expected bases may bring any. */
const ABILITIES: readonly Ability[] = [
  "stealth", "pathfinder", "incorporeal", "flight", "parry", "arc-node", "eyeless-sight", "gunfighter", "assault", "cavalry",
];

export function who(state: State, actions: Actions): TemplateResult {
  if (state.siding) return siding(state, state.siding, actions);
  const m = miniature(state, state.picked);
  if (!m) {
    const amiss = state.fresh.amiss.map((one) => html`<p>${counted(one)}</p>`);
    return html`${amiss}<p class="soft">${SAY.whoTap}</p>
      <div class="toolbar words"><button class="mend" @click=${() => void actions.sides.propose()}>${SAY.sidesByLook}</button></div>${entries(everyone(state.table), state, actions)}`;
  }
  const tell = (about: About) => void actions.table.about(m.id, about);
  const card = state.card ?? {};
  const armed = (reach_in: number) => tell({ profile: { ...card, melee: [{ name: SAY.weapon, reach_in }] } });
  return html`<header class="pair"><h2>${m.name}</h2>
      <button class="round" @click=${() => actions.table.pick(null)} aria-label=${SAY.everybody}>${icon("clear")}</button></header>
    ${expected(state, m, tell)}
    ${state.table?.units.includes(m) ? nothing : named(m, tell)}
    ${inUnit(state, tell)}
    <h3>${SAY.side}</h3>${choose(SAY.side, sidesOf(state), m.side, (side) => tell({ side }))}
    <h3>${SAY.size}</h3>${sizes(state, m, tell)}
    <h3>${SAY.speedName}</h3>${choice(SAY.speedName, SPEEDS_IN, card.spd_in ?? null, (spd_in) => tell({ profile: { ...card, spd_in } }))}
    <h3>${SAY.reachName}</h3>${choice(SAY.reachName, REACHES_IN, card.melee?.[0]?.reach_in ?? null, armed)}
    <h3>${SAY.abilities}</h3><div class="chips">${ABILITIES.map((ability) => able(ability, card, tell))}</div>`;
}

/** Those of the list that this base may be. */
function expected(state: State, m: DrawnMiniature, tell: (about: About) => void): TemplateResult | typeof nothing {
  const may = state.expected.filter((found) => found.may_be.includes(m.id)).map((found) => found.expected);
  const as = ({ name, side, unit, type, base, profile }: Expected) => tell({ name, side, unit, type, base, profile });
  return may.length === 0 ? nothing : html`<h3>${SAY.mayBe}</h3>
    <div class="chips">${may.map((one) => html`<button @click=${() => as(one)}>${one.name}</button>`)}</div>`;
}

function named(m: DrawnMiniature, tell: (about: About) => void): TemplateResult {
  return html`<form class="form inline" @submit=${(event: Event) => {
      event.preventDefault();
      const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name") ?? "").trim();
      if (name) tell({ name });
    }}>
    <label>${SAY.name}<input name="name" autocomplete="off" maxlength="80" .value=${m.name === m.id ? "" : m.name} /></label>
    <button class="mend">${SAY.save}</button>
  </form>`;
}

/** The unit it is in; one that is not there yet is made. */
function inUnit({ inUnit, unitIds }: State, tell: (about: About) => void): TemplateResult {
  return html`<form class="form inline" @submit=${(event: Event) => {
      event.preventDefault();
      const unit = String(new FormData(event.currentTarget as HTMLFormElement).get("unit") ?? "").trim();
      if (unit) tell({ unit });
    }}>
    <label>${SAY.unit}<input name="unit" list="units" autocomplete="off" maxlength="40" .value=${inUnit ?? ""} /></label>
    <button class="mend">${SAY.putIn}</button>
    <datalist id="units">${unitIds.map((id) => html`<option value=${id}></option>`)}</datalist>
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

function able(ability: Ability, card: ProfileGiven, tell: (about: About) => void): TemplateResult {
  const has = card.abilities ?? [];
  const isOn = has.includes(ability);
  const abilities = isOn ? has.filter((one) => one !== ability) : [...has, ability];
  return html`<button aria-pressed=${isOn} @click=${() => tell({ profile: { ...card, abilities } })}>${ability.replaceAll("-", " ")}</button>`;
}
