/** Roster parser: a list of expected bases as players type it, how many, whose, how large. */

import type { Roster } from "../shared/types.gen";

type Expected = Roster["expected"][number];

/** `3 Trencher, red, 30` or `Knights, blue, 25x50`; the count and the side may be left out. */
const LINE = /^(?:(\d+)\s+)?([^,]+?)\s*(?:,\s*([^,]+?)\s*)?,\s*(\d+(?:\.\d+)?)(?:\s*[x×]\s*(\d+(?:\.\d+)?))?\s*(?:mm)?$/;

/** Who is expected, or the first line that makes no sense, as it was typed. */
export function rosterOf(text: string): readonly Expected[] | string {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.find((line) => !expectedOf(line)) ?? lines.map((line) => expectedOf(line) as Expected);
}

function expectedOf(line: string): Expected | null {
  const found = LINE.exec(line);
  if (!found) return null;
  const [, count, name, side, across, deep] = found;
  const base = deep === undefined
    ? ({ shape: "round", diameter_mm: Number(across) } as const)
    : ({ shape: "rect", width_mm: Number(across), depth_mm: Number(deep) } as const);
  return { name: name ?? "", side: side ?? null, base, count: Number(count ?? 1) };
}
