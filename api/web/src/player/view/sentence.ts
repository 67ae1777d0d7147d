/** Sentence of a pair sheet: the question of the moment answered in one sentence, the lines it hangs on, and the other questions. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { figures, headlineOf, isAnswered, type AnsweredLine, type Mood } from "../../shared/format";
import { SAY } from "../../shared/strings";
import type { DrawnMiniature, Line, PlayerQuestion, Sheet } from "../../shared/types.gen";
import type { Actions } from "../actions";
import { standingMood } from "../settlements";
import { miniature, type State, type Topic } from "../state";
import { icon, moodIcon } from "./icons";
import { sideChip } from "./picker";

const TOPICS: readonly Topic[] = ["shoot", "charge", "melee", "see"];
const WIDE = 300;
const HIGH = 30;
const MIDDLE_Y = 15;
const MORE = 1.2; // of the longer of distance and limit, so that both lie well inside the scale

/** What a sentence needs to know of a page. */
export type SentenceState = Pick<State, "table" | "a" | "b" | "topic" | "tool" | "manoeuvre" | "settled">;

/** A question with its lines, the weakest first, and what holds of all of them; `null`: still being worked out. */
export interface Asked {
  readonly question: PlayerQuestion;
  readonly lines: readonly Line[];
  readonly mood: Mood | null;
}

/** The question that the sheet answers first: what the player chose, else what is likeliest. */
export function headQuestion(sheet: Sheet, state: SentenceState): Asked | null {
  const all = askedOf(sheet, state);
  const chosen = state.topic === null ? all : all.filter(({ question }) => question.topic === state.topic);
  const first = chosen[0];
  if (!first) return null;
  const alike = chosen.filter(({ question }) => question.topic === first.question.topic && question.is_of_b === first.question.is_of_b);
  return alike.find(({ mood }) => mood === "yes") ?? first; // of several weapons the one that may
}

/** All questions of the sheet; after a charge that is thought of, who may charge or shoot is no question any more. */
function askedOf(sheet: Sheet, state: SentenceState): readonly Asked[] {
  const isDone = ({ topic }: PlayerQuestion) => state.tool === "move" && state.manoeuvre?.do === "charge" && (topic === "charge" || topic === "shoot");
  return sheet.questions.filter((one) => !isDone(one)).flatMap((question) => {
    const found = question.slots.map((slot) => sheet.lines.find((line) => line.slot === slot));
    if (found[0] === undefined) return [];
    const lines = found.filter((line) => line !== undefined);
    return [{ question, lines: [...lines].sort((one, other) => strengthOf(one, state) - strengthOf(other, state)), mood: moodOfAll(lines, question.slots.length > lines.length && !sheet.is_readable, state) }];
  });
}

/** `isMore`: whether a line may still come that forbids it. */
function moodOfAll(lines: readonly Line[], isMore: boolean, state: SentenceState): Mood | null {
  const moods = lines.map((line) => (isAnswered(line) ? standingMood(line, state) : null));
  if (moods.includes("no")) return "no";
  if (moods.includes(null) || isMore) return null;
  return moods.includes("unknown") || moods.includes("told") ? "unknown" : moods.includes("close") ? "close" : "yes";
}

/** What fails comes before what is open, and that before what holds, each by how much. */
function strengthOf(line: Line, state: SentenceState): number {
  if (!isAnswered(line)) return 0;
  const far = Math.abs(line.verdict.margin_mm ?? 1e4);
  return { no: -1e6, unknown: -2e5, close: -1e5, told: 0, yes: 1e3 }[standingMood(line, state)] + Math.min(far, 9e4);
}

/** The sentence, in large letters; the sides' colours stand before the names. */
export function sentence({ question, mood }: Asked, state: SentenceState): TemplateResult {
  const { topic, is_of_b } = question;
  const [doer, other] = is_of_b ? [state.b, state.a] : [state.a, state.b];
  return html`<h2 class="sentence ${mood ?? "asking"}" data-topic=${topic}>${mood === null ? nothing : moodIcon(mood)}<span>${withNamesIn(sayAs(topic, mood), miniature(state, doer), miniature(state, other), state)}</span></h2>`;
}

function sayAs(topic: Topic, mood: Mood | null): string {
  return SAY.sentence[topic][mood === "told" || mood === null ? "asking" : mood];
}

