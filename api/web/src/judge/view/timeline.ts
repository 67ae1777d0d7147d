/** Timeline of the judge's page: what happened at the table, with its rulings; any of it may be asked about. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { fieldOf } from "../../shared/form-fields";
import { age, clockTime, inches, minuteTime, stepText } from "../../shared/format";
import type { Moment, ResultSlip, RulingSummary } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { hasRight, nameOf, namesAt, type State } from "../state";
import { phrase } from "../../shared/language";
import { SAY } from "../../shared/strings";
import { words } from "../strings";
import { tabIcon } from "./icons";
import { playerName, questionOf } from "./queue";
import { choice } from "./segmented-control";

/** Read when they are drawn: only then is there a language. */
const filters = () => [
  { value: "all" as const, says: words.moments.all },
  { value: "settled" as const, says: words.moments.settled },
  { value: "rulings" as const, says: words.moments.rulings },
];

export function timeline(state: State, actions: Actions): TemplateResult {
  const shown = state.moments.filter((one) => passesFilter(one, state)).reverse();
  const nothingYet = state.filter === "rulings" ? words.moments.noRulings : words.moments.nothing;
  return html`<h2>${words.tabs.timeline}</h2>
    ${choice(words.moments.show, filters(), state.filter, (filter) => actions.filterMoments(filter))}
    <div class="record-tools">${pastChoice(state, actions)}${resultSlip(state.slip, actions)}${gameFile(state)}</div>
    ${shown.length === 0 ? html`<p class="hint">${nothingYet}</p>` : nothing}
    <ol class="moments">${repeat(shown, (one) => one.n, (one) => moment(one, state, actions))}</ol>`;
}

/** Where the rulebook restricts measuring: whether players may measure at earlier moments all the same. */
function pastChoice(state: State, actions: Actions): TemplateResult | typeof nothing {
  const isOpen = state.bench?.is_past_open ?? false;
  if (!hasRight(state, "rule") || (!isOpen && state.table?.is_measuring_free !== false)) return nothing;
  return html`<button class="mend" aria-pressed=${isOpen} @click=${() => void actions.openPast(!isOpen)}>${words.moments.open}</button>`;
}

/** What the desk's left side leaves out: what clocks do, what is at rest or in hand, and what only the stream is about. */
const NEVER_RECENT = /^(settled|clock|produced|tables-listed|past-opened|roster|dispute-answered|player-named|agreed)/;
const RECENT = 40;

/** Moves, asks and rulings as cards, the newest first; one tap goes back to it. */
export function recentMoments(state: State, actions: Actions): TemplateResult {
  const happened = state.moments.filter((one) => isTold(one.type) && !NEVER_RECENT.test(one.type) && one.event !== "in-hand");
  const recent = [...happened, ...(state.bench?.asked ?? [])].sort((one, other) => one.at_s - other.at_s).slice(-RECENT).reverse();
  return html`<section class="recent"><h2>${words.tabs.timeline}</h2>
    ${recent.length === 0 ? html`<p class="hint">${words.moments.nothing}</p>` : nothing}
    <ol>${repeat(recent, (one) => `${one.type} ${one.n} ${one.at_s}`, (one) => html`<li><button class="happened ${kindOf(one)}" aria-pressed=${state.at === one} @click=${() => actions.goToMoment(one)}>
      <time>${minuteTime(one.at_s)}</time><span>${recentText(one, state)}</span><span class="aloud">${words.moments.ask}</span></button></li>`)}</ol></section>`;
}

function kindOf({ type, event }: Moment): string {
  if (type.startsWith("rul") || type === "roll-decided") return "ruling";
  if (type.startsWith("dispute") || type === "asked" || type === "doubt-settled" || type === "kept") return "ask";
  return event === null ? "told" : "move";
}

function recentText(one: Moment, state: State): string {
  const ruling = one.type === "ruled" ? state.bench?.rulings.find((brief) => brief.n === one.n) : undefined;
  return ruling ? `${phrase(ruling.said)}: ${rulingQuestion(ruling, state)}` : momentText(one, state);
}

/** Whether it is said at all: what clocks do by themselves, what players see and what the server keeps for itself have no words. */
function isTold(type: string): boolean {
  return type === "happened" || type in words.types;
}

function passesFilter({ type }: Moment, { filter }: State): boolean {
  return filter === "all" ? isTold(type) : (filter === "settled" ? type === "settled" : type === "ruled");
}

function moment(one: Moment, state: State, actions: Actions): TemplateResult {
  const ruling = one.type === "ruled" ? state.bench?.rulings.find((brief) => brief.n === one.n) : undefined;
  return html`<li class=${one.type}>
    <button class="moment" @click=${() => actions.goToMoment(one)}>
      <time>${clockTime(one.at_s)}<small>${SAY.ago(age(Math.max(0, state.now_s - one.at_s)))}</small></time>
      <span>${ruling ? rulingLine(ruling, state) : momentText(one, state)}</span><span class="aloud">${words.moments.ask}</span>
    </button>
    ${ruling ? rulingButtons(ruling, state, actions) : one.type === "kept" ? keptRecord(one) : nothing}
  </li>`;
}

