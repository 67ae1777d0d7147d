/** Layout of the judge's page: the clock line on top, one part of the desk, and the tabs where the thumb is. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../../player/view/icons";
import { ago, clockTime, inches, withNames } from "../../shared/format";
import type { Bench, Dispute, Moment, ResultSlip, RulingSummary } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { hasRight, nameOf, namesAt, type State, type Tab } from "../state";
import { words } from "../strings";
import { clockLine, clocks } from "./clocks";
import { tabIcon } from "./icons";
import { choice, options, optionsOf } from "./segmented-control";
import { table } from "./table";
import { tables } from "./tables";

const STAYS_S = [5, 8, 12, 20];
const DELAYS_S = [0, 5, 10, 20, 30];

const PARTS: Record<Tab, (state: State, actions: Actions) => TemplateResult> = { tables, timeline, table, clocks, stream };

export function page(state: State, actions: Actions): TemplateResult {
  return html`${bar(state, actions)}
    <main class="part ${state.tab}">
      ${state.link === "lost" ? html`<p class="banner" role="alert">${icon("warn")}<span>${words.lost}</span></p>` : nothing}
      ${state.dispute ? disputeBanner(state.dispute, state, actions) : nothing}
      ${(state.bench?.alarms ?? []).map((alarm) => html`<p class="banner" role="alert">${icon("warn")}<span>${alarm.says}</span></p>`)}
      ${state.sitting && !hasRight(state, "rule") && !hasRight(state, "air") ? seatPrompt(state, actions) : nothing}
      ${PARTS[state.tab](state, actions)}
    </main>
    <p class="notice" role="status">${state.notice ?? ""}</p>
    ${tabs(state, actions)}`;
}

function bar(state: State, actions: Actions): TemplateResult {
  return html`<header class="bar">
    <h1>${state.bench?.title ?? words.connecting}</h1>
    ${clockLine(state, actions)}
  </header>`;
}

/** What the players dispute, on every part of the page, and who has done what; called, it stands out. */
function disputeBanner(dispute: Dispute, state: State, actions: Actions): TemplateResult {
  const asked = dispute.title.replace(/\b[AB]\b/g, (letter) => nameOf(state, letter === "A" ? dispute.a : dispute.b));
  const deeds = ["player-a", "player-b"].map((seat) => [dispute.claims[seat] && dispute[dispute.claims[seat]], dispute.dice[seat]?.join(", "), dispute.tapes_in[seat] && `${dispute.tapes_in[seat]}″`].filter(Boolean).join(" · "));
  return html`<div class="banner disputed ${dispute.is_judge_called ? "bad" : ""}" role="alert">${icon("warn")}<span><b>${dispute.is_judge_called ? words.calledFor : words.disputed}: ${asked}</b>
      <small>${["player-a", "player-b"].map((seat, k) => `${words.seats[seat] ?? seat}: ${deeds[k] || "…"}`).join("   ")}</small></span>
    <button class="mend" @click=${() => actions.openDispute(dispute)}>${words.openIt}</button></div>`;
}

function tabs(state: State, actions: Actions): TemplateResult {
  return html`<nav class="tabs" aria-label=${words.nav}>
    ${(Object.keys(PARTS) as Tab[]).map(
      (tab) => html`<button data-tab=${tab} aria-current=${tab === state.tab ? "page" : "false"} @click=${() => actions.showTab(tab)}>
        ${tabIcon(tab)}<span>${words.tabs[tab]}</span>
      </button>`,
    )}
  </nav>`;
}

/** Who has no judge's seat: the form on the first part, a line that leads to it on the others. */
function seatPrompt(state: State, actions: Actions): TemplateResult {
  if (state.tab === "tables") return joinForm(actions);
  return html`<p class="onlooker"><span>${words.join.looking}</span>
    <button class="mend" @click=${() => actions.showTab("tables")}>${words.join.go}</button></p>`;
}

