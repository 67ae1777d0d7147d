/** Every text of the overlay, in one place. */

export const words = {
  judge: "Judge",
  noDoubt: "exact",
  tooClose: "Too close to call",
  clocks: "Death clocks",
  stopped: "Stopped",
  players: { "player-a": "A", "player-b": "B" },
  overlay: "Tableside overlay",
  table: (lines: string) => `The table from above: ${lines}`,
  asOf: (time: string) => `As of ${time}`,
  asOfApart: (time: string) => `Measured ${time}, picture from later`,
  page: (page: number) => `p. ${page}`,
};