/** The same in plain words, to be said aloud. */
export function spokenSentence({ question, mood }: Asked, state: State): string {
  const name = (id: string | null) => miniature(state, id)?.name ?? "";
  const [doer, other] = question.is_of_b ? [state.b, state.a] : [state.a, state.b];
  return sayAs(question.topic, mood).replace("{a}", name(doer)).replace("{b}", name(other));
}

function withNamesIn(said: string, doer: DrawnMiniature | null, other: DrawnMiniature | null, state: SentenceState): TemplateResult[] {
  return said.split(/(\{a\}|\{b\})/).map((part) => {
    const m = part === "{a}" ? doer : part === "{b}" ? other : null;
    if (m === null) return html`${part}`;
    const [first = "", ...rest] = m.name.split(" ");
    return html`<b><span class="stuck">${sideChip(m, state)}${first}</span>${rest.map((word) => ` ${word}`)}</b>`;
  });
}

/** The other questions as chips that carry their answers; a tap makes one the first. */
export function questionChips(sheet: Sheet, head: Asked, state: State, actions: Actions): TemplateResult | typeof nothing {
  const all = askedOf(sheet, state).filter(({ question }) => question.is_of_b === head.question.is_of_b);
  const chips = TOPICS.flatMap((topic) => {
    const alike = all.filter(({ question }) => question.topic === topic);
    const best = alike.find(({ mood }) => mood === "yes") ?? alike[0];
    return best ? [chip(best, topic === head.question.topic, state, actions)] : [];
  });
  return html`<div class="chips topics" role="group" aria-label=${SAY.topics}>${chips}</div>`;
}

function chip({ question: { topic }, lines, mood }: Asked, isFirst: boolean, state: State, actions: Actions): TemplateResult {
  const weakest = lines[0];
  const by = weakest && isAnswered(weakest) && mood === "no" ? (figures(weakest.verdict)?.large ?? "") : "";
  const word = mood === null || mood === "told" ? "…" : SAY.holds[mood];
  return html`<button class="topic ${mood ?? ""} ${isFirst ? "first" : ""}" aria-pressed=${state.topic === topic} @click=${() => actions.chooseTopic(topic)}>
    <span>${SAY.topic[topic]}</span><small>${mood === null ? nothing : moodIcon(mood)}<span>${word} ${by}</span></small></button>`;
}

/** How far the two are apart on one scale with the length that decides; the row opens the distance. */
export function distanceScale(distance: Line, decides: Line | undefined, stepper: unknown, state: State, actions: Actions): TemplateResult {
  if (!isAnswered(distance)) return html`<div class="scale waits" data-slot="distance" aria-busy="true"></div>`;
  const [far_mm, limit_mm] = [distance.verdict.measured[0]?.value_mm ?? null, decides && isAnswered(decides) ? limitOf(distance, decides) : null];
  const isOpen = state.openSlot === distance.slot;
  return html`<div class="scale ${isOpen ? "open" : ""}"><button class="scale-row" data-slot="distance" aria-expanded=${isOpen} @click=${() => actions.toggleLine(distance.slot)}>
      <span class="aloud">${SAY.apart}</span>${icon("told")}<b>${headlineOf(distance)}</b><small>${figures(distance.verdict)?.small ?? ""}</small>
      ${far_mm === null ? nothing : axis(far_mm, limit_mm)}</button>${stepper}</div>`;
}

/** The length that decides: as far as it may be at most. */
function limitOf(distance: AnsweredLine, { verdict }: AnsweredLine): number | null {
  const far_mm = distance.verdict.measured[0]?.value_mm;
  const isLength = verdict.kind === "range" || verdict.kind === "melee-range" || verdict.kind === "charge";
  return far_mm === undefined || verdict.margin_mm === null || !isLength ? null : far_mm + verdict.margin_mm;
}

function axis(far_mm: number, limit_mm: number | null): TemplateResult {
  const most = MORE * Math.max(far_mm, limit_mm ?? 0, 1);
  const x = (mm: number) => (WIDE * Math.max(0, mm)) / most;
  return html`<svg class="axis-scale" viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none" aria-hidden="true">${svg`
    <path class="axis" d="M0 ${MIDDLE_Y}h${WIDE}"/>${limit_mm === null ? nothing : svg`<path class="within" d="M0 ${MIDDLE_Y}h${x(limit_mm)}"/><path class="limit" d="M${x(limit_mm)} 3v${HIGH - 6}"/>`}
    <path class="mark" d="M${x(far_mm)} ${MIDDLE_Y}h0"/>`}</svg>`;
}
