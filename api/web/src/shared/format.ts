/** Number formats as players say them. The only place where millimetres become inches. */

import { localNumber, phrase } from "./language";
import { SAY } from "./strings";
import type { Line, MeasuredLength, Verdict } from "./types.gen";

const MM_PER_INCH = 25.4;
const ENOUGH_DRAWS = 200; // tables, from which on the second digit of a probability says something

export function inches(mm: number): string {
  return minus(`${localNumber((mm / MM_PER_INCH).toFixed(2))}″`);
}

/** A length that is told in inches, as the language writes it. */
export function lengthIn(length_in: number): string {
  return `${localNumber(String(+length_in.toFixed(3)))}″`;
}

/** A hyphen is not a minus. */
function minus(text: string): string {
  return text.replace(/^-/, "−");
}

export function withSign(text: string, value: number): string {
  return value < 0 ? minus(text) : `+${text}`;
}

/** A doubt in inches; nothing where there is none. */
export function doubtInches(mm: number | null): string {
  return mm === null || mm === 0 ? "" : `± ${localNumber(Math.max(0.01, mm / MM_PER_INCH).toFixed(2))}″`;
}

function sigma(value: number | null): string {
  return value === null || value === 0 ? "" : ` ± ${localNumber(value < 0.95 ? value.toFixed(1).replace("0.0", "0.1") : value.toFixed(1))}`;
}

