/** Every text of the hall's pages by what it says; the words of each language lie in `messages/`. */

import { among } from "../shared/message-tree";
import { say, under, type HallKey } from "./language";

const MADE = {
  tabs: among("tabs", ["tables", "calls", "rounds", "penalties", "event"]),
  join: under("join", {}),
  filters: among("filters", ["calls", "camera", "hand", "silent", "time", "open"]),
  shown: (shown: number, all: number) => (shown === all ? say("shownAll", { all }) : say("shown", { shown, all })),
  table: (number: number) => say("table", { number }),
  doorSure: (number: number, host: string) => say("doorSure", { number, host }),
  round: (round: number) => say("round", { round }),
  roundShort: (round: number) => say("roundShort", { round }),
  players: among("players", ["player-a", "player-b", "judge", "viewer", "overlay"]),
  silent: (time: string) => say("silent", { time }),
  fresh: among("fresh", ["still", "lost", "ended", "away", "hand", "moving", "looking"]),
  seenAgo: (age: string) => say("seenAgo", { age }),
  miniatures: (count: number) => say("miniatures", { count }),
  calls: under("calls", {
    by: (who: string, table: number) => say("calls.by", { who, table }),
    waits: (time: string) => say("calls.waits", { time }),
    states: among("callState", ["waiting", "taken", "ruled", "appealed", "closed"]),
    takenBy: (judge: string) => say("calls.takenBy", { judge }),
    saidExamples: among("saying", ["stands", "falls", "roll", "lies"]),
    ruledBy: (judge: string, said: string) => say("calls.ruledBy", { judge, said }),
    proposed: (time: string) => say("calls.proposed", { time }),
    gave: (minutes: number) => say("calls.gave", { minutes }),
  }),
  rounds: under("rounds", {
    states: among("roundState", ["ready", "running", "over"]),
    left: (time: string) => say("rounds.left", { time }),
    over: (time: string) => say("rounds.over", { time }),
    start: (round: number) => say("rounds.start", { round }),
    sure: (round: number) => say("rounds.sure", { round }),
    imported: (round: number, count: number, ignored: readonly string[]) => {
      const unused = ignored.length > 0 ? [say("ignored", { columns: ignored.join(", ") })] : [];
      return [say("imported", { round, count }), ...unused].join(" ");
    },
    roles: among("role", ["table", "round", "player_a", "player_b", "army_a", "army_b", "list_a", "list_b", "winner", "points_a", "points_b", "confirmed_by", "first_a", "first_b", "last_a", "last_b", "result_a", "result_b", "nothing"]),
    oneSaid: (who: string) => say("rounds.oneSaid", { who }),
    points: (name: string) => say("rounds.points", { name }),
  }),
  swiss: under("swiss", {
    players: (count: number, here: number) => say("swiss.players", { count, here }),
    here: (name: string) => say("swiss.here", { name }),
    scan: (address: string) => say("swiss.scan", { address }),
    pair: (round: number) => say("swiss.pair", { round }),
    pairAgain: (round: number) => say("swiss.pairAgain", { round }),
    checkedIn: (name: string) => say("swiss.checkedIn", { name }),
  }),
  penalties: under("penalties", {
    history: (count: number) => say("history", { count }),
    next: (had: string, penalty: string) => say("penalties.next", { had, penalty }),
    by: (judge: string) => say("penalties.by", { judge }),
  }),
  event: under("event", {}),
  clock: under("clock", { won: (name: string) => say("clock.won", { name }) }),
  watching: under("watching", { late: (time: string) => say("watching.late", { time }) }),
};

type Plain = { readonly [Key in Exclude<HallKey, keyof typeof MADE>]: string };

/** All texts; what stands in no line above is the message of that name. */
export const words = new Proxy(MADE, {
  get: (made, key, own) => (key in made ? (Reflect.get(made, key, own) as unknown) : say(key as HallKey)),
}) as typeof MADE & Plain;
