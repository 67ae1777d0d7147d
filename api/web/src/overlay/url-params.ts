/** URL parameters of the overlay: everything about its looks stands there, so that a source is one line of text. */

import { LANGUAGES, type Language } from "../shared/language";

export type Widget = "ruling" | "closeup" | "table" | "lines" | "clocks" | "lowerthird" | "army";
export type Theme = "dark" | "light" | "bare";
export type Corner = "bottom-left" | "bottom-right" | "top-left" | "top-right";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Params {
  /** the language of the words on air; undefined: that of the program that shows it */
  readonly language: Language | undefined;
  /** what the table is called on screen; empty: not at all */
  readonly table: string;
  readonly widgets: ReadonlySet<Widget>;
  /** the names of widgets that other packages bring */
  readonly plugins: readonly string[];
  readonly theme: Theme;
  readonly corner: Corner;
  /** how far the stream is behind */
  readonly delay_s: number;
  /** left free along the edges, in pixels of 1920 x 1080 */
  readonly safe_px: number;
  /** how long a verdict stays; null: as the server says */
  readonly stays_s: number | null;
  /** only what is resolved, whatever the server says: for screens that players can see */
  readonly onlyResolved: boolean;
  /** where the whole table lies on the screen; null: as large as it fits */
  readonly box: Box | null;
}

export const WIDE_PX = 1920;
export const HIGH_PX = 1080;
const WIDGETS: readonly Widget[] = ["ruling", "closeup", "table", "lines", "clocks", "lowerthird", "army"];
const THEMES: readonly Theme[] = ["dark", "light", "bare"];
const CORNERS: readonly Corner[] = ["bottom-left", "bottom-right", "top-left", "top-right"];
const SAFE_PERCENT = 5;
const MOST_DELAY_S = 120;
const MOST_SAFE_PERCENT = 20;

/** What makes no sense is as if it were not there: a streamer sees the usual overlay, not an empty one. */
export function paramsOf(search: string): Params {
  const params = new URLSearchParams(search);
  const safe = number(params.get("safe"), 0, MOST_SAFE_PERCENT) ?? SAFE_PERCENT;
  return {
    language: oneOf(Object.keys(LANGUAGES) as Language[], params.get("language")) ?? undefined,
    table: params.get("table") ?? "",
    widgets: widgetsOf(params.get("widgets")),
    plugins: pluginsOf(params.get("widgets")),
    theme: oneOf(THEMES, params.get("theme")) ?? "dark",
    corner: oneOf(CORNERS, params.get("corner")) ?? "bottom-left",
    delay_s: number(params.get("delay"), 0, MOST_DELAY_S) ?? 0,
    safe_px: (safe / 100) * HIGH_PX,
    stays_s: number(params.get("stays"), 1, MOST_DELAY_S),
    onlyResolved: params.get("resolved") === "1",
    box: boxOf(params.get("box")),
  };
}

function widgetsOf(text: string | null): ReadonlySet<Widget> {
  const named = (text ?? "").split(",").flatMap((one) => oneOf(WIDGETS, one.trim()) ?? []);
  return new Set(named.length > 0 || pluginsOf(text).length > 0 ? named : ["ruling", "closeup"]);
}

/** What is named beside the built-in widgets, as a plug-in may be called. */
function pluginsOf(text: string | null): readonly string[] {
  const named = (text ?? "").split(",").map((one) => one.trim());
  return [...new Set(named)].filter((name) => /^[A-Za-z0-9][\w.-]*$/.test(name) && oneOf(WIDGETS, name) === null);
}

function boxOf(text: string | null): Box | null {
  const [x, y, width, height] = (text ?? "").split(",").map(Number);
  const isBox = [x, y, width, height].every((one) => one !== undefined && Number.isFinite(one));
  return isBox && width! > 0 && height! > 0 ? { x: x!, y: y!, width: width!, height: height! } : null;
}

function oneOf<Word extends string>(words: readonly Word[], text: string | null): Word | null {
  return words.find((word) => word === text) ?? null;
}

function number(text: string | null, least: number, most: number): number | null {
  const value = text === null || text === "" ? NaN : Number(text);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : null;
}
