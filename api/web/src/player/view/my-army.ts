/** My army: each unit of the list, with its losses, where it is, its damage, whether it has activated, and a note. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { fieldOf } from "../../shared/form-fields";
import { SAY } from "../../shared/strings";
import { typed } from "../../shared/typed-value";
import type { ArmyUnit, ListNaming, NamingEntry } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { ArmyLists } from "../army-lists";
import { MyArmy, namelessOf, type Told } from "../my-army";
import type { State } from "../state";
import { chip } from "./pair-sheet";

const armyOf = (actions: Actions): MyArmy => actions.armyOf(MyArmy, actions.listsOf(ArmyLists));

export function myArmy(state: State, actions: Actions): TemplateResult {
  const { lists } = state;
  const sides = lists?.lists.map((list) => list.side) ?? [];
  const side = [state.listSide, state.settings.mine].find((one) => one !== null && sides.includes(one)) ?? sides[0];
  if (!lists || side === undefined) return html`<p class="soft">${SAY.armyNone}</p>`;
  const points = lists.points.find((one) => one.side === side);
  const units = lists.units.filter((unit) => unit.side === side);
  return html`${sides.length === 1 ? nothing : html`<div class="chips" role="radiogroup" aria-label=${SAY.side}>
      ${sides.map((one) => chip(one, one === side, () => actions.listsOf(ArmyLists).chooseSide(one)))}</div>`}
    ${points ? html`<p class="points" role="status">${SAY.armyPoints(points.destroyed, points.total)}</p>` : nothing}
    <ul class="naming army">${repeat(units, (unit) => unit.unit, (unit) => unitRow(unit, lists, state, actions))}</ul>
    ${units.some((unit) => unit.state.is_activated) ? html`<div class="toolbar words">
      <button class="mend" @click=${() => void armyOf(actions).beginTurn(side)}>${SAY.armyNewTurn}</button></div>` : nothing}
    <p class="soft">${SAY.armyWhy}</p>`;
}

function unitRow(unit: ArmyUnit, lists: ListNaming, state: State, actions: Actions): TemplateResult {
  const isOpen = state.openUnit === unit.unit;
  return html`<li data-unit=${unit.unit}><button class="entry ${unit.is_destroyed ? "destroyed" : ""}" aria-expanded=${isOpen}
      @click=${() => armyOf(actions).toggle(unit.unit)}><span>${unit.name}</span><small>${describe(unit, lists).join(" · ")}</small></button>
    ${isOpen ? opened(unit, lists, state, actions) : nothing}</li>`;
}

function describe({ count, casualties, is_destroyed, state }: ArmyUnit, lists: ListNaming): string[] {
  return [
    is_destroyed ? SAY.armyDestroyed : SAY.armyLost(casualties, count),
    state.is_in_reserve ? SAY.armyReserve : "",
    state.inside === "" ? "" : SAY.armyInsideOf(nameOf(state.inside, lists)),
    state.damage === "" ? "" : SAY.armyDamageOf(state.damage),
    state.is_activated ? SAY.armyActivated : "",
    state.note,
  ].filter(Boolean);
}

function nameOf(key: string, { units }: ListNaming): string {
  return units.find((unit) => unit.unit === key)?.name ?? key;
}

function opened(unit: ArmyUnit, lists: ListNaming, state: State, actions: Actions): TemplateResult {
  const entries = lists.entries.filter(({ expected }) => (expected.unit ?? expected.entry) === unit.unit);
  const tell = (told: Omit<Told, "unit">) => void armyOf(actions).tell({ unit: unit.unit, ...told });
  const { is_activated, is_in_reserve, inside, damage, note } = unit.state;
  const isHere = !is_in_reserve && inside === "";
  return html`<div class="unit-state">
    ${entries.map((one) => losses(one, state, actions))}
    <div class="chips">
      <button role="radio" aria-checked=${isHere} @click=${() => tell({ is_in_reserve: false, inside: "" })}>${SAY.armyOnTable}</button>
      <button role="radio" aria-checked=${is_in_reserve} @click=${() => tell({ is_in_reserve: true, inside: "" })}>${SAY.armyReserve}</button>
      <button aria-pressed=${is_activated} @click=${() => tell({ is_activated: !is_activated })}>${SAY.armyActivated}</button>
    </div>
    <label class="field">${SAY.armyInside}<select @change=${(event: Event) => {
        const chosen = (event.target as HTMLSelectElement).value;
        tell({ inside: chosen, ...(chosen === "" ? {} : { is_in_reserve: false }) });
      }}><option value="" ?selected=${inside === ""}>–</option>
      ${lists.units.filter((one) => one.side === unit.side && one.unit !== unit.unit).map((one) => html`<option value=${one.unit} ?selected=${one.unit === inside}>${one.name}</option>`)}</select></label>
    ${field(SAY.armyDamage, damage, 80, (text) => tell({ damage: text }))}
    ${field(SAY.armyNote, note, 400, (text) => tell({ note: text }))}
  </div>`;
}

/** The losses of an entry, one more or one less at a tap. */
function losses(one: NamingEntry, { falling }: State, actions: Actions): TemplateResult {
  const { name, count, entry } = one.expected;
  const isOver = namelessOf(one) === 0 && one.named.length === 0;
  return html`<div class="stepper" role="group" aria-label=${SAY.armyCasualties(name)}>
      <button class="tool" aria-label=${SAY.less(SAY.armyCasualties(name))} ?disabled=${one.casualty_step === null} @click=${() => void armyOf(actions).regain(one)}>−</button>
      <output>${name}<small>${SAY.armyLost(one.casualties, count)}</small></output>
      <button class="tool" aria-label=${SAY.more(SAY.armyCasualties(name))} ?disabled=${isOver} @click=${() => void armyOf(actions).lose(one)}>+</button>
    </div>${falling !== null && falling === entry ? html`<p role="alert">${SAY.armyTapFallen}</p>` : nothing}`;
}

function field(says: string, known: string, most: number, save: (text: string) => void): TemplateResult {
  return html`<form class="form inline" @submit=${(event: Event) => save(fieldOf(event, "text").trim())}><label>${says}<input name="text" autocomplete="off" maxlength=${most} .value=${typed(known)} /></label><button class="mend">${SAY.save}</button></form>`;
}
