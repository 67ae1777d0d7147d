/** Camera health: frame rate, sharpness, exposure, pose uncertainty, and what is occluded. */

import { html, nothing, type TemplateResult } from "lit";
import { age } from "../../shared/format";
import type { CameraHealth, Freshness } from "../../shared/types.gen";
import { HEALTH } from "./camera-health-strings";

/** Less than this share of the sharpest picture is worth a word. */
const SHARP_ENOUGH = 0.7;
const SLOW_PER_S = 2;
/** The self-check's limit. */
const FIT_MM = 0.5;

type Row = readonly [what: string, says: string, isFine: boolean];

export interface Facts {
  readonly fresh: Freshness;
  readonly old_s: number | null;
  /** why no ruling is given just now; null: they are given */
  readonly alarm: string | null;
  readonly nameOf: (id: string) => string;
}

/** Nothing where no camera looks at the table. */
export function health(facts: Facts): TemplateResult | typeof nothing {
  const { camera } = facts.fresh;
  if (!camera) return nothing;
  return html`<dl class="health" aria-label=${HEALTH.title}>${rows(facts, camera).map(
    ([what, says, isFine]) => html`<div class=${isFine ? "" : "off"}><dt>${what}</dt><dd>${isFine ? "" : "⚠ "}${says}</dd></div>`,
  )}</dl>`;
}

function rows({ fresh, old_s, alarm, nameOf }: Facts, camera: CameraHealth): readonly Row[] {
  const { frames_per_s, sharpness, exposure, brightness, calibration_px, table_sigma_mm } = camera;
  const hidden = [...fresh.hidden, ...fresh.in_hand].map(nameOf).join(", ");
  return [
    [HEALTH.alarm, alarm ?? HEALTH.noAlarm, alarm === null],
    [HEALTH.newest, old_s === null ? HEALTH.none : age(old_s), old_s !== null && old_s < 3],
    [HEALTH.rate, HEALTH.perSecond(frames_per_s), frames_per_s >= SLOW_PER_S],
    [HEALTH.sharpness, HEALTH.share(sharpness), sharpness >= SHARP_ENOUGH],
    [HEALTH.light, HEALTH.exposure[exposure](brightness), exposure === "good"],
    [HEALTH.lens, HEALTH.px(calibration_px), calibration_px < 1],
    [HEALTH.places, table_sigma_mm === null ? HEALTH.notSeen : HEALTH.mm(table_sigma_mm), table_sigma_mm !== null && table_sigma_mm <= FIT_MM],
    [HEALTH.hidden, hidden || (fresh.hand ? HEALTH.hand : HEALTH.nothing), hidden === "" && !fresh.hand],
  ];
}
