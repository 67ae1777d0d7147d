/** Settings of this phone, kept where the browser keeps such things, forgotten where it does not. */

export interface Settings {
  /** the side this phone's owner plays; null: watches */
  readonly mine: string | null;
  readonly isLeft: boolean;
  /** whether the phone's owner stands at the far edge */
  readonly isTurned: boolean;
  /** whether a wide table lies on its side; null: as the screen has room for it */
  readonly quarter: boolean | null;
  /** as whom this phone's owner has sat down; null: not yet */
  readonly seat: string | null;
  /** how wide the player's spray template is at its ends; null: not measured yet */
  readonly near_mm: number | null;
  readonly far_mm: number | null;
}

const KEY = "tableside";
const NONE: Settings = { mine: null, isLeft: false, isTurned: false, quarter: null, seat: null, near_mm: null, far_mm: null };

export function loadSettings(): Settings {
  try {
    return { ...NONE, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return NONE;
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A private window keeps nothing; the settings hold until it is closed.
  }
}
