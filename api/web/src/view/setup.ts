/** Setting up: this phone, who is who, the ground, the rules, and what was corrected. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { miniature, type Section, type State } from "../state";
import { chip } from "./chips";
import { ground } from "./ground";
import { health } from "./health";
import { oldOf } from "./news";
import { rules } from "./rules";
import { steps } from "./steps";
import { who } from "./who";
import { SAY } from "./words";

const PLAYERS = ["player-a", "player-b"] as const;
const SECTIONS: readonly Section[] = ["phone", "who", "ground", "rules", "steps"];

export function setup(state: State, actions: Actions): TemplateResult {
  return html`<section class="sheet setup" aria-label=${SAY.table}>
    <h2 class="aloud">${SAY.table}</h2>
    <div class="chips sections" role="radiogroup" aria-label=${SAY.table}>
      ${SECTIONS.map((one) => chip(SAY.section[one], state.section === one, () => actions.table.turnTo(one)))}
    </div>
    <div class="lines">${inside(state, actions)}</div>
  </section>`;
}

function inside(state: State, actions: Actions): TemplateResult {
  if (state.section === "phone") return phone(state, actions);
  if (!state.rights.includes("correct")) return joining(actions);
  if (state.section === "who") return who(state, actions);
  if (state.section === "ground") return ground(state, actions);
  return state.section === "rules" ? rules(state, actions) : steps(state, actions);
}

function phone(state: State, actions: Actions): TemplateResult {
  return html`<h3>${SAY.iPlay}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.iPlay}>
      ${sidesOf(state).map((side) => chip(side, state.settings.mine === side, () => actions.set({ mine: side })))}
      ${chip(SAY.nobody, state.settings.mine === null, () => actions.set({ mine: null }))}
    </div>
    ${chair(state, actions)}
    <h3>${SAY.hand}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.hand}>
      ${chip(SAY.hands.right, !state.settings.isLeft, () => actions.set({ isLeft: false }))}
      ${chip(SAY.hands.left, state.settings.isLeft, () => actions.set({ isLeft: true }))}
    </div>
    <h3>${SAY.sit}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.sit}>
      ${chip(SAY.sits.near, !state.isTurned, () => actions.sit({ isTurned: false }))}
      ${chip(SAY.sits.far, state.isTurned, () => actions.sit({ isTurned: true }))}
    </div>
    <h3>${SAY.camera}</h3>
    ${state.fresh.source === "still" ? html`<p class="soft">${SAY.noCamera}</p>` : camera(state, actions)}
    <p class="links"><a href="join">${SAY.join}</a>${state.fresh.source === "still" ? nothing : html`<a href="unsure">${SAY.whoIsWho}</a>`}</p>`;
}

/** Which player this phone is: the table counted, and two phones of one player, or a third, may have sat down wrongly. */
function chair({ seat }: State, actions: Actions): TemplateResult | typeof nothing {
  if (!PLAYERS.some((one) => one === seat)) return nothing;
  return html`<h3>${SAY.chair}</h3>
    <div class="chips" role="radiogroup" aria-label=${SAY.chair}>
      ${PLAYERS.map((one) => chip(SAY.seat[one], seat === one, () => void actions.table.sitAs(one)))}
    </div>`;
}

function camera(state: State, actions: Actions): TemplateResult {
  const nameOf = (id: string) => miniature(state, id)?.name ?? id;
  const alarm = state.problem?.type.startsWith("world/camera") ? state.problem.detail : null;
  return html`${health({ fresh: state.fresh, old_s: oldOf(state), alarm, nameOf })}
  <div class="toolbar words">
    <button class="mend" @click=${() => actions.camera.check()}>${SAY.checkTable}</button>
    <button class="mend" @click=${() => actions.camera.register()}>${SAY.registerAgain}</button>
    ${state.rights.includes("mind") ? html`<a class="mend" href="corners">${SAY.tapCorners}</a>` : nothing}
  </div>`;
}

/** Only who sits at the table may correct it. */
function joining(actions: Actions): TemplateResult {
  return html`<form class="form" @submit=${(event: Event) => {
      event.preventDefault();
      void actions.table.join(String(new FormData(event.currentTarget as HTMLFormElement).get("code") ?? ""));
    }}>
    <p>${SAY.joinWhy}</p>
    <label>${SAY.code}<input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" required minlength="6" /></label>
    <button class="mend">${SAY.join}</button>
  </form>`;
}

/** The sides of those on the table, in their order. */
export function sidesOf(state: State): readonly string[] {
  const sides = (state.table?.miniatures ?? []).map((m) => m.side).filter((side) => side !== null);
  const mine = state.settings.mine === null ? [] : [state.settings.mine];
  const usual = sides.length === 0 ? SAY.sides : [];
  return [...new Set([...sides, ...mine, ...usual])].sort();
}

