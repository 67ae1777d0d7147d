/** Every text of the overlay, in one place. */

export const words = {
  judge: "Judge",
  noDoubt: "exact",
  tooClose: "Too close to call",
  overlay: "Tableside overlay",
  table: (lines: string) => `The table from above: ${lines}`,
  page: (page: number) => `p. ${page}`,
};
