/** What a judge does with a verdict: accept it, overrule it, let them roll, or lay a tape. */

import { html, nothing, type TemplateResult } from "lit";
import { inches, lengthOf, mood, type Answered } from "../../format";
import { icon } from "../../view/icons";
import type { Actions } from "../actions";
import { may, nameOf, type State } from "../state";
import { words } from "../words";
import { tabIcon } from "./icons";

export function ruling(line: Answered, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!may(state, "rule")) return may(state, "air") ? push(line, actions) : nothing;
  if (state.draft?.slot === line.slot) return overruling(line, state, actions);
  return html`<div class="ruling" role="group" aria-label=${words.rule}>
    <button class="accept" ?disabled=${mood(line.verdict) === "unknown"} @click=${() => actions.rule("accepted", line.slot)}>${icon("yes")}<span>${words.accept}</span></button>
    <button class="overrule" @click=${() => actions.overrule(line.slot, opposite(line))}>${tabIcon("gavel")}<span>${words.overrule}</span></button>
    <button class="roll" @click=${() => actions.rule("rolled", line.slot)}>${tabIcon("dice")}<span>${words.roll}</span></button>
    <label class="switch"><span>${words.withStream}</span>
      <input type="checkbox" role="switch" .checked=${state.withStream} @change=${(event: Event) => actions.withStream((event.target as HTMLInputElement).checked)} /></label>
    ${push(line, actions)}
  </div>`;
}

function push({ slot }: Answered, actions: Actions): TemplateResult {
  return html`<button class="quiet" @click=${() => actions.putOnAir(slot)}>${tabIcon("stream")}${words.onAir}</button>`;
}

/** What an overruling most often says. */
function opposite(line: Answered): string {
  const says = mood(line.verdict);
  return says === "yes" ? line.no : says === "no" ? line.yes : "";
}

function overruling(line: Answered, state: State, actions: Actions): TemplateResult {
  const { stands, reason } = state.draft!;
  const words_ = mood(line.verdict) === "told" ? [] : [line.yes, line.no];
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    void actions.writeDraft();
  };
  return html`<form class="ruling draft" @submit=${send} aria-label=${words.overruling}>
    <label>${words.stands}<input maxlength="80" required placeholder=${words.standsPlaceholder} .value=${stands} @input=${(event: Event) => actions.draft({ stands: (event.target as HTMLInputElement).value })} /></label>
    ${words_.length ? html`<div class="options">${words_.map((says) => html`<button type="button" aria-pressed=${says === stands} @click=${() => actions.draft({ stands: says })}>${says}</button>`)}</div>` : nothing}
    <label>${words.reason}<input maxlength="400" required .value=${reason} @input=${(event: Event) => actions.draft({ reason: (event.target as HTMLInputElement).value })} /></label>
    <div class="options">${words.reasons.map((why) => html`<button type="button" aria-pressed=${why === reason} @click=${() => actions.draft({ reason: why })}>${why}</button>`)}</div>
    <div class="deeds"><button class="main" ?disabled=${!stands.trim() || !reason.trim()}>${words.write}</button>
      <button type="button" class="quiet" @click=${() => actions.putDraftAway()}>${words.cancel}</button></div>
  </form>`;
}

/** The tape between the two, laid or to be laid. */
export function taping(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!may(state, "rule") || !state.sheet) return nothing;
  const { compared } = state;
  if (compared) {
    return html`<div class="tape laid ${compared.can_both_be_right ? "" : "odd"}" role="status">${tabIcon("tape")}
      <p>${words.byTape(inches(compared.tape_mm), `${inches(compared.camera.value_mm)} (${lengthOf(compared.camera)})`)}
        ${compared.can_both_be_right ? nothing : html`<b>${words.cannotBoth}</b>`}</p>
      <button class="mend" @click=${() => actions.dropTape()}>${words.dropTape}</button></div>`;
  }
  if (!state.isTaping) return html`<button class="tape" @click=${() => actions.reachForTape()}>${tabIcon("tape")}<span>${words.tape}</span></button>`;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    actions.layTape(Number(new FormData(event.target as HTMLFormElement).get("inches")));
  };
  return html`<form class="tape" @submit=${send}>
    <label>${words.tapeOf(nameOf(state, state.a), nameOf(state, state.b))}
      <span class="in"><input name="inches" type="number" inputmode="decimal" min="0" max="120" step="any" required aria-label=${words.inches} /><span aria-hidden="true">″</span></span></label>
    <button class="main">${words.useTape}</button>
    <button type="button" class="quiet" @click=${() => actions.reachForTape()}>${words.cancel}</button></form>`;
}

/** What was just written, and the way back. */
export function written({ written }: State, actions: Actions): TemplateResult | typeof nothing {
  if (!written) return nothing;
  const said = words.decided[written.decision];
  return html`<div class="written" role="status">${icon("yes")}<p>${words.ruled(written.stands ? `${said}: ${written.stands}` : said, written.n)}</p>
    <a class="mend" href="api/v1/rulings/${written.n}/record.html" target="_blank" rel="noopener">${words.moments.record}</a>
    <button class="mend" @click=${() => actions.withdraw(written.n, words.moments.withdrawn)}>${words.moments.withdraw}</button></div>`;
}
