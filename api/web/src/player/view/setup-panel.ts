/** Set-up panel: this phone, who is who, the terrain, the rules, and what was corrected. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { mayCorrect, miniature, sidesOf, type Section, type State } from "../state";
import { armyLists } from "./army-lists";
import { chip } from "./chips";
import { isQuarterTurned, isWide } from "../../shared/geometry";
import { terrainPanel } from "./terrain-panel";
import { nameForm } from "./joining-sheet";
import { scoreForm } from "./score";
import { health } from "./camera-health";
import { pictureAge_s } from "../event-text";
import { rulingList } from "./rulings";
import { rules } from "./rulebook-settings";
import { steps } from "./correction-history";
import { rosterEditor } from "./roster-editor";
import { currentLanguage, LANGUAGES, type Language } from "../../shared/language";
import { SAY } from "../../shared/strings";
import { clockTime } from "../../shared/time-format";
import type { ResultSlip } from "../../shared/types.gen";

const PLAYERS = ["player-a", "player-b"] as const;
const SECTIONS: readonly Section[] = ["phone", "who", "lists", "ground", "rules", "steps", "past"];

export function setupPanel(state: State, actions: Actions): TemplateResult {
  return html`<section class="sheet setup" aria-label=${SAY.table}>
    <h2 class="aloud">${SAY.table}</h2>
    <div class="chips sections" role="radiogroup" aria-label=${SAY.table}>
      ${SECTIONS.map((one) => chip(SAY.section[one], state.section === one, () => actions.showSection(one)))}
    </div>
    <div class="lines">${sectionPanel(state, actions)}</div>
  </section>`;
}

function sectionPanel(state: State, actions: Actions): TemplateResult {
  if (state.section === "phone") return phone(state, actions);
  if (state.section === "past") return past(state, actions);
  if (state.at !== null) return html`<p class="soft">${SAY.correctNow}</p>`;
  if (state.section === "steps") return html`${rulingList(state)}${mayCorrect(state) ? html`${state.rulings.length > 0 ? html`<h3>${SAY.section.steps}</h3>` : nothing}${steps(state, actions)}` : joinForm(actions)}`;
  if (!mayCorrect(state)) return joinForm(actions);
  if (state.section === "who") return rosterEditor(state, actions);
  if (state.section === "lists") return armyLists(state, actions);
  if (state.section === "ground") return terrainPanel(state, actions);
  return rules(state, actions);
}


function past(state: State, actions: Actions): TemplateResult {
  return html`<p class="soft">${state.moments.length === 0 ? SAY.nothingYet : SAY.pastWhy}</p>
    <div class="toolbar words"><button class="mend" aria-expanded=${state.slip !== null} @click=${() => void actions.keeping.toggleSlip()}>${SAY.slip}</button></div>
    ${state.slip === null ? nothing : resultSlip(state.slip)}`;
}

/** Where the journal ends now, as text and as a code: both players keep it. */
function resultSlip({ title, head, n, at_s, rulings }: ResultSlip): TemplateResult {
  return html`<section class="slip" aria-label=${SAY.slip}>
    <h3>${title}</h3>
    <p>${SAY.slipSays(n, rulings, clockTime(at_s))}</p>
    <img src="api/v1/qr.svg?${new URLSearchParams({ says: head }).toString()}" alt=${head} width="220" height="220" />
    <p class="hash">${head}</p>
    <p class="soft">${SAY.slipWhy}</p>
  </section>`;
}

function phone(state: State, actions: Actions): TemplateResult {
  const seat = PLAYERS.find((one) => one === state.seat);
  return html`${seat ? nameForm(seat, state, actions, nothing, () => undefined) : nothing}
    <h3>${SAY.iPlay}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.iPlay}>
      ${sidesOf(state).map((side) => chip(side, state.settings.mine === side, () => actions.changeSettings({ mine: side })))}
      ${chip(SAY.nobody, state.settings.mine === null, () => actions.changeSettings({ mine: null }))}
    </div>
    ${seatChoice(state, actions)}
    ${mayCorrect(state) ? scoreForm(state, actions) : nothing}
    <div class="toolbar words"><button class="mend" @click=${() => actions.clock.open()}>${SAY.clock}</button></div>
    <h3>${SAY.hand}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.hand}>
      ${chip(SAY.hands.right, !state.settings.isLeft, () => actions.changeSettings({ isLeft: false }))}
      ${chip(SAY.hands.left, state.settings.isLeft, () => actions.changeSettings({ isLeft: true }))}
    </div>
    <h3>${SAY.sit}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.sit}>
      ${chip(SAY.sits.near, !state.isTurned, () => actions.sitAt({ isTurned: false }))}
      ${chip(SAY.sits.far, state.isTurned, () => actions.sitAt({ isTurned: true }))}
    </div>
    ${isWide(state.table) ? html`<div class="toolbar words"><button class="mend" aria-pressed=${isQuarterTurned(state)}
        @click=${() => actions.sitAt({ quarter: !isQuarterTurned(state) })}>${SAY.quarter}</button></div>` : nothing}
    <h3>${SAY.language}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.language}>
      ${(Object.keys(LANGUAGES) as Language[]).map((one) => html`<button role="radio" lang=${one} aria-checked=${one === currentLanguage()}
        @click=${() => void actions.speak(one)}>${LANGUAGES[one]}</button>`)}
    </div>
    <h3>${SAY.camera}</h3>
    ${state.fresh.source === "still" ? html`<p class="soft">${SAY.noCamera}</p>` : camera(state, actions)}
    <p class="links"><a href="join">${SAY.join}</a>${state.fresh.source === "still" ? nothing : html`<a href="unsure">${SAY.whoIsWho}</a>`}<a href="licences">${SAY.sourceOffer}</a></p>`;
}

/** Which player this phone is: the table counted, and two phones of one player, or a third, may have sat down wrongly. */
function seatChoice({ seat }: State, actions: Actions): TemplateResult | typeof nothing {
  if (!PLAYERS.some((one) => one === seat)) return nothing;
  return html`<h3>${SAY.chair}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.chair}>
      ${PLAYERS.map((one) => chip(SAY.seat[one], seat === one, () => void actions.corrections.takeSeat(one)))}
    </div>`;
}

function camera(state: State, actions: Actions): TemplateResult {
  const nameOf = (id: string) => miniature(state, id)?.name ?? id;
  const alarm = state.problem?.type.startsWith("world/camera") ? state.problem.detail : null;
  return html`${health({ fresh: state.fresh, old_s: pictureAge_s(state), alarm, nameOf })}
  <div class="toolbar words">
    <button class="mend" @click=${() => actions.camera.check()}>${SAY.checkTable}</button>
    <button class="mend" @click=${() => actions.camera.register()}>${SAY.registerAgain}</button>
    ${state.rights.includes("mind") ? html`<a class="mend" href="corners">${SAY.tapCorners}</a>` : nothing}
  </div>`;
}

/** Only who sits at the table may correct it. */
function joinForm(actions: Actions): TemplateResult {
  return html`<form class="form" @submit=${(event: Event) => {
      event.preventDefault();
      void actions.corrections.join(String(new FormData(event.currentTarget as HTMLFormElement).get("code") ?? ""));
    }}>
    <p>${SAY.joinWhy}</p>
    <label>${SAY.code}<input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" required minlength="6" /></label>
    <button class="mend">${SAY.join}</button>
  </form>`;
}
