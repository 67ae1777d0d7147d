/** Every text of the overlay, in one place. */

import { say } from "../shared/page-language";

export const words = {
  get judge() { return say("overlay.judge"); },
  get noDoubt() { return say("overlay.noDoubt"); },
  get tooClose() { return say("overlay.tooClose"); },
  get clocks() { return say("overlay.clocks"); },
  get stopped() { return say("overlay.stopped"); },
  players: {
    get "player-a"() { return say("overlay.players.player-a"); },
    get "player-b"() { return say("overlay.players.player-b"); },
  },
  player: {
    get "player-a"() { return say("judge.seats.player-a"); },
    get "player-b"() { return say("judge.seats.player-b"); },
  },
  factOf: {
    get facing() { return say("judge.factOf.facing"); },
    get card() { return say("judge.factOf.card"); },
    get state() { return say("judge.factOf.state"); },
    get contact() { return say("judge.factOf.contact"); },
    get thing() { return say("judge.factOf.thing"); },
    get base() { return say("judge.factOf.base"); },
    get removal() { return say("judge.factOf.removal"); },
    get rules() { return say("judge.factOf.rules"); },
  },
  saidBy: (who: string) => say("judge.saidBy", { who }),
  get armies() { return say("overlay.armies"); },
  pointsLeft: (left: number, total: number) => say("overlay.pointsLeft", { left, total }),
  modelsLeft: (left: number, count: number) => say("overlay.modelsLeft", { left, count }),
  get destroyed() { return say("overlay.destroyed"); },
  get score() { return say("overlay.score"); },
  round: (round: number) => say("judge.round", { round }),
  get complete() { return say("overlay.complete"); },
  missing: (count: number) => say("overlay.missing", { count }),
  get overlay() { return say("overlay.overlay"); },
  table: (lines: string) => say("overlay.table", { lines }),
  asOf: (time: string) => say("overlay.asOf", { time }),
  asOfApart: (time: string) => say("overlay.asOfApart", { time }),
  page: (page: number) => say("overlay.page", { page }),
};
