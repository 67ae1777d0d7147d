/** The table, now or at an earlier moment: what holds between two, and what the judge makes of it. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { sizeOf } from "../../player/event-text";
import { titleParts } from "../../player/view/answer-rows";
import { facingSigmasOf } from "../../player/view/arc-uncertainty";
import { asOf } from "../../player/view/as-of";
import { footprint, tag } from "../../player/view/base-marker";
import { baseInitials, baseNames } from "../../player/view/base-names";
import { ground } from "../../player/view/ground";
import { icon, moodIcon } from "../../player/view/icons";
import { BUTTONS_PX, LabelLayout } from "../../player/view/label-layout";
import { candidateNames, candidatePrompt, candidates, measureAddress, reserveCandidateNames, unconfirmedText } from "../../player/view/unconfirmed-bases";
import { openNote } from "../../player/view/news";
import { sideChip } from "../../player/view/picker";
import { headQuestion, sentence, type SentenceState } from "../../player/view/sentence";
import { explanation } from "../../player/view/verdict-details";
import { label, ruledMood, witnesses } from "../../player/view/witness";
import { fieldsOf } from "../../shared/form-fields";
import { everyone, sideClass } from "../../shared/entities";
import { clockTime, figures, headlineOf, inches, isAnswered, lengthOf, missingHint, mood, moodOf, ruledText, unlockHint, type AnsweredLine, type Names } from "../../shared/format";
import { directionTo, frameOf, matrixOf, pictureMatrix, scaleOf, type Frame } from "../../shared/geometry";
import type { DrawnMiniature, DrawnTable, Line, ToldFact } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { freshNow, hasRight, nameOf, namesAt, restShown, type State } from "../state";
import { goThrough, keepStop, stopOf } from "../../shared/one-stop";
import { lookTone } from "../../shared/freshness";
import { SAY } from "../../shared/strings";
import { words } from "../strings";
import { tabIcon } from "./icons";
import { choice, options } from "./segmented-control";
import { freshnessText } from "./tables";

const RANGES_IN = [5, 6, 8, 10, 12, 14];
const NUDGE_DEG = 15;
const EIGHTHS = 8;
const FRACTIONS = ["+0", "⅛", "¼", "⅜", "½", "⅝", "¾", "⅞"];

export function table(state: State, actions: Actions): TemplateResult {
  return html`<h2 class="aloud">${words.tabs.table}</h2>
    ${momentBar(state, actions)}
    <div class="desk">${stageOf(state, actions)}${decisions(state, actions)}</div>`;
}

/** The table as large as there is room for it, in the middle of a wide screen. */
export function stagePart(state: State, actions: Actions): TemplateResult {
  return html`${momentBar(state, actions)}${stageOf(state, actions)}`;
}

/** What holds between two, and what the judge decides; or who may be asked about. */
export function decisions(state: State, actions: Actions): TemplateResult {
  return html`<div class="sheet">${whenMeasured(state, actions)}${state.a && state.b ? pair(state, actions) : picker(state, actions)}</div>`;
}

function stageOf(state: State, actions: Actions): TemplateResult {
  return html`<div class="stage" @click=${(event: MouseEvent) => actions.tap(at(event))}>
    ${state.table ? stage(state, state.table, actions) : html`<p class="no-table">${state.problem?.detail ?? words.noTable}</p>`}
    ${candidatePrompt(state.table, state.candidate, hasRight(state, "rule") && state.at === null, actions.candidates)}
  </div>`;
}

/** Of which moment the table is that is looked at. */
function whenMeasured(state: State, actions: Actions): TemplateResult | typeof nothing {
  const says = asOf(restShown(state), actions.picture, state.at === null ? state.fresh : null);
  const fresh = freshNow(state);
  if (says !== nothing || state.at !== null || fresh === null) return says;
  const tone = lookTone(fresh, state.problem !== null);
  return html`<p class="when now ${tone}"><i class="dot"></i>${tone === "good" ? SAY.now : freshnessText(fresh, state.problem !== null)}</p>`;
}

function momentBar({ at }: State, actions: Actions): TemplateResult | typeof nothing {
  if (at === null) return nothing;
  return html`<p class="when then"><span>${words.earlier(clockTime(at.at_s))}</span>
    <button class="mend" @click=${() => actions.goToMoment(null)}>${words.backToNow}</button></p>`;
}