function joinForm(actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const code = new FormData(event.target as HTMLFormElement).get("code");
    void actions.join(String(code ?? ""));
  };
  return html`<form class="card join" @submit=${send}>
    <h2>${words.join.title}</h2>
    <p>${words.join.says}</p>
    <label>${words.join.code}<input name="code" autocomplete="off" autocapitalize="characters" maxlength="12" required /></label>
    <button class="main">${words.join.go}</button>
  </form>`;
}

/** Stream settings: how the overlay is fed, what is on air, and the address of the browser source. */
export function stream(state: State, actions: Actions): TemplateResult {
  const { bench } = state;
  return html`<h2>${words.stream.title}</h2>
    ${bench && hasRight(state, "air") ? feedSettings(bench, actions) : nothing} ${address(state, actions)}`;
}

function feedSettings({ production, on_air }: Bench, actions: Actions): TemplateResult {
  const feeds = [
    { value: "asked" as const, says: words.stream.asked },
    { value: "pushed" as const, says: words.stream.pushed },
  ];
  return html`<section class="card">
      <h3>${words.stream.now}</h3>
      ${on_air === null ? html`<p class="hint">${words.stream.nothing}</p>` : html`<div class="preview"><b>${on_air.who.join(" · ")}</b>${on_air.lines.map((line) => html`<p>${line}</p>`)}
        <small>${on_air.waits ? words.stream.waits(clockTime(on_air.at_s)) : words.stream.shown(clockTime(on_air.at_s))}</small></div><div class="deeds">
        <button class="main" @click=${() => actions.resolveItem(on_air.id)}>${words.stream.resolved}</button>
        <button class="quiet" @click=${() => actions.takeOffAir()}>${words.stream.off}</button></div>`}
      <label class="switch"><span>${words.stream.hide}<small>${words.stream.hideSays}</small></span>
        <input type="checkbox" role="switch" .checked=${production.hide_until_resolved} @change=${(event: Event) => actions.changeProduction({ hide_until_resolved: (event.target as HTMLInputElement).checked })} /></label>
      ${choice(words.stream.feed, feeds, production.feed, (feed) => actions.changeProduction({ feed }))}
      ${choice(words.stream.stays, options(STAYS_S), production.stays_s, (stays_s) => actions.changeProduction({ stays_s }))}
    </section>`;
}

function address(state: State, actions: Actions): TemplateResult {
  const { theme, widgets, clocks, score, delay_s } = state.source;
  const search = parameters(state);
  const url = new URL(`overlay${search}`, location.href).href;
  return html`<section class="card">
    <label>${words.stream.address}<input readonly .value=${url} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>
    ${choice(words.stream.widgets, optionsOf(words.stream.widgetsOf), widgets, (value) => actions.changeSource({ widgets: value }))}
    ${choice(words.stream.theme, optionsOf(words.stream.themes), theme, (value) => actions.changeSource({ theme: value }))}
    ${choice(words.stream.delay, options(DELAYS_S), delay_s, (value) => actions.changeSource({ delay_s: value }))}
    <label class="switch"><span>${words.stream.withClocks}</span>
      <input type="checkbox" role="switch" .checked=${clocks} @change=${(event: Event) => actions.changeSource({ clocks: (event.target as HTMLInputElement).checked })} /></label>
    <label class="switch"><span>${words.stream.withScore}</span>
      <input type="checkbox" role="switch" .checked=${score} @change=${(event: Event) => actions.changeSource({ score: (event.target as HTMLInputElement).checked })} /></label>
    <a class="quiet" href="overlay/loader.html${search}" download>${words.stream.loader}</a>
  </section>`;
}

function parameters({ source: { theme, widgets, clocks, score, delay_s } }: State): string {
  const params = new URLSearchParams();
  if (theme !== "dark") params.set("theme", theme);
  const shown = [widgets, ...(clocks ? ["clocks"] : []), ...(score ? ["lowerthird"] : [])].join(",");
  if (shown !== "ruling,closeup") params.set("widgets", shown);
  if (delay_s > 0) params.set("delay", String(delay_s));
  const text = params.toString().replaceAll("%2C", ",");
  return text ? `?${text}` : "";
}

