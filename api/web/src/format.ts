/** Numbers as players say them. The only place where millimetres become inches. */

import type { Line, Measured, Verdict } from "./types.gen";
import { SAY } from "./view/words";

const MM_PER_INCH = 25.4;

export function inches(mm: number): string {
  return minus(`${(mm / MM_PER_INCH).toFixed(2)}″`);
}

/** A hyphen is not a minus. */
function minus(text: string): string {
  return text.replace(/^-/, "−");
}

export function signed(text: string, value: number): string {
  return value < 0 ? minus(text) : `+${text}`;
}

function sigma(value: number | null): string {
  return value === null || value === 0 ? "" : ` ± ${value < 0.95 ? value.toFixed(1).replace("0.0", "0.1") : value.toFixed(1)}`;
}

/** "4 s", as freshly as one wants to know it. */
export function age(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

export type Names = Readonly<Record<string, string>>;

export interface Figures {
  readonly large: string;
  readonly small: string;
}

/** The number of a line: what was measured, or by how much the condition is met or missed. */
export function figures(verdict: Verdict): Figures | null {
  if (verdict.status === "measured") return measured(verdict);
  if (verdict.capped) return { large: "", small: SAY.nothingFlips };
  if (verdict.margin_mm !== null) return margin(verdict.margin_mm, verdict.sigma_mm);
  if (verdict.margin_deg !== null) {
    const large = signed(`${verdict.margin_deg.toFixed(1)}°`, verdict.margin_deg);
    return { large, small: verdict.sigma_deg ? `± ${verdict.sigma_deg.toFixed(1)}°` : "" };
  }
  return null;
}

function measured(verdict: Verdict): Figures | null {
  const first = verdict.measured[0];
  if (!first) return null;
  return { large: inches(first.value_mm), small: lengthOf(first) };
}

function margin(mm: number, sigma_mm: number | null): Figures {
  return {
    large: signed(inches(mm), mm),
    small: `${signed(mm.toFixed(1), mm)}${sigma(sigma_mm)} mm`,
  };
}

/** How sure, as a player says it. */
export function sureness(verdict: Verdict): string | null {
  if (verdict.probability === null || verdict.answer === null) return null;
  const met = verdict.probability;
  if (met >= 0.9995) return SAY.surely;
  if (met <= 0.0005) return SAY.surelyNot;
  return SAY.likely((100 * met).toFixed(met > 0.1 && met < 0.9 ? 0 : 1));
}

/** A measured length in millimetres with its doubt. */
export function lengthOf({ value_mm, sigma_mm }: Measured): string {
  return `${minus(value_mm.toFixed(1))}${sigma(sigma_mm)} mm`;
}

/** What would allow it, in a few words; the whole of it stands in the opened line. */
export function unlocked({ unlock }: Verdict): string | null {
  if (unlock === null || unlock.includes(" ")) return unlock; // a sentence already
  return SAY.unlocks[unlock] ?? unlock.replaceAll("-", " ");
}

export type Mood = "yes" | "no" | "close" | "told" | "unknown";

export function mood(verdict: Verdict): Mood {
  if (verdict.status === "unknown" || verdict.status === "refused") return "unknown";
  if (verdict.answer === null) return "told";
  return verdict.answer === "too-close" ? "close" : verdict.answer;
}

/** A line with its answer. */
export interface Answered extends Line {
  readonly verdict: Verdict;
}

export function isAnswered(line: Line): line is Answered {
  return line.verdict !== null;
}

/** The answer in a word. */
export function word(line: Answered): string {
  const says = mood(line.verdict);
  if (says === "yes") return line.yes;
  if (says === "no") return line.no;
  if (says === "close") return SAY.tooClose;
  if (says === "told") return SAY.measured;
  return line.verdict.status === "refused" ? SAY.notNow : SAY.cannotTell;
}

/** What the players should do or supply. */
export function advice(verdict: Verdict, names: Names = {}): string | null {
  return verdict.advice ?? missing(verdict, names) ?? unlocked(verdict);
}

/** What is not known, in a few words; `names` are those of the ids that it may speak of. */
export function missing({ needs }: Verdict, names: Names = {}): string | null {
  const said = needs.map((need) => need.replace(/ of (\S+)$/, (whole, id: string) => (names[id] ? ` of ${names[id]}` : whole)));
  return said.length > 0 ? SAY.needs(said.join(", ").replaceAll("facing_deg", SAY.facing)) : null;
}