function rulingQuestion({ title, ids: [a, b] }: RulingSummary, state: State): string {
  return questionOf({ title, a, b }, state);
}

function rulingLine(ruling: RulingSummary, state: State): TemplateResult {
  return html`${tabIcon("gavel")}<b class=${ruling.withdrawn ? "gone" : ""}>${phrase(ruling.said)}</b>
    <small>${rulingQuestion(ruling, state)} ${phrase(ruling.headline ?? "")}</small>
    ${ruling.withdrawn ? html`<small class="gone-why">${words.moments.withdrawn}: ${ruling.withdrawn}</small>` : nothing}
    ${ruling.ends ? html`<small class="gone-why">${words.moments.ended(ruling.ends)}</small>` : nothing}
    ${ruling.waits_for.length > 0 ? html`<small>${words.moments.waits(ruling.waits_for.map((seat) => words.seats[seat] ?? seat).join(", "))}</small>` : nothing}`;
}

function rulingButtons({ n, number, withdrawn }: RulingSummary, state: State, actions: Actions): TemplateResult {
  return html`<div class="deeds">
    <a class="mend" href="api/v1/rulings/${number}/record.html" target="_blank" rel="noopener">${words.moments.record} ${number}</a>
    <a class="mend" href="v/${n}" target="_blank" rel="noopener">${SAY.link}</a>
    ${withdrawn !== null || !hasRight(state, "rule") ? nothing : state.rulingToWithdraw === number ? withdrawForm(number, actions)
      : html`<button class="mend" @click=${() => actions.askWhyWithdrawn(number)}>${words.moments.withdraw}</button>`}
  </div>`;
}

function keptRecord({ n }: Moment): TemplateResult {
  return html`<div class="deeds"><a class="mend" href="api/v1/kept/${n}/record.html" target="_blank" rel="noopener">${words.moments.record} ${n}</a></div>`;
}

/** The game as one file, for who judges. */
function gameFile(state: State): TemplateResult | typeof nothing {
  return hasRight(state, "rule") ? html`<a class="mend" href="api/v1/game.zip" target="_blank" rel="noopener">${words.slip.game}</a>` : nothing;
}

/** Where the journal ends now, for both players to keep. */
function resultSlip(slip: ResultSlip | null, actions: Actions): TemplateResult {
  return html`<button class="mend" aria-expanded=${slip !== null} @click=${() => void actions.toggleSlip()}>${words.slip.title}</button>
    ${slip === null ? nothing : html`<section class="card slip" aria-label=${words.slip.title}>
      <p>${words.slip.says(slip.n, slip.rulings, clockTime(slip.at_s))}</p>
      <img src="api/v1/qr.svg?${new URLSearchParams({ says: slip.head }).toString()}" alt=${slip.head} width="220" height="220" />
      <p class="hash">${slip.head}</p>${slip.key ? html`<p class="hash">${slip.key}</p>` : nothing}<p class="hint">${words.slip.why}</p></section>`}`;
}

function withdrawForm(number: number, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => void actions.withdraw(number, fieldOf(event, "reason"));
  return html`<form class="why" @submit=${send}>
    <label>${words.withdrawWhy}<input name="reason" maxlength="400" required /></label>
    <button class="mend">${words.moments.withdraw}</button>
    <button type="button" class="mend" @click=${() => actions.askWhyWithdrawn(null)}>${words.cancel}</button>
  </form>`;
}

/** What a player asked first, as it stood on the phone. */
function askedText({ ids: [a, b], says, by }: Moment, state: State): string {
  const [one, other] = [nameOf(state, a ?? null), nameOf(state, b ?? null)];
  const asked = SAY.sentence[says as keyof typeof SAY.sentence]?.asking.replace("{a}", one).replace("{b}", other) ?? `${one}, ${other}`;
  return `${playerName(state, by ?? "")}: ${asked}`;
}

function momentText(one: Moment, state: State): string {
  if (one.type === "asked") return askedText(one, state);
  if (one.event !== null) {
    const who = one.ids.map((id) => nameOf(state, id)).join(", ");
    const far_mm = one.travelled_mm ?? one.distance_mm;
    return `${who} ${words.events[one.event] ?? one.event}${far_mm === null ? "" : ` ${inches(far_mm)}`}`.trim();
  }
  if (one.type === "dispute-opened" && one.ids.length === 2) return `${words.types["dispute-opened"]}: ${questionOf({ title: one.says ?? "", a: one.ids[0]!, b: one.ids[1]! }, state)}`;
  const what = `${words.types[one.type] ?? one.type}${one.says === null ? "" : `: ${stepText(one.says, namesAt(state))}`}`;
  return one.by === null ? what : `${what} · ${words.seats[one.by] ?? one.by}`;
}