function at(event: MouseEvent): [number, number] {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function stage(state: State, drawn: DrawnTable, actions: Actions): TemplateResult {
  const frame = frameOf(drawn.size, state.stage, state.view, false);
  const lines = drawnLines(state);
  const blockers = new Set(lines.flatMap((line) => line.verdict.blockers));
  const role = (id: string) => (id === state.a ? "a" : id === state.b ? "b" : blockers.has(id) ? "blocker" : "");
  const hasPicture = actions.picture.isPainted;
  const layout = new LabelLayout(drawn.miniatures, frame, state.stage);
  layout.reserveCorner({ width_px: BUTTONS_PX });
  reserveCandidateNames(drawn, frame, layout);
  const tagged = everyone(drawn).filter((m) => role(m.id)).sort((m, n) => role(m.id).length - role(n.id).length);
  const tags = tagged.map((m) => tag(m, frame, m.id === state.a ? "A" : m.id === state.b ? "B" : m.name, role(m.id), layout, otherOf(state, m.id)));
  const lengths = lines.map((line) => label(line, lines, frame, layout));
  return html`${picture(frame, drawn, actions, hasPicture)}
    <svg class="layer ${hasPicture ? "" : "plain"}" viewBox="0 0 ${state.stage.width_px} ${state.stage.height_px}" role="group" aria-label=${words.tabs.table}>
      <g transform=${matrixOf(frame)}>
        ${ground(drawn, hasPicture)}
        ${candidates(drawn, frame, actions.candidates)}
        ${repeat(drawn.miniatures, (m) => m.id, (m) => svg`<g class="base ${role(m.unit ?? m.id)} ${sideClass(m, drawn)} ${m.facing_deg === null ? "no-facing" : ""}" data-id=${m.id}>${footprint(m, scaleOf(frame))}</g>`)}
        ${[...lines].reverse().map((line) => witnesses(line.verdict, state.open !== null, facingSigmasOf(drawn), ruledMood(line, moodOf(line))))}
      </g>
      ${baseInitials(drawn, frame)}
      ${candidateNames(drawn, frame)}
      ${baseNames(null, { ...drawn, miniatures: drawn.miniatures.filter((m) => role(m.id) === "") }, frame, layout)}
      ${lengths}
      ${tags}
    </svg>${openNote(unconfirmedText(drawn), layout, state.stage)}
    <button class="round" @click=${(event: Event) => { event.stopPropagation(); actions.showWholeTable(); }} aria-label=${SAY.whole}>${icon("whole")}</button>
    ${hasRight(state, "correct") && state.at === null && hasPicture ? html`<a class="round missing" href=${measureAddress()} @click=${(event: Event) => event.stopPropagation()} aria-label=${SAY.measureBase}>${icon("missing")}</a>` : nothing}`;
}

/** The other of the two; null for who is neither, or where there is only one. */
function otherOf({ a, b, table }: State, id: string): DrawnTable["miniatures"][number] | null {
  const other = id === a ? b : id === b ? a : null;
  return everyone(table).find((m) => m.id === other) ?? null;
}

/** The lines whose witness is drawn: the opened one, else sight and distance, which come first. */
function drawnLines(state: State): readonly AnsweredLine[] {
  const lines = state.sheet?.lines ?? [];
  return (state.open === null ? lines.slice(0, 2) : lines.filter((line) => line.slot === state.open)).filter(isAnswered);
}

function picture(frame: Frame, { size }: DrawnTable, actions: Actions, hasPicture: boolean): TemplateResult {
  const { canvas } = actions.picture;
  const scale = scaleOf(frame);
  actions.picture.fit(scale * size.width_mm);
  canvas.style.width = `${size.width_mm}px`;
  canvas.style.height = `${size.depth_mm}px`;
  canvas.style.transform = pictureMatrix(frame, size);
  canvas.style.display = hasPicture ? "" : "none";
  return html`${canvas}`;
}

function picker(state: State, actions: Actions): TemplateResult {
  const first = state.a;
  return html`<header class="head"><h3>${first ? html`<b class="letter a">A</b> ${nameOf(state, first)}` : words.pick}</h3>
      <p>${first ? words.second : words.pickSays}</p></header>
    ${first && hasRight(state, "air") ? html`<button class="quiet" @click=${() => actions.putThreatOnAir(first)}>${words.threatOnAir}</button>` : nothing}
    <ul class="picks" @keydown=${goThrough} @focusin=${keepStop}>${repeat(everyone(state.table), (m) => m.id, (m, row) => html`<li>
      <button class="entry" tabindex=${stopOf(row)} aria-pressed=${m.id === state.a || m.id === state.b} @click=${() => actions.pick(m.id)}><span>${sideChip(m, state)}${m.name}</span><small>${m.side === null ? "" : `${m.side} · `}${sizeOf(m)}</small></button></li>`)}</ul>`;
}

function pair(state: State, actions: Actions): TemplateResult {
  const name = (id: string | null) => nameOf(state, id);
  return html`<div class="on-top"><header class="pair">
      <span class="who a"><b>A</b><span>${name(state.a)}</span></span>
      <button class="round" @click=${() => actions.swap()} aria-label=${words.swap}>${icon("swap")}</button>
      <span class="who b"><b>B</b><span>${name(state.b)}</span></span>
      <button class="round" @click=${() => actions.clear()} aria-label=${words.clear}>${icon("clear")}</button>
    </header>${newestRuling(state, actions)}</div>${answerFirst(state)}
    ${tapeMeasure(state, actions)}${pairFacts(state, actions)}
    ${state.problem ? html`<p class="trouble" role="alert">${icon("warn")}<span><b>${state.problem.title}</b> ${state.problem.detail}</span></p>` : nothing}
    ${state.sheet ? nothing : state.isAsking ? html`<p class="hint">${words.working}</p>` : nothing}
    <ul class="verdicts" aria-busy=${state.isAsking}>${repeat(state.sheet?.lines ?? [], (line) => line.slot, (line) => verdict(line, state, actions))}</ul>`;
}

/** The question that the players most likely have, answered in one sentence as on their phones. */
function answerFirst({ sheet, table, a, b, settled }: State): TemplateResult | typeof nothing {
  const asking: SentenceState = { table, a, b, settled, topic: null, tool: "ask", manoeuvre: null };
  const head = sheet === null ? null : headQuestion(sheet, asking);
  return head === null ? nothing : sentence(head, asking);
}

function verdict(line: Line, state: State, actions: Actions): TemplateResult {
  if (!isAnswered(line)) return html`<li><p class="verdict ghost">${line.title}</p></li>`;
  const says = moodOf(line);
  const isOpen = state.open === line.slot;
  return html`<li class="${says} ${line.told.length > 0 && !line.ruling ? "one-word" : ""}" data-slot=${line.slot}>
    <button class="verdict" aria-expanded=${isOpen} @click=${() => actions.toggleLine(line.slot)}>
      ${moodIcon(says)}<b>${headlineOf(line)}</b><span class="asked-of">${titleParts(line.title)}${line.turns_on === "range" ? ` ${state.range_in}″` : nothing}<small>${foot(line, namesAt(state))}</small></span>
    </button>
    ${isOpen ? html`<div class="opened">
      ${line.turns_on === "range" ? rangeChoice(state, actions) : nothing}
      ${ruling(line, state, actions)}
      <div class="details">${explanation(line, nothing, namesAt(state))}</div></div>` : nothing}
  </li>`;
}

/** The usual ranges with one tap, and any other. */
function rangeChoice({ range_in }: State, actions: Actions): TemplateResult {
  const set = (event: Event) => {
    const input = event.target as HTMLInputElement;
    if (input.value !== "" && input.reportValidity()) actions.setRange(input.valueAsNumber);
  };
  return html`${choice(words.range, options(RANGES_IN), range_in, (value) => actions.setRange(value))}
    <input class="length" type="number" inputmode="decimal" min="0" max="100" step="any" aria-label=${words.range} .value=${String(range_in)} @change=${set} />`;
}

function foot(line: AnsweredLine, names: Names): string {
  const { note, verdict: answer } = line;
  const word = line.told[0];
  if (word && !line.ruling) return `${SAY.ifTold[word.kind]}: ${SAY.saidBy(words.seats[word.by] ?? word.by)}`;
  return ruledText(line) ?? note ?? figures(answer)?.small ?? missingHint(answer, names) ?? unlockHint(answer) ?? "";
}

/** Facts of the pair on the judge's page: which way each looks, and what players told; the judge's word ends it. */
export function pairFacts(state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!hasRight(state, "rule") || state.at !== null || !state.sheet) return nothing;
  const [a, b] = [state.a, state.b].map((id) => everyone(state.table).find((m) => m.id === id));
  if (!a || !b) return nothing;
  const told = uniqueFacts(state);
  const isMissing = [a, b].some((m) => m.facing_deg === null);
  return html`<details class="card facts" ?open=${isMissing || told.length > 0}><summary>${words.facts}</summary>
    ${facing("A", a, "B", b, actions)}${facing("B", b, "A", a, actions)}
    ${told.map((fact) => html`<p class="told-fact"><span><b>${SAY.ifTold[fact.kind]}</b> ${fact.ids.map((id) => nameOf(state, id)).join(", ")}: ${SAY.saidBy(words.seats[fact.by] ?? fact.by)}</span>
      <button class="mend" @click=${() => actions.confirmFact(fact.n)}>${words.itIsSo}</button></p>`)}
    ${state.sheet.cards.map((card) => html`<p class="hint">${card}</p>`)}</details>`;
}

