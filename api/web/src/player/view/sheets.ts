/** Sheets about whom a player picked, and the rings around one, loaded together when the first is picked. */

export { miniatureSheet } from "./miniature-sheet";
export { pairSheet } from "./pair-sheet";
export { ringLabels, rings } from "./range-rings";
