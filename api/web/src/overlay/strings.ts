/** Every text of the overlay, in one place. */

import { text } from "../shared/language";
import { among } from "../shared/message-tree";
import { say, under } from "../shared/page-language";

export const words = under("overlay", {
  players: among("overlay.players", ["player-a", "player-b"]),
  player: among("seat", ["player-a", "player-b"]),
  factOf: among("ifTold", ["facing", "card", "state", "contact", "thing", "base", "removal", "rules"]),
  saidBy: (who: string) => text("saidBy", { who }),
  pointsLeft: (left: number, total: number) => say("overlay.pointsLeft", { left, total }),
  modelsLeft: (left: number, count: number) => say("overlay.modelsLeft", { left, count }),
  round: (round: number) => text("hallRound", { round }),
  missing: (count: number) => say("overlay.missing", { count }),
  table: (lines: string) => say("overlay.table", { lines }),
  asOf: (time: string) => say("overlay.asOf", { time }),
  asOfApart: (time: string) => say("overlay.asOfApart", { time }),
  page: (page: number) => say("overlay.page", { page }),
});