/** What the answers on the sheet rest on by one player's word. */
function uniqueFacts({ sheet }: State): readonly ToldFact[] {
  const all = (sheet?.lines ?? []).flatMap((line) => line.told);
  return all.filter((fact, i) => all.findIndex((one) => one.n === fact.n && one.kind === fact.kind) === i);
}

function facing(letter: string, m: DrawnMiniature, otherLetter: string, other: DrawnMiniature, actions: Actions): TemplateResult {
  const toward = directionTo(m.at_mm, other.at_mm);
  const tell = (deg: number) => () => actions.tellFacing(m.id, deg);
  const known = m.facing_deg;
  return html`<div class="options facings" role="group" aria-label=${SAY.whichFacing(letter)}>
    <span class="hint">${letter} ${known === null ? words.facingUnknown : words.faces(Math.round(known) % 360)}</span>
    ${m.facing_alternatives.map((one) => html`<button @click=${tell(one.facing_deg)} aria-label=${words.facesTo(letter, Math.round(one.facing_deg))}>${arrow(one.facing_deg)} ${Math.round(100 * one.probability)} %</button>`)}
    <button @click=${tell(toward)}>${SAY.faceToward(letter, otherLetter)}</button>
    <button @click=${tell(toward + 180)}>${SAY.faceAway(letter)}</button>
    <button @click=${tell((known ?? toward) + NUDGE_DEG)} aria-label=${SAY.turnLeft(letter)}>↺</button>
    <button @click=${tell((known ?? toward) - NUDGE_DEG)} aria-label=${SAY.turnRight(letter)}>↻</button></div>`;
}

