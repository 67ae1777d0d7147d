/** All that this page says. */

import type { TapAssessment } from "../shared/types.gen";

export const NAMES = ["near left", "near right", "far right", "far left"] as const;

export const SIZES: readonly { readonly says: string; readonly mm: readonly [number, number] }[] = [
  { says: "48 × 48″", mm: [1219.2, 1219.2] },
  { says: "72 × 48″", mm: [1828.8, 1219.2] },
  { says: "30 × 30″", mm: [762, 762] },
];

export const WORDS = {
  title: "The mat's corners",
  taking: "Taking a picture …",
  judging: "Measuring …",
  adjust: "Drag or nudge to set it right",
  size: "Size of the mat",
  other: "Other",
  hint: "Near is where you sit. Tap a corner again to pick it, then tap where it is. Two fingers zoom; the loupe shows what the crosshair is on. Roughly will do where the mat's edge shows: it is measured.",
  undo: "Undo",
  again: "Retake",
  keep: "Keep",
  map: "Map",
  hideMap: "Picture",
  back: "Back to the table",
  edged: "Black is what lies beyond the table's last known edge.",
  room: "Show the room too",
  askJudge: "Are the corners in the black? A judge may look at all the camera sees.",
  needsSize: "How large is the mat?",
} as const;

export function nextStep(placed: number): string {
  const name = NAMES[placed];
  return name === undefined ? WORDS.adjust : `Tap the ${name} corner of the mat`;
}

export function keptNote({ kept }: TapAssessment): string {
  return kept === null ? "" : `Kept as ${kept}.`;
}

export function cornerLabel(number: number): string {
  return `Corner ${number + 1}, ${NAMES[number] ?? ""}. Arrow keys move it, with Shift ten pixels, with Alt a quarter`;
}

export const MOVES = [
  { says: "Up", icon: "M6 15l6-6 6 6", by: [0, -1] },
  { says: "Left", icon: "M15 6l-6 6 6 6", by: [-1, 0] },
  { says: "Right", icon: "M9 6l6 6-6 6", by: [1, 0] },
  { says: "Down", icon: "M6 9l6 6 6-6", by: [0, 1] },
] as const;
