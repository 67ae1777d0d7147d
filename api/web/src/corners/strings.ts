/** All that this page says. */

import { say, under } from "../shared/page-language";
import type { TapAssessment } from "../shared/types.gen";

/** Where a corner of the mat is, in their order. */
const nameOf = (corner: number) => [say("corners.names.0"), say("corners.names.1"), say("corners.names.2"), say("corners.names.3")][corner];
export const CORNERS = 4;

export const SIZES: readonly { readonly says: string; readonly mm: readonly [number, number] }[] = [
  { says: "48 × 48″", mm: [1219.2, 1219.2] },
  { says: "72 × 48″", mm: [1828.8, 1219.2] },
  { says: "30 × 30″", mm: [762, 762] },
];

export const WORDS = under("corners", {});

export function nextStep(placed: number): string {
  const name = nameOf(placed);
  return name === undefined ? WORDS.adjust : say("corners.tap", { name });
}

export function keptNote({ kept }: TapAssessment): string {
  return kept === null ? "" : say("corners.keptAs", { name: kept });
}

export function cornerLabel(number: number): string {
  return say("corners.label", { number: number + 1, name: nameOf(number) ?? "" });
}

export const MOVES = [
  { get says() { return say("corners.move.up"); }, icon: "M6 15l6-6 6 6", by: [0, -1] },
  { get says() { return say("corners.move.left"); }, icon: "M15 6l-6 6 6 6", by: [-1, 0] },
  { get says() { return say("corners.move.right"); }, icon: "M9 6l6 6-6 6", by: [1, 0] },
  { get says() { return say("corners.move.down"); }, icon: "M6 9l6 6 6-6", by: [0, 1] },
] as const;
