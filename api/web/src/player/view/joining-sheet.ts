/** Joining sheet: after the code one says who one is, on which side, at which edge, and in which hand the phone is. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { sidesOf, type State } from "../state";
import { chip } from "./pair-sheet";
import { icon } from "./icons";
import { sideChip } from "./picker";
import { fieldOf } from "../../shared/form-fields";
import { SAY } from "../../shared/strings";
import "../joining-sheet.css";

const LONGEST_NAME = 40;

export type Player = "player-a" | "player-b";

export function joiningSheet(state: State, actions: Actions): TemplateResult {
  const seat = state.seat as Player;
  const sitDown = () => actions.changeSettings({ seat });
  const letter = seat === "player-a" ? "A" : "B";
  if (state.match) return pairedSheet(seat, state.match.players, state, actions);
  return html`<section class="sheet setup joining" aria-label=${SAY.join}>
    <header class="pair"><h2>${SAY.chair} ${letter}</h2>
      <button class="round" @click=${sitDown} aria-label=${SAY.leaveSides}>${icon("clear")}</button></header>
    <div class="lines">${nameForm(seat, state, actions, places(seat, state, actions), sitDown)}${signature(state)}</div>
  </section>`;
}

/** In a hall the pairing is known: one tap says which of the two holds this phone. */
function pairedSheet(seat: Player, players: Readonly<Record<string, string>>, state: State, actions: Actions): TemplateResult {
  const { scoreboard, settings } = state;
  const sitDown = () => actions.changeSettings({ seat });
  const take = (one: Player) => {
    actions.changeSettings({ seat: one, mine: scoreboard.players[one]?.side ?? settings.mine });
    void actions.corrections.takeSeat(one); // which does nothing where it is the phone's seat already
  };
  return html`<section class="sheet setup joining" aria-label=${SAY.join}>
    <header class="pair"><h2>${SAY.youAre}</h2><button class="round" @click=${sitDown} aria-label=${SAY.leaveSides}>${icon("clear")}</button></header>
    <div class="lines"><div class="toolbar words">${(["player-a", "player-b"] as const).map((one) => html`<button class="mend strong" @click=${() => take(one)}>${players[one] ?? SAY.seat[one]}</button>`)}</div>${signature(state)}</div>
  </section>`;
}

/** My evening: who one is, at which table and against whom, and how one's list stands; a tap leads to it. */
export function evening(state: State, actions: Actions): TemplateResult {
  const { players } = state.scoreboard;
  const [me, other] = state.seat === "player-a" ? [players["player-a"], players["player-b"]] : [players["player-b"], players["player-a"]];
  const who = me?.side == null ? (me?.name ?? "") : `${me.name} (${me.side})`;
  const says = other ? SAY.eveningAgainst(who, state.title, other.name) : SAY.evening(who, state.title);
  return html`<div class="evening"><p>${sideChip({ side: me?.side ?? null }, state)}${says}</p>
    <button class="mend" @click=${() => actions.showLists()}>${listStands(me?.side ?? null, state)}</button></div>`;
}

/** How many of the list on this side are named; that there is none yet; or, as long as nobody asked, what it is called. */
function listStands(side: string | null, { lists }: State): string {
  if (lists === null) return SAY.section.lists;
  const own = lists.entries.filter((one) => one.expected.side === side);
  const sum = (each: (one: (typeof own)[number]) => number) => own.reduce((total, one) => total + each(one), 0);
  return own.length === 0 ? SAY.bringList : SAY.namedOf(sum((one) => one.named.length), sum((one) => one.expected.count));
}

/** Whose signature proves the journal later: read out and noted down before the game, nobody can change it after. */
export function signature({ tableKey }: State): TemplateResult | typeof nothing {
  return tableKey === null ? nothing : html`<p class="soft signature">${SAY.tableKey} <b>${tableKey}</b></p>`;
}

/** Which key of this phone countersigns, how far, and what to keep of it apart from the table. */
export function countersignature({ phoneProof }: State): TemplateResult | typeof nothing {
  if (phoneProof === null) return nothing;
  const { canSign, words, seen } = phoneProof;
  if (!canSign) return html`<p class="soft">${SAY.phoneCannotSign}</p>`;
  if (seen === null) return nothing;
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(seen))}`;
  return html`<p class="soft signature countersigned">${SAY.phoneSigned(Number(seen.head.split(":")[0]))} <b>${words}</b> <a href=${file} download="seen.json">${SAY.keepSeen}</a></p>`;
}

/** The name, told to everybody with side and edge; `more` stands beneath it, and `then` follows once it is known. */
export function nameForm(seat: Player, state: State, actions: Actions, more: TemplateResult | typeof nothing, then: () => void): TemplateResult {
  const known = state.scoreboard.players[seat];
  const send = async (event: SubmitEvent) => {
    const name = fieldOf(event, "name");
    const edge = state.isTurned ? "far" : "near";
    if (await actions.corrections.put(`scoreboard/players/${seat}`, { name, side: state.settings.mine, edge, seen: known?.n ?? 0 })) then();
  };
  return html`<form class="form" id="who-plays" @submit=${(event: SubmitEvent) => void send(event)}>
    <label>${SAY.yourName}<input name="name" autocomplete="given-name" maxlength=${LONGEST_NAME} required .defaultValue=${known?.name ?? ""} /></label></form>
    ${more}<div class="toolbar words"><button class="mend strong" form="who-plays">${SAY.ready}</button></div>`; // chips inside a form would send it
}

/** Which side, which edge, which hand; a side that the other plays is not offered. */
function places(seat: Player, state: State, actions: Actions): TemplateResult {
  const other = state.scoreboard.players[seat === "player-a" ? "player-b" : "player-a"]?.side;
  const { settings, isTurned } = state;
  return html`${choice(SAY.iPlay, sidesOf(state).filter((side) => side !== other).map((side) =>
      chip(side, settings.mine === side, () => actions.changeSettings({ mine: side }))))}
    ${choice(SAY.sit, [false, true].map((isFar) => chip(SAY.sits[isFar ? "far" : "near"], isTurned === isFar, () => actions.sitAt({ isTurned: isFar }))))}
    ${choice(SAY.hand, [false, true].map((isLeft) => chip(SAY.hands[isLeft ? "left" : "right"], settings.isLeft === isLeft, () => actions.changeSettings({ isLeft }))))}`;
}

function choice(name: string, chips: readonly TemplateResult[]): TemplateResult {
  return html`<h3>${name}</h3>
    <div class="chips" role="radiogroup" aria-label=${name}>${chips}</div>`;
}
