/** What the overlay shows: the server's board, and what time it is there. */

import type { Showing } from "./when";
import type { Board } from "./types.gen";

export interface State {
  readonly board: Board | null;
  /** the server's clock minus this page's */
  readonly ahead_s: number;
  /** what time it is there; kept only while clocks are shown */
  readonly now_s: number;
  readonly showing: Showing | null;
  /** what is shown, or fades away */
  readonly drawn: Showing | null;
  /** of which item the picture has come */
  readonly pictured: number | null;
}

export const start: State = { board: null, ahead_s: 0, now_s: 0, showing: null, drawn: null, pictured: null };
