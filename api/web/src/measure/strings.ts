/** All that the page says on which bases are measured by a tap. */

import { text } from "../shared/language";
import { say, under } from "../shared/page-language";
import { SAY } from "../shared/strings";
import type { AbsenceCorrection, DrawnMiniature, RollCallSheet, SideCount, SizedOutline } from "../shared/types.gen";
import type { Lack } from "./state";

export const WORDS = under("measure", {
  placed: (size: string) => say("measure.placed", { size }),
  rimPlace: (number: number) => say("measure.rimPlace", { number }),
  callNumber: (number: number, all: number) => say("measure.callNumber", { number, all }),
  doubtful: (count: number) => say("measure.doubtful", { count }),
  asks: (count: number) => say("measure.asks", { count }),
  corner: (number: number) => say("measure.corner", { number }),
  unitSeen: (seen: number, count: number, files: number) => say("measure.unitSeen", { seen, count, files }),
  unitPlaced: (count: number, size: string) => say("measure.unitPlaced", { count, size }),
  placedAll: (count: number) => say("measure.placedAll", { count }),
  these: (count: number) => say("measure.these", { count }),
  waits: (name: string) => say("measure.waits", { name }),
});

/** Shape and size of a base. */
export function baseText(base: SizedOutline["base"]): string {
  if (base.shape === "round") return say("measure.round", { mm: base.diameter_mm });
  const sides = { width: base.width_mm, depth: base.depth_mm };
  return base.shape === "oval" ? say("measure.oval", sides) : say("measure.rect", sides);
}

export function chance(share: number): string {
  return text("percent", { share: share > 0.99 ? ">99" : share < 0.01 ? "<1" : (100 * share).toFixed(0) });
}

/** By what the place is known, and how exactly. */
export function exactness({ is_measured, sigma_mm }: SizedOutline): string {
  const mm = sigma_mm.toFixed(sigma_mm < 1 ? 2 : 1);
  return is_measured ? say("measure.measured", { mm }) : say("measure.byHand", { mm });
}

export function heading(miniature: DrawnMiniature | null, base: SizedOutline["base"]): string {
  const size = baseText(base);
  return miniature && miniature.name !== miniature.id ? say("measure.known", { name: miniature.name, size }) : say("measure.new", { size });
}

/** How many of a side stand, of how many that are expected. */
export function countText({ side, standing, expected, away }: SideCount): string {
  const name = side ?? say("measure.bases");
  if (expected !== null && away > 0) return say("measure.countedAway", { name, standing, expected, away });
  return expected === null ? say("measure.counted", { name, standing }) : say("measure.countedOf", { name, standing, expected });
}

/** Which sizes are missing, as far as the list knows them. */
export function missingText({ missing, sizes }: SideCount): string {
  const each = sizes.filter((size) => size.missing > 0).map((size) => say("measure.times", { count: size.missing, size: baseText(size.base) }));
  return each.length === 0 ? say("measure.missing", { count: missing }) : say("measure.missingSizes", { sizes: each.reduce((list, next) => say("measure.listed", { list, next })) });
}

/** Of which side and size some are missing. */
export function lackText({ side, base, count }: Lack): string {
  const size = say("measure.times", { count, size: base === null ? say("measure.anySize") : baseText(base) });
  return side === null ? size : say("measure.ofSide", { side, size });
}

export function absenceText({ base }: Lack, why: AbsenceCorrection["why"]): string {
  const size = base === null ? say("measure.anySize") : baseText(base);
  return why === "casualty" ? say("measure.isCasualty", { size }) : say("measure.isReserve", { size });
}

export function seatName(seat: NonNullable<RollCallSheet["by"]>): string {
  return SAY.seat[seat];
}
