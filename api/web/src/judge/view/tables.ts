/** Tables at a glance: this one, and those the judge looks after. */

import { html, nothing, type TemplateResult } from "lit";
import { currentLanguage, LANGUAGES, type Language } from "../../shared/language";
import { SAY } from "../../shared/strings";
import { age } from "../../shared/format";
import { lookOf, lookTone } from "../../shared/freshness";
import type { Freshness, TableSummary } from "../../shared/types.gen";
import { health } from "../../player/view/camera-health";
import { HEALTH } from "../../player/view/camera-health-strings";
import { icon } from "../../player/view/icons";
import type { Actions } from "../actions";
import { freshNow, hasRight, hereNow, type Other, type State } from "../state";
import { words } from "../strings";

export function tables(state: State, actions: Actions): TemplateResult {
  const here = hereNow(state);
  return html`<h2>${words.tabs.tables}</h2>
    <ul class="glances">
      ${here ? html`<li>${ownTable(state, here, () => actions.goToMoment(null))}${camera(state)}${codes(state, actions)}</li>` : nothing}
      ${state.others.map((one) => html`<li>${other(one, state, actions)}</li>`)}
    </ul>
    ${hasRight(state, "rule") ? add(actions) : nothing}
    ${languages(actions)}`;
}

function languages(actions: Actions): TemplateResult {
  return html`<h3>${SAY.language}</h3><div class="options" role="radiogroup" aria-label=${SAY.language}>
    ${(Object.keys(LANGUAGES) as Language[]).map((one) => html`<button role="radio" lang=${one} aria-checked=${one === currentLanguage()}
      @click=${() => void actions.speak(one)}>${LANGUAGES[one]}</button>`)}</div>`;
}

function ownTable(state: State, glance: TableSummary, open: () => void): TemplateResult {
  const rulings = state.bench?.rulings.filter((one) => one.withdrawn === null).length ?? 0;
  return html`<button class="glance ${tone(glance)}" @click=${open}>${glanceLines(words.here, glance, words.rulings(rulings))}</button>`;
}

function glanceLines(name: string, glance: TableSummary, more = ""): TemplateResult {
  const { scenario, turn, miniatures, problem } = glance;
  const facts = [turn?.round ? SAY.hall.round(turn.round) : "", scenario ?? "", words.miniatures(miniatures), more].filter(Boolean);
  return html`<span class="name"><b>${name}</b><small>${glance.title}</small></span>
    <span class="state"><i class="dot"></i>${freshnessText(glance.fresh, problem !== null)}</span>
    <small class="facts">${facts.join(" · ")}</small>
    ${problem ? html`<span class="trouble-line">${problem.title}</span>` : nothing}`;
}

function other(one: Other, state: State, actions: Actions): TemplateResult {
  const glance = one.glance;
  return html`<div class="other">
    <a class="glance ${glance === null || glance === "none" ? "bad" : tone(glance)}" href="${one.url}/judge">
      ${glance === null || glance === "none"
        ? html`<span class="name"><b>${one.name}</b><small>${one.url}</small></span><span class="state"><i class="dot"></i>${glance === null ? SAY.connecting : SAY.noAnswer}</span>`
        : glanceLines(one.name, glance)}
    </a>
    ${hasRight(state, "rule") ? html`<button class="round" @click=${() => actions.removeTable(one.url)} aria-label=${words.remove(one.name)}>${icon("clear")}</button>` : nothing}
  </div>`;
}

/** How the camera over this table does. */
function camera(state: State): TemplateResult | typeof nothing {
  const [fresh, { problem, table }] = [freshNow(state), state];
  if (!fresh?.camera) return nothing;
  const nameOf = (id: string) => table?.miniatures.find((m) => m.id === id)?.name ?? id;
  const alarm = problem?.type.startsWith("world/camera") ? problem.detail : null;
  return html`<details class="camera"><summary>${HEALTH.title}</summary>
    ${health({ fresh, old_s: fresh.age_s, alarm, nameOf })}</details>`;
}

function codes(state: State, actions: Actions): TemplateResult | typeof nothing {
  const invitations = state.seated?.invitations ?? [];
  if (invitations.length === 0) return nothing;
  return html`<details class="codes"><summary>${words.codes}</summary>
    <dl>${invitations.map(({ opens, code }) => html`<dt>${words.opens[opens] ?? opens}</dt><dd>${code}
      ${hasRight(state, "rule") ? html`
        <button class="quiet" @click=${() => actions.renewCode(opens, false)}>${words.renewCode}<span class="aloud">${words.opens[opens]}</span></button>
        <button class="quiet" @click=${() => actions.renewCode(opens, true)}>${words.renewSeats}<span class="aloud">${words.opens[opens]}</span></button>` : nothing}</dd>`)}</dl></details>`;
}

function add(actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    void actions.addTable(String(fields.get("name")), String(fields.get("url")));
    form.reset();
  };
  return html`<details class="card add"><summary>${words.add}</summary>
    <form @submit=${send}>
      <label>${SAY.name}<input name="name" maxlength="80" required /></label>
      <label>${words.tableUrl}<input name="url" type="url" maxlength="200" required /></label>
      <button class="main">${words.save}</button>
    </form></details>`;
}

export function tone({ fresh, problem }: TableSummary): string {
  return lookTone(fresh, problem !== null);
}

export function freshnessText(fresh: Freshness, isTroubled: boolean): string {
  const look = lookOf(fresh);
  if (isTroubled && look !== "still" && look !== "lost" && look !== "ended") return words.fresh.troubled;
  return look === "seen" ? words.fresh.seen(age(fresh.age_s ?? 0)) : words.fresh.of[look];
}
