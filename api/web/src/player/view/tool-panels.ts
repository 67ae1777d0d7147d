/** Panels of the tools that are not asking, loaded together when the first of them is shown. */

export { disputeSheet } from "./dispute";
export { hallPanel } from "./hall-panel";
export { manoeuvrePanel } from "./unit-manoeuvre";
export { plan } from "./move-plan";
export { selfCheck } from "./self-check";
export { templatePanel } from "./template-panel";
export { timeBar } from "./time-bar";
