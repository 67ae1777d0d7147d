/** Ruling buttons: accept a verdict, overrule it, let them roll, or lay a tape. */

import { html, nothing, type TemplateResult } from "lit";
import { inches, lengthOf, mood, type AnsweredLine } from "../../shared/format";
import { icon } from "../../player/view/icons";
import type { Actions } from "../actions";
import { hasRight, nameOf, type State } from "../state";
import { words } from "../strings";
import { tabIcon } from "./icons";

const EIGHTHS = 8;
const FRACTIONS = ["+0", "⅛", "¼", "⅜", "½", "⅝", "¾", "⅞"];

export function ruling(line: AnsweredLine, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!hasRight(state, "rule")) return hasRight(state, "air") ? onAirButton(line, actions) : nothing;
  if (state.draft?.slot === line.slot) return overruleForm(line, state, actions);
  const isClose = mood(line.verdict) === "close" && line.verdict.needs.length === 0;
  return html`${rollResult(line, actions)}<div class="ruling" role="group" aria-label=${words.rule}>
    ${hasAnswer(line) ? html`<button class="accept" @click=${() => actions.rule("accepted", line.slot)}>${icon("yes")}<span>${words.accept}</span></button>` : nothing}
    <button class="overrule" @click=${() => actions.overrule(line.slot, opposite(line))}>${tabIcon("gavel")}<span>${words.overrule}</span></button>
    ${isClose ? html`<button class="roll" @click=${() => actions.rule("rolled", line.slot)}>${tabIcon("dice")}<span>${words.roll}</span></button>` : nothing}
    <label class="switch"><span>${words.withStream}</span>
      <input type="checkbox" role="switch" .checked=${state.withStream} @change=${(event: Event) => actions.setWithStream((event.target as HTMLInputElement).checked)} /></label>
    ${onAirButton(line, actions)}
  </div>`;
}

/** Nobody accepts what is no answer: it is too close, or something is missing. */
function hasAnswer({ verdict }: AnsweredLine): boolean {
  const says = mood(verdict);
  return says !== "unknown" && says !== "close" && verdict.needs.length === 0;
}

/** What the players rolled, once they have. */
function rollResult(line: AnsweredLine, actions: Actions): TemplateResult | typeof nothing {
  const { ruling } = line;
  if (ruling?.decision !== "rolled" || ruling.answer !== null) return nothing;
  return html`<div class="ruling result" role="group" aria-label=${words.rollDecided}><p>${words.rollDecided}</p>
    ${[line.yes, line.no].map((says) => html`<button class="quiet" @click=${() => actions.decideRoll(ruling.n, says)}>${says}</button>`)}</div>`;
}

function onAirButton({ slot }: AnsweredLine, actions: Actions): TemplateResult {
  return html`<button class="quiet" @click=${() => actions.putOnAir(slot)}>${tabIcon("stream")}${words.onAir}</button>`;
}

/** What an overruling most often says. */
function opposite(line: AnsweredLine): string {
  const says = mood(line.verdict);
  return says === "yes" ? line.no : says === "no" ? line.yes : "";
}

function overruleForm(line: AnsweredLine, state: State, actions: Actions): TemplateResult {
  const { stands, reason } = state.draft!;
  const offers = mood(line.verdict) === "told" ? [] : [line.yes, line.no];
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    void actions.writeDraft();
  };
  return html`<form class="ruling draft" @submit=${send} aria-label=${words.overruling}>
    <label>${words.stands}<input maxlength="80" required placeholder=${words.standsPlaceholder} .value=${stands} @input=${(event: Event) => actions.changeDraft({ stands: (event.target as HTMLInputElement).value })} /></label>
    ${offers.length ? html`<div class="options">${offers.map((says) => html`<button type="button" aria-pressed=${says === stands} @click=${() => actions.changeDraft({ stands: says })}>${says}</button>`)}</div>` : nothing}
    <label>${words.reason}<input maxlength="400" required .value=${reason} @input=${(event: Event) => actions.changeDraft({ reason: (event.target as HTMLInputElement).value })} /></label>
    <div class="options">${words.reasons.map((why) => html`<button type="button" aria-pressed=${why === reason} @click=${() => actions.changeDraft({ reason: why })}>${why}</button>`)}</div>
    <div class="deeds"><button class="main" ?disabled=${!stands.trim() || !reason.trim()}>${words.write}</button>
      <button type="button" class="quiet" @click=${() => actions.putDraftAway()}>${words.cancel}</button></div>
  </form>`;
}

/** The tape between the two, laid or to be laid. */
export function tapeMeasure(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!hasRight(state, "rule") || !state.sheet) return nothing;
  const { compared } = state;
  if (compared) {
    return html`<div class="tape laid ${compared.can_both_be_right ? "" : "odd"}" role="status">${tabIcon("tape")}
      <p>${words.byTape(inches(compared.tape_mm), `${inches(compared.camera.value_mm)} (${lengthOf(compared.camera)})`)} ${compared.tape_sigma_mm > 0 ? words.tapeDoubt(compared.tape_sigma_mm.toFixed(1)) : nothing}
        ${compared.can_both_be_right ? nothing : html`<b>${words.cannotBoth}</b>`}</p>
      <button class="mend" @click=${() => actions.dropTape()}>${words.dropTape}</button></div>`;
  }
  if (!state.isTaping) return html`<button class="tape" @click=${() => actions.toggleTape()}>${tabIcon("tape")}<span>${words.tape}</span></button>`;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const told = new FormData(event.target as HTMLFormElement);
    actions.layTape(Number(told.get("inches")) + state.tapeEighths / EIGHTHS, told.get("exact") !== null);
  };
  const eighths = Array.from({ length: EIGHTHS }, (_, n) => html`<button type="button" aria-pressed=${n === state.tapeEighths}
    aria-label=${words.eighths(n)} @click=${() => actions.chooseEighths(n)}>${FRACTIONS[n]}</button>`);
  return html`<form class="tape" @submit=${send}>
    <label>${words.tapeOf(nameOf(state, state.a), nameOf(state, state.b))}
      <span class="in"><input name="inches" type="number" inputmode="decimal" min="0" max="120" step="any" required aria-label=${words.inches} /><span aria-hidden="true">″</span></span></label>
    <div class="options eighths" role="group" aria-label=${words.plusEighths}>${eighths}</div>
    <label class="switch"><span>${words.exactTape}<small>${words.exactTapeWhy}</small></span><input type="checkbox" role="switch" name="exact" /></label>
    <button class="main">${words.useTape}</button>
    <button type="button" class="quiet" @click=${() => actions.toggleTape()}>${words.cancel}</button></form>`;
}

/** What was just written, and the way back. */
export function newestRuling({ newestRuling, canUndo }: State, actions: Actions): TemplateResult | typeof nothing {
  if (!newestRuling) return nothing;
  const { decision, stands } = newestRuling;
  const said = decision === "rolled" && stands ? words.rolledTo : words.decided[decision];
  return html`<div class="written" role="status">${icon("yes")}<p>${words.ruled(newestRuling.stands ? `${said}: ${newestRuling.stands}` : said, newestRuling.number)}</p>
    <a class="mend" href="api/v1/rulings/${newestRuling.n}/record.html" target="_blank" rel="noopener">${words.moments.record}</a>
    ${canUndo ? html`<button class="mend undo" @click=${() => actions.withdraw(newestRuling.n, words.undone)}>${words.undo}</button>` : nothing}</div>`;
}