/** "4 s", as freshly as one wants to know it. */
export function age(seconds: number): string {
  if (seconds < 10) return `${localNumber(seconds.toFixed(1))} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

export type Names = Readonly<Record<string, string>>;

export interface Figures {
  readonly large: string;
  readonly small: string;
}

/** The number of a line: what was measured, or by how much the condition is met or missed. */
export function figures(verdict: Verdict): Figures | null {
  if (verdict.status === "measured") return measuredFigures(verdict);
  if (verdict.capped) return { large: "", small: SAY.nothingFlips };
  if (verdict.margin_mm !== null) return margin(verdict.margin_mm, verdict.sigma_mm, verdict.kind);
  if (verdict.margin_deg !== null) {
    const large = withSign(`${localNumber(verdict.margin_deg.toFixed(1))}°`, verdict.margin_deg);
    return { large, small: verdict.sigma_deg ? `± ${localNumber(verdict.sigma_deg.toFixed(1))}°` : "" };
  }
  return null;
}

function measuredFigures(verdict: Verdict): Figures | null {
  const first = verdict.measured[0];
  if (!first) return null;
  return { large: inches(first.value_mm), small: doubtInches(first.sigma_mm) };
}

/** A margin as one can lay a tape on it; of a line of sight, how much more what stands between could grow. */
function margin(mm: number, sigma_mm: number | null, kind: string): Figures {
  const large = withSign(inches(mm), mm);
  if (kind === "los") return { large, small: mm < 0 ? SAY.roomShort(inches(-mm)) : SAY.room(inches(mm)) };
  return { large, small: [large, doubtInches(sigma_mm)].filter(Boolean).join(" ") };
}

/** The margin in millimetres, for who wants the other unit. */
export function marginMm({ margin_mm, sigma_mm, capped }: Verdict): string | null {
  return margin_mm === null || capped ? null : `${withSign(localNumber(margin_mm.toFixed(1)), margin_mm)}${sigma(sigma_mm)} mm`;
}

/** How sure, as a player says it. */
export function sureness(verdict: Verdict): string | null {
  if (verdict.probability === null || verdict.answer === null) return null;
  const met = verdict.probability;
  if (met >= 0.9995) return SAY.surely;
  if (met <= 0.0005) return SAY.surelyNot;
  const percent = isCoarse(verdict) ? SAY.about((10 * Math.round(10 * met)).toFixed(0)) : (100 * met).toFixed(met >= 0.01 && met <= 0.99 ? 0 : 1);
  return met > 0.55 ? SAY.probably(percent) : met < 0.45 ? SAY.probablyNot(percent) : SAY.open(percent);
}

/** Whether a probability between the two answers was counted on so few tables that its second digit says nothing. */
function isCoarse({ estimate, probability }: Verdict): boolean {
  return estimate?.draws != null && estimate.draws < ENOUGH_DRAWS && probability !== null && probability > 0.05 && probability < 0.95;
}

/** A measured length in millimetres with its doubt. */
export function lengthOf({ value_mm, sigma_mm }: MeasuredLength): string {
  return `${minus(localNumber(value_mm.toFixed(1)))}${sigma(sigma_mm)} mm`;
}

/** What would allow it, in a few words; the whole of it stands in the opened line. */
export function unlockHint({ unlock }: Verdict): string | null {
  if (unlock === null || unlock.includes(" ")) return unlock && phrase(unlock); // a sentence already
  return SAY.unlocks[unlock] ?? unlock.replaceAll("-", " ");
}

export type Mood = "yes" | "no" | "close" | "told" | "unknown";

export function mood(verdict: Verdict): Mood {
  if (verdict.status === "unknown" || verdict.status === "refused") return "unknown";
  if (verdict.answer === null) return "told";
  if (verdict.answer === "too-close" && verdict.needs.length > 0) return "unknown"; // a fact is missing, nobody measures it nearer
  return verdict.answer === "too-close" ? "close" : verdict.answer;
}

/** What stands of a line: the judge's ruling while it holds, else the referee's answer. */
export function moodOf({ verdict, ruling }: AnsweredLine): Mood {
  return ruling ? (ruling.answer ?? "told") : mood(verdict);
}

/** The answer that stands, in a word or a number. */
export function headlineOf({ headline, ruling }: Line): string {
  return phrase(ruling?.said ?? headline ?? "");
}

/** Who ruled when, and what the camera's answer was; null: nobody ruled. */
export function ruledText({ headline, ruling }: Line): string | null {
  return ruling ? `${SAY.ruledBy(minuteTime(ruling.at_s))} · ${SAY.cameraSaid(phrase(headline ?? ""))}` : null;
}

/** The class of a line's colour: a no is red only where the rules forbid it. */
export function toneOf(line: AnsweredLine): string {
  const { permits } = line;
  const says = moodOf(line);
  return says === "no" && permits ? "no forbidden" : says;
}

/** A line with its answer. */
export interface AnsweredLine extends Line {
  readonly verdict: Verdict;
}

export function isAnswered(line: Line): line is AnsweredLine {
  return line.verdict !== null;
}

/** The answer in a word. */
export function answerWord(line: AnsweredLine): string {
  const says = mood(line.verdict);
  if (says === "yes") return phrase(line.yes);
  if (says === "no") return phrase(line.no);
  if (says === "close") return SAY.tooClose;
  if (says === "told") return SAY.measured;
  return line.verdict.status === "refused" ? SAY.notNow : SAY.cannotTell;
}

/** What the players should do or supply. */
export function advice(verdict: Verdict, names: Names = {}): string | null {
  return (verdict.advice && withNames(phrase(verdict.advice), names)) ?? missingHint(verdict, names) ?? unlockHint(verdict);
}

/** The text with names for ids; an id that is told to be its own name is told once. Only what no word looks like counts as an id. */
/** What a step did, in the language of the page and with names. */
export function stepText(said: string, names: Names): string {
  return withNames(said.split("; ").map(phrase).join("; "), names);
}

export function withNames(said: string, names: Names): string {
  const named = said.replace(/[\p{L}\p{N}_]+(?:[-/][\p{L}\p{N}_]+)*/gu, (word) => (/[\d/-]/.test(word) ? (names[word] ?? word) : word));
  return named.replace(/(^|“|; )([^“”;]+): \2(?=$|”|;)/g, "$1$2");
}

/** What is not known, in a few words; `names` are those of the ids that it may speak of. */
export function missingHint({ needs }: Verdict, names: Names = {}): string | null {
  const said = needs.map((need) => {
    const [what = "", id] = need.split(/ of (?=\S+$)/);
    const named = what.replace("facing_deg", SAY.facing).replace(/this_turn\.\w+/, SAY.needsMove).replace(/profile\.\w+/, SAY.needsCard);
    return id ? SAY.needsOf(named, names[id] ?? id) : named;
  });
  return said.length > 0 ? SAY.needs([...new Set(said)].join(", ")) : null;
}

export function clockTime(at_s: number): string {
  return new Date(at_s * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

/** The time of day to the minute. */
export function minuteTime(at_s: number): string {
  return new Date(at_s * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
}

/** "1:02:03" or "2:03"; below nothing with a minus. */
export function span(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  const sign = seconds < 0 && whole > 0 ? "−" : "";
  return sign + (h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`);
}
