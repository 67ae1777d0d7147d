/** Sheets about whom a player picked, and the rings around one, and the tap that answers the news, loaded together when the first is needed. */

export { miniatureSheet } from "./miniature-sheet";
export { pairSheet } from "./pair-sheet";
export { ringLabels, rings } from "./range-rings";
export { newsButton } from "./told-facts";
