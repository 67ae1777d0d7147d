/** What is said of the camera's health, to players and to the judge. */

import { text } from "../../shared/language";

export const HEALTH = {
  get title() { return text("health.title"); },
  get alarm() { return text("health.alarm"); },
  get noAlarm() { return text("health.noAlarm"); },
  get newest() { return text("health.newest"); },
  get none() { return text("health.none"); },
  get rate() { return text("health.rate"); },
  get sharpness() { return text("health.sharpness"); },
  get light() { return text("health.light"); },
  get lens() { return text("health.lens"); },
  get places() { return text("health.places"); },
  get notSeen() { return text("health.notSeen"); },
  get hidden() { return text("health.hidden"); },
  get hand() { return text("health.hand"); },
  get nothing() { return text("health.nothing"); },
  perSecond: (rate: number) => text("health.perSecond", { rate }),
  share: (share: number) => text("health.share", { percent: Math.round(100 * share) }),
  exposure: {
    good: (level: number) => text("health.exposure.good", { level }),
    dark: (level: number) => text("health.exposure.dark", { level }),
    bright: (level: number) => text("health.exposure.bright", { level }),
  },
  px: (px: number) => text("health.px", { px: px.toFixed(2) }),
  mm: (mm: number) => text("health.mm", { mm: mm.toFixed(2) }),
} as const;
