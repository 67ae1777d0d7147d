/** State of the overlay: the server's board, and what time it is there. */

import type { Airtime } from "./schedule";
import type { Said } from "./lower-third";
import type { Board, ListNaming, Scoreboard } from "../shared/types.gen";

export interface State {
  readonly board: Board | null;
  /** the server's clock minus this page's */
  readonly ahead_s: number;
  /** what was said of players and score, the oldest first */
  readonly scores: readonly Said<Scoreboard>[];
  /** how the lists stood, the oldest first; kept only while armies are shown */
  readonly lists: readonly Said<ListNaming>[];
  /** what time it is there; kept only while clocks or score are shown */
  readonly now_s: number;
  readonly current: Airtime | null;
  /** what is shown, or fades away */
  readonly newest: Airtime | null;
  /** whether this page holds the stream's seat, which sees the camera's own pixels */
  readonly mayCut: boolean;
  /** of which item the picture has come */
  readonly pictured: number | null;
}

export const start: State = { board: null, ahead_s: 0, scores: [], lists: [], now_s: 0, current: null, newest: null, mayCut: false, pictured: null };
