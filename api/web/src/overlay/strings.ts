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
  page: (page: number) => `p. ${page}`,
};
