/** Every text of the player's page by what it says; the words of each language lie in `messages/`. */

import { text, words, type MessageKey } from "./language";

/** What is more than a message of its own name: filled in, chosen among some, or of another name. */
const MADE = {
  // the whole page
  photographed: (count: number) => text("photographed", { count }),
  unlocks: words("unlocks", ["declared-attack", "declared-charge", "declared-spell", "declared-throw", "own-control-area", "own-melee-range", "own-unit", "move-under-way"] as const) as Readonly<Record<string, string>>,
  tool: words("tool", ["ask", "move", "blast", "table", "hall"] as const),

  // an earlier moment
  momentKind: words("momentKind", ["rest", "move", "correction", "ruling", "clock", "other"] as const),
  unconfirmed: (count: number) => text("unconfirmed", { count }),
  missingBases: (count: number) => text("missingBases", { count }),
  mayBeBase: (size: string, chance: string) => text("mayBeBase", { size, chance }),
  clockStopped: (why: string) => text("clockStopped", { why }),
  clockGain: (seconds: number) => text("clockGain", { seconds }),
  asOf: (time: string) => text("asOf", { time }),
  asOfApart: (time: string) => text("asOfApart", { time }),
  playAt: (rate: number) => text("playAt", { rate }),
  slipSays: (n: number, rulings: number, time: string) => text("slipSays", { n, rulings, time }),

  // picking
  faces: (degrees: number) => text("faces", { degrees }),

  // one miniature
  around: (name: string) => text("around", { name }),
  threatened: (count: number, missing: number) => text("threatened", { count, missing }),
  mayHit: (count: number) => text("mayHit", { count }),
  takenFor: (size: string, mm: number) => text("takenFor", { size, mm }),
  inRanks: (count: number, files: number) => text("inRanks", { count, files }),
  inUnit: (count: number) => text("inUnit", { count }),
  behind: (names: string) => (names === "" ? text("behindSomething") : text("behind", { names })),
  ring: words("ring", ["reach", "walk", "charge", "command", "control", "named", "told"] as const),
  ringLong: words("ringLong", ["reach", "walk", "charge", "command", "control", "named", "told"] as const),
  ringWhy: words("ringWhy", ["reach", "walk", "charge", "command", "control", "named", "told"] as const),
  hideRing: (name: string) => text("hideRing", { name }),
  showRing: (name: string) => text("showRing", { name }),

  // two miniatures
  aloneWith: (name: string) => text("aloneWith", { name }),
  agreedOn: (word: string) => text("agreedOn", { word }),
  winnerSays: (who: string) => text("winnerSays", { who }),
  tapedBoth: (read: string, word: string) => text("tapedBoth", { read, word }),
  rolledBoth: (dice: string, word: string) => text("rolledBoth", { dice, word }),
  needs: (what: string) => text("needs", { what }),
  needsOf: (what: string, who: string) => text("needsOf", { what, who }),

  // an opened line
  wouldBe: (answer: string) => text("wouldBe", { answer }),
  ifRead: (rule: string, reading: string) => text("ifRead", { rule, reading }),
  ifTurned: (whether: string, margin: string, share: string) => text("ifTurned", { whether, margin, share }),
  percent: (share: number) => text("percent", { share: (100 * share).toFixed(share > 0.1 && share < 0.9 ? 0 : 1) }),
  page: (page: number) => text("page", { page }),
  probably: (percent: string) => text("probably", { percent }),
  probablyNot: (percent: string) => text("probablyNot", { percent }),
  open: (percent: string) => text("open", { percent }),
  about: (percent: string) => text("about", { percent }),
  room: (length: string) => text("room", { length }),
  roomShort: (length: string) => text("roomShort", { length }),
  topic: words("topic", ["see", "shoot", "charge", "melee"] as const),
  sentence: {
    see: words("sentenceSee", ["yes", "no", "close", "unknown", "asking"] as const),
    shoot: words("sentenceShoot", ["yes", "no", "close", "unknown", "asking"] as const),
    charge: words("sentenceCharge", ["yes", "no", "close", "unknown", "asking"] as const),
    melee: words("sentenceMelee", ["yes", "no", "close", "unknown", "asking"] as const),
  },
  holds: words("holds", ["yes", "no", "close", "unknown"] as const),
  plainLines: (count: number) => text("plainLines", { count }),
  otherLines: (count: number) => text("otherLines", { count }),
  less: (name: string) => text("less", { name }),
  more: (name: string) => text("more", { name }),
  gauge: (margin: string, doubt: string) => text("gauge", { margin, doubt }),
  inInches: (name: string) => text("inInches", { name }),
  whichFacing: (letter: string) => text("whichFacing", { letter }),
  facingEnded: (who: string) => text("facingEnded", { who }),
  facingOption: (letter: string, deg: number, share: string) => text("facingOption", { letter, deg, share }),
  facingWithin: (who: string, deg: number) => text("facingWithin", { who, deg: deg < 10 ? deg.toFixed(1) : String(Math.round(deg)) }),
  faceToward: (letter: string, other: string) => text("faceToward", { letter, other }),
  faceAway: (letter: string) => text("faceAway", { letter }),
  turnLeft: (letter: string) => text("turnLeft", { letter }),
  turnRight: (letter: string) => text("turnRight", { letter }),

  // what if
  manner: words("manner", ["advance", "run"] as const),
  short: words("short", ["corner", "undo", "left", "right", "face", "ahead", "back", "wheelLeft", "wheelRight", "forward", "rear", "aside", "beside"] as const),
  ghost: (name: string) => text("ghost", { name }),
  wouldGo: (inches: string) => text("wouldGo", { inches }),
  used: (spent: string, left: string) => text("used", { spent, left }),
  costs: (spent: string, travelled: string) => text("costs", { spent, travelled }),
  strikesFrom: (names: string) => text("strikesFrom", { names }),
  touches: (names: string) => text("touches", { names }),
  endsIn: (names: string) => text("endsIn", { names }),
  wrongAt: (what: string) => text("wrongAt", { what }),
  clause: words("clause", ["able", "allowance", "free", "crossed", "table"] as const),

  // what if a unit manoeuvred
  deed: words("deed", ["move", "march", "charge", "flee"] as const),
  chargesAt: (name: string) => text("chargesAt", { name }),
  fleesFrom: (name: string) => text("fleesFrom", { name }),
  step: {
    forward: (by: string) => text("step.forward", { by }),
    backward: (by: string) => text("step.backward", { by }),
    left: (by: string) => text("step.left", { by }),
    right: (by: string) => text("step.right", { by }),
    "wheel-left": (by: string) => text("step.wheel-left", { by }),
    "wheel-right": (by: string) => text("step.wheel-right", { by }),
    pivot: (by: string) => text("step.pivot", { by }),
  },
  zone: words("zone", ["front", "left", "right", "rear"] as const),

  // templates
  round: (inches: number) => text("round", { inches }),
  spray: (inches: number) => text("spray", { inches }),
  sizeOf: (shape: string, inches: number) => text("sizeOf", { shape, inches }),
  from: (name: string) => text("from", { name }),
  layOn: (name: string) => text("layOn", { name }),
  hits: (count: number) => text("hits", { count }),
  ofMine: (count: number) => text("ofMine", { count }),
  under: (count: number) => text("under", { count }),
  chance: (percent: string) => text("chance", { percent }),

  // the table
  hands: words("hands", ["right", "left"] as const),
  sits: words("sits", ["near", "far"] as const),
  placesKnown: (mm: string) => text("placesKnown", { mm }),
  section: words("section", ["phone", "who", "lists", "ground", "rules", "steps", "past"] as const),
  listOf: (side: string) => text("listOf", { side }),
  listLaid: (name: string, miniatures: number) => text("listLaid", { name, miniatures }),
  putListAway: (side: string) => text("putListAway", { side }),
  listRemarks: (count: number) => text("listRemarks", { count }),
  readingShare: (share: number, lines: number) => text("readingShare", { percent: Math.floor(100 * share), lines }),
  layConfirmed: (count: number) => text("layConfirmed", { count }),
  linesLeftOut: (count: number) => text("linesLeftOut", { count }),
  nameSure: (count: number) => text("nameSure", { count }),
  namedOf: (named: number, count: number) => text("namedOf", { named, count }),
  fallen: (count: number) => text("fallen", { count }),
  nameThese: (count: number) => text("nameThese", { count }),
  chosenOf: (chosen: number, open: number) => text("chosenOf", { chosen, open }),
  numbersFrom: (card: string) => text("numbersFrom", { card }),
  proposedWithin: (sigma_mm: number) => text("proposedWithin", { mm: Math.round(sigma_mm) }),
  maybeKind: (kind: string, p: number) => text("maybeKind", { kind: kind.replaceAll("-", " "), percent: Math.round(100 * p) }),
  layAs: (kind: string) => text("layAs", { kind }),
  someDisc: (what: string, inches: string) => text("someDisc", { what, inches }),
  placedWithin: (sigma_mm: number) => text("placedWithin", { mm: Math.max(1, Math.round(sigma_mm)) }),
  corners: (count: number) => text("corners", { count }),
  cornerOf: (number: number) => text("cornerOf", { number }),
  rosterWrong: (line: string) => text("rosterWrong", { line }),
  expectedSaved: (lines: number) => text("expectedSaved", { lines }),
  ifTold: words("ifTold", ["facing", "card", "state", "contact", "thing", "removal", "base", "rules"] as const),
  saidBy: (who: string) => text("saidBy", { who }),
  namedMeanwhile: (who: string, text_: string) => text("namedMeanwhile", { who, said: text_ }),
  ruledBy: (time: string) => text("ruledBy", { time }),
  cameraSaid: (answer: string) => text("cameraSaid", { answer }),
  rulingNumber: (number: number) => text("rulingNumber", { number }),
  rulingWaits: (who: string) => text("rulingWaits", { who }),
  rulingEnded: (why: string) => text("rulingEnded", { why }),
  rulingWithdrawn: (why: string) => text("rulingWithdrawn", { why }),
  undoStep: (says: string) => text("undoStep", { says }),
  redoStep: (says: string) => text("redoStep", { says }),
  stepAgreed: (by: string, who: string) => text("stepAgreed", { by, who }),
  takenBack: (by: string, who: string) => (by === who ? text("takenBackSelf", { by }) : text("takenBack", { by, who })),
  corrects: (who: string, says: string) => text("corrects", { who, says }),
  takesBack: (who: string, says: string) => text("takesBack", { who, says }),
  seat: words("seat", ["player-a", "player-b", "judge", "viewer", "overlay"] as const),
  bookBy: (author: string) => text("bookBy", { author }),

  counted: (size: string, expected: number, seen: number, left: number) => text("counted", { size, expected, seen, left }),

  // the hall
  hall: {
    get title() { return text("hallTitle"); },
    round: (round: number) => text("hallRound", { round }),
    pair: (a: string, b: string) => text("hallPair", { a, b }),
    get call() { return text("callJudge"); },
    get called() { return text("judgeCalled"); },
    get waits() { return text("callWaits"); },
    inDispute: (verdict: string) => text("inDispute", { verdict }),
    get settled() { return text("callSettled"); },
    get result() { return text("result"); },
    get winner() { return text("whoWon"); },
    won: (name: string) => text("wonBy", { name }),
    get draw() { return text("drawn"); },
    points: (name: string) => text("pointsOf", { name }),
    get tell() { return text("tellResult"); },
    get agree() { return text("agreeResult"); },
    says: (name: string, result: string) => text("resultSaid", { name, result }),
    agreed: (result: string) => text("resultAgreed", { result }),
  },

  // how fresh
  sourceLostAgo: (age: string) => text("sourceLostAgo", { age }),
  ago: (age: string) => text("ago", { age }),

  // what happened
  moved: (who: string, far: string) => text("moved", { who, far }),
  byWay: (far: string) => text("byWay", { far }),
  turned: (who: string) => text("turned", { who }),
  removed: (who: string) => text("removed", { who }),
  appeared: (who: string) => text("appeared", { who }),
  inHand: (who: string) => text("inHand", { who }),
  swapped: (who: string) => text("swapped", { who }),
  cameraMovedBy: (detail: string | null) => (detail ? text("cameraMovedBy", { detail }) : text("cameraMovedPlain")),
  back: (who: string) => text("back", { who }),
  unsure: (who: string) => text("unsure", { who }),
} as const;

type Plain = Readonly<Record<Exclude<MessageKey, keyof typeof MADE>, string>>;

/** All texts; what stands in no line above is the message of that name. */
export const SAY = new Proxy(MADE, {
  get: (made, key, own) => (key in made ? (Reflect.get(made, key, own) as unknown) : text(key as MessageKey)),
}) as typeof MADE & Plain;
