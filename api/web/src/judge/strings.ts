/** Every text of the judge's page, in one place. */

import { among } from "../shared/message-tree";
import { say, under } from "../shared/page-language";

export const words = under("judge", {
  tabs: among("judge.tabs", ["tables", "timeline", "table", "clocks", "stream"]),
  queue: under("judge.queue", {}),
  fresh: under("judge.fresh", {
    of: among("judge.fresh", ["still", "lost", "ended", "away", "hand", "moving", "looking"]),
    seen: (age: string) => say("judge.fresh.seen", { age }),
  }),
  opens: among("judge.opens", ["players", "judge", "viewer", "overlay"]),
  miniatures: (count: number) => say("judge.miniatures", { count }),
  rulings: (count: number) => say("judge.rulings", { count }),
  remove: (name: string) => say("judge.remove", { name }),
  join: under("judge.join", {}),
  slip: under("judge.slip", {
    says: (n: number, rulings: number, time: string) => say("judge.slip.says", { n, rulings, time }),
  }),
  moments: under("judge.moments", {
    ended: (why: string) => say("judge.moments.ended", { why }),
    waits: (who: string) => say("judge.moments.waits", { who }),
  }),
  types: among("judge.types", ["settled", "kept", "past-opened", "roster", "base-measured", "book-opened", "judge-called", "call-withdrawn", "round-begun", "result-told", "seats-withdrawn", "clock-run-out", "corrected", "undone", "agreed", "redone", "tables-listed", "produced", "ruled", "ruling-withdrawn", "ruling-ended", "dispute-opened", "dispute-answered", "doubt-settled", "roll-decided", "player-named", "score-said", "clocks-set", "clock-lent", "clocks-stopped", "clocks-started", "clocks-extended", "clocks-put-away"]),
  events: among("judge.events", ["moved", "turned", "removed", "appeared", "in-hand", "swapped", "camera-moved", "obstructed", "lost-source", "back", "unsure"]),
  seats: among("seat", ["player-a", "player-b", "judge", "viewer", "overlay"]),
  earlier: (time: string) => say("judge.earlier", { time }),
  decided: among("judge.decided", ["accepted", "overruled", "rolled"]),
  tapeOf: (a: string, b: string) => say("judge.tapeOf", { a, b }),
  eighths: (n: number) => say("judge.eighths", { n }),
  tapeDoubt: (mm: string) => say("judge.tapeDoubt", { mm }),
  faces: (deg: number) => say("judge.faces", { deg }),
  facesTo: (letter: string, deg: number) => say("judge.facesTo", { letter, deg }),
  byTape: (tape: string, camera: string) => say("judge.byTape", { tape, camera }),
  get reasons() { return [say("judge.reasons.0"), say("judge.reasons.1"), say("judge.reasons.2"), say("judge.reasons.3")]; },
  ruled: (said: string, n: number) => say("judge.ruled", { said, n }),
  stopped: (why: string, time: string) => say(why === "ruling" ? "judge.stoppedForRuling" : "judge.stopped", { time }),
  clocks: under("judge.clocks", {
    pass: (name: string) => say("judge.clocks.pass", { name }),
    get notes() { return [say("judge.clocks.notes.0"), say("judge.clocks.notes.1"), say("judge.clocks.notes.2"), say("judge.clocks.notes.3")]; },
    ruledFor: (time: string) => say("judge.clocks.ruledFor", { time }),
    outage: (name: string, long: string) => say("judge.clocks.outage", { name, long }),
  }),
  score: under("judge.score", {}),
  stream: under("judge.stream", {
    waits: (time: string) => say("judge.stream.waits", { time }),
    shown: (time: string) => say("judge.stream.shown", { time }),
    themes: among("judge.stream.themes", ["dark", "light", "bare"]),
    widgetsOf: among("judge.stream.widgetsOf", ["ruling,closeup", "ruling", "table,ruling", "lines"]),
  }),
});