/** Read when they are drawn: only then is there a language. */
const filters = () => [
  { value: "all" as const, says: words.moments.all },
  { value: "settled" as const, says: words.moments.settled },
  { value: "rulings" as const, says: words.moments.rulings },
];

export function timeline(state: State, actions: Actions): TemplateResult {
  const shown = state.moments.filter((one) => passesFilter(one, state)).reverse();
  const nothingYet = state.filter === "rulings" ? words.moments.noRulings : words.moments.nothing;
  return html`<h2>${words.moments.title}</h2>
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

/** What happens by itself every few seconds, and what players see rather than do. */
const UNTOLD: ReadonlySet<string> = new Set(["clocks-kept", "ruling-seen"]);

function passesFilter({ type }: Moment, { filter }: State): boolean {
  return filter === "all" ? !UNTOLD.has(type) : (filter === "settled" ? type === "settled" : type === "ruled");
}

function moment(one: Moment, state: State, actions: Actions): TemplateResult {
  const ruling = one.type === "ruled" ? state.bench?.rulings.find((brief) => brief.n === one.n) : undefined;
  return html`<li class=${one.type}>
    <button class="moment" @click=${() => actions.goToMoment(one)}>
      <time>${clockTime(one.at_s)}<small>${ago(state.now_s - one.at_s)}</small></time>
      <span>${ruling ? rulingLine(ruling) : momentText(one, state)}</span><span class="aloud">${words.moments.ask}</span>
    </button>
    ${ruling ? rulingButtons(ruling, state, actions) : one.type === "kept" ? keptRecord(one) : nothing}
  </li>`;
}

function rulingLine(ruling: RulingSummary): TemplateResult {
  return html`${tabIcon("gavel")}<b class=${ruling.withdrawn ? "gone" : ""}>${ruling.said}</b>
    <small>${ruling.title}: ${ruling.headline ?? ""} · ${ruling.a}, ${ruling.b}</small>
    ${ruling.withdrawn ? html`<small class="gone-why">${words.moments.withdrawn}: ${ruling.withdrawn}</small>` : nothing}
    ${ruling.ends ? html`<small class="gone-why">${words.moments.ended(ruling.ends)}</small>` : nothing}
    ${ruling.waits_for.length > 0 ? html`<small>${words.moments.waits(ruling.waits_for.map((seat) => words.seats[seat] ?? seat).join(", "))}</small>` : nothing}`;
}

function rulingButtons({ n, number, withdrawn }: RulingSummary, state: State, actions: Actions): TemplateResult {
  return html`<div class="deeds">
    <a class="mend" href="api/v1/rulings/${n}/record.html" target="_blank" rel="noopener">${words.moments.record} ${number}</a>
    ${withdrawn !== null || !hasRight(state, "rule") ? nothing : state.rulingToWithdraw === n ? withdrawForm(n, actions)
      : html`<button class="mend" @click=${() => actions.askWhyWithdrawn(n)}>${words.moments.withdraw}</button>`}
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

function withdrawForm(n: number, actions: Actions): TemplateResult {
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    void actions.withdraw(n, String(new FormData(event.target as HTMLFormElement).get("reason")));
  };
  return html`<form class="why" @submit=${send}>
    <label>${words.withdrawWhy}<input name="reason" maxlength="400" required /></label>
    <button class="mend">${words.moments.withdraw}</button>
    <button type="button" class="mend" @click=${() => actions.askWhyWithdrawn(null)}>${words.cancel}</button>
  </form>`;
}

function momentText(one: Moment, state: State): string {
  if (one.event !== null) {
    const who = one.ids.map((id) => nameOf(state, id)).join(", ");
    const far_mm = one.travelled_mm ?? one.distance_mm;
    return `${who} ${words.events[one.event] ?? one.event}${far_mm === null ? "" : ` ${inches(far_mm)}`}`.trim();
  }
  const what = `${words.types[one.type] ?? one.type}${one.says === null ? "" : `: ${withNames(one.says, namesAt(state))}`}`;
  return one.by === null ? what : `${what} · ${words.seats[one.by] ?? one.by}`;
}
