/** All that the set-up page says. */

import type { SetupChoice, SetupStatus } from "../shared/types.gen";

export const STEPS = ["Camera", "Table", "Pictures", "Play"] as const;

export const SIZES: readonly { readonly says: string; readonly mm: readonly [number, number] }[] = [
  { says: "4 × 4 ft", mm: [1219.2, 1219.2] },
  { says: "6 × 4 ft", mm: [1828.8, 1219.2] },
  { says: "44 × 60″", mm: [1524, 1117.6] },
  { says: "30 × 22″", mm: [762, 558.8] },
];

export const EYES: readonly { readonly eye: NonNullable<SetupStatus["eye"]>; readonly says: string; readonly more: string }[] = [
  { eye: "camera", says: "A camera that stays", more: "on a cable, or a phone on a stand as a network camera: follows the game" },
  { eye: "phone", says: "This phone, now and then", more: "take a photograph when you want to know: nothing else is needed" },
  { eye: "recording", says: "A recording", more: "to try it, or for a battle report" },
];

export const EDITIONS: readonly { readonly id: NonNullable<SetupChoice["edition"]>; readonly says: string }[] = [
  { id: "warmachine-prime", says: "WARMACHINE Prime" },
  { id: "hordes-mk2", says: "HORDES Mk II" },
  { id: "warmachine-mk1", says: "WARMACHINE, first edition" },
  { id: "warhammer-9", says: "Warhammer, 9th" },
  { id: "open", says: "Any game: measuring only" },
];

export const WORDS = {
  title: "Set up a table",
  loading: "One moment …",
  eye: "What looks at the table during the game?",
  whichCamera: "Which camera?",
  noCamera: "This computer sees no camera on a cable.",
  address: "Address of a network camera",
  addressHint: "rtsp://… or http://…, as the camera's app shows it",
  useAddress: "Use it",
  known: "This camera was set up before: lay the pages, and one look will do.",
  size: "How large is the table?",
  other: "Other",
  width: "Width",
  depth: "Depth",
  print: "Print the four pages at 100 %",
  ruler: "The printed ruler of 100 mm is",
  rulerHint: "Measure it on one page: printers shrink. Leave it empty if you have no ruler; it will be said.",
  lay: "Lay each page flat outside the table, its cross at the corner with its number.",
  near: "you",
  sweepPhone: "Walk around the table and take pictures from all sides, each with two pages or more in it. One phone, no zoom.",
  sweepCamera: "Let the camera take a look. If it alone cannot tell its lens, walk around with a phone first, or hold page 2 up tilted for one look.",
  take: "Take pictures",
  look: "Let the camera look",
  sending: "Reading the picture …",
  remove: "Remove",
  from: "Photographed from",
  result: "Nothing is measured yet.",
  map: "Map of doubt",
  edition: "Whose rules?",
  play: "Play",
  opening: "Opening the table …",
  sourceOffer: "Free software: source and licences",
  back: "Back",
  next: "Next",
  join: "Then open Table on the player's page to load lists and to confirm the terrain.",
} as const;

export function pictureCount(count: number): string {
  return count === 1 ? "1 picture" : `${count} pictures`;
}

export function sendingOf(done: number, all: number): string {
  return all > 1 ? `Reading picture ${done + 1} of ${all} …` : WORDS.sending;
}
