/** What is said of the camera's health, to players and to the judge. */

export const HEALTH = {
  title: "Camera health",
  alarm: "Camera's place",
  noAlarm: "known, not moved",
  newest: "Newest picture",
  none: "none yet",
  rate: "Pictures",
  perSecond: (rate: number) => `${rate} looked at per second`,
  sharpness: "Sharpness",
  share: (share: number) => `${Math.round(100 * share)} % of the sharpest`,
  light: "Light",
  exposure: {
    good: (level: number) => `good (${level} of 255)`,
    dark: (level: number) => `too dark (${level} of 255)`,
    bright: (level: number) => `too bright (${level} of 255)`,
  },
  lens: "Lens calibrated to",
  px: (px: number) => `${px.toFixed(2)} px`,
  places: "Places known to",
  mm: (mm: number) => `${mm.toFixed(2)} mm at worst`,
  notSeen: "table not seen",
  hidden: "Hidden",
  hand: "what is under a hand",
  nothing: "nothing",
} as const;
