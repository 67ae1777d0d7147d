/** All that the set-up page says. */

import { say, under } from "../shared/page-language";
import type { Target } from "./photograph";
import type { MarkedPose, ProposedTerrain, SetupChoice, SetupStatus } from "../shared/types.gen";

export const steps = () => [say("setup.steps.0"), say("setup.steps.1"), say("setup.steps.2"), say("setup.steps.3")] as const;

export const SIZES: readonly { readonly says: string; readonly mm: readonly [number, number] }[] = [
  { says: "4 × 4 ft", mm: [1219.2, 1219.2] },
  { says: "6 × 4 ft", mm: [1828.8, 1219.2] },
  { says: "44 × 60″", mm: [1524, 1117.6] },
  { says: "30 × 22″", mm: [762, 558.8] },
];

export const EYES: readonly { readonly eye: NonNullable<SetupStatus["eye"]>; readonly says: string; readonly more: string }[] = [
  { eye: "camera", get says() { return say("setup.eyes.camera"); }, get more() { return say("setup.eyes.cameraMore"); } },
  { eye: "phone", get says() { return say("setup.eyes.phone"); }, get more() { return say("setup.eyes.phoneMore"); } },
  { eye: "photograph", get says() { return say("setup.eyes.photograph"); }, get more() { return say("setup.eyes.photographMore"); } },
  { eye: "recording", get says() { return say("setup.eyes.recording"); }, get more() { return say("setup.eyes.recordingMore"); } },
];

export const EDITIONS: readonly { readonly id: NonNullable<SetupChoice["edition"]>; readonly says: string }[] = [
  { id: "warmachine-prime", says: "WARMACHINE Prime" },
  { id: "hordes-mk2", says: "HORDES Mk II" },
  { id: "warmachine-mk1", get says() { return say("setup.firstEdition"); } },
  { id: "warhammer-9", get says() { return say("setup.ninth"); } },
  { id: "open", get says() { return say("setup.anyGame"); } },
];

export const WORDS = under("setup", {});
export const PHOTO = under("setup.photo", { joined: (count: number) => say("setup.photo.joined", { count }) });

const corners = () => ({ "near-left": say("setup.photo.corners.0"), "near-right": say("setup.photo.corners.1"), "far-right": say("setup.photo.corners.2"), "far-left": say("setup.photo.corners.3") });
const sides = () => ({ near: say("setup.photo.sides.0"), right: say("setup.photo.sides.1"), far: say("setup.photo.sides.2"), left: say("setup.photo.sides.3") });

/** What a pin of the photograph marks. */
export function pinLabel(target: Target): string {
  if (target.kind === "disc") return say("setup.photo.disc", { mm: target.diameter_mm });
  return target.kind === "corner" ? corners()[target.name] : sides()[target.name];
}

/** What to tap next in the photograph. */
export function nextMark(target: Target): string {
  if (target.kind === "disc") return say("setup.photo.tapDisc", { mm: target.diameter_mm });
  return target.kind === "corner" ? say("setup.photo.tapCorner", { corner: corners()[target.name] }) : say("setup.photo.tapSide", { side: sides()[target.name] });
}

/** How good distances are, near and far, in a sentence. */
export function goodness({ near_mm, far_mm, lens }: MarkedPose): string {
  const by = { kept: say("setup.photo.lens.kept"), exif: say("setup.photo.lens.exif"), usual: say("setup.photo.lens.usual") }[lens];
  return say("setup.photo.good", { near: near_mm.toFixed(1), far: far_mm.toFixed(1), by });
}

/** What to tap next: of each sheet the corner at the table's corner, then the opposite one. */
export function nextTap(count: number): string {
  return [say("setup.taps.0"), say("setup.taps.1"), say("setup.taps.2"), say("setup.taps.3")][count] ?? WORDS.sheetsDone;
}

export function pictureCount(count: number): string {
  return say("setup.pictures", { count });
}

export function sendingOf(done: number, all: number): string {
  return all > 1 ? say("setup.sendingOf", { n: done + 1, all }) : WORDS.sending;
}

export const TERRAIN = under("setup.terrain", {});

/** A kind that it may be, and how likely. */
export function guessOf(kind: string, probability: number): string {
  return say("setup.terrain.guess", { kind, share: Math.round(100 * probability) });
}

export function guessesOf(guesses: string): string {
  return guesses ? say("setup.terrain.maybe", { guesses }) : say("setup.terrain.somePiece");
}

export function heightOf({ height_mm, height_sigma_mm }: ProposedTerrain): string {
  if (height_mm === null || height_mm === undefined) return say("setup.terrain.heightUnknown");
  return say("setup.terrain.heightSeen", { mm: height_mm.toFixed(0), sigma: (height_sigma_mm ?? 0).toFixed(0) });
}

export function keptOf(count: number): string {
  return say("setup.terrain.keep", { count });
}

export function laidOf(name: string): string {
  return say("setup.terrain.laid", { name });
}

export function layAgainOf(name: string, count: number): string {
  return say("setup.terrain.layAgain", { name, count });
}

export function blankSheets(paper: string): string {
  return say("setup.blankSheets", { paper });
}