function arrow(deg: number): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path transform="rotate(${-deg} 12 12)" d="M3 12h17M13.5 5.5L20 12l-6.5 6.5"/></svg>`;
}

export function ruling(line: AnsweredLine, state: State, actions: Actions): TemplateResult | typeof nothing {
  if (!hasRight(state, "rule")) return hasRight(state, "air") ? onAirButton(line, actions) : nothing;
  if (state.draft?.slot === line.slot) return overruleForm(line, state, actions);
  const isClose = mood(line.verdict) === "close" && line.verdict.needs.length === 0;
  return html`${rollResult(line, actions)}<div class="ruling" role="group" aria-label=${words.rule}>
    ${hasAnswer(line) ? html`<button class="accept" @click=${() => actions.rule("accepted", line.slot)}>${icon("yes")}<span>${words.accept}</span></button>` : nothing}
    <button class="overrule" @click=${() => actions.overrule(line.slot, opposite(line))}>${tabIcon("gavel")}<span>${words.overrule}</span></button>
    ${isClose ? html`<button class="roll" @click=${() => actions.rule("rolled", line.slot)}>${tabIcon("dice")}<span>${words.decided.rolled}</span></button>` : nothing}
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
    ${[line.yes, line.no].map((says) => html`<button class="quiet" @click=${() => actions.decideRoll(ruling.number, says)}>${says}</button>`)}</div>`;
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
    const told = fieldsOf(event);
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
    <a class="mend" href="api/v1/rulings/${newestRuling.number}/record.html" target="_blank" rel="noopener">${words.moments.record}</a>
    <a class="mend" href="v/${newestRuling.n}" target="_blank" rel="noopener">${SAY.link}</a>
    ${canUndo ? html`<button class="mend undo" @click=${() => actions.withdraw(newestRuling.number, words.undone)}>${SAY.undo}</button>` : nothing}</div>`;
}
