/** Candidate handlers: what a page does about something that may be a base. */

import type { DrawnCandidate } from "./types.gen";

export interface CandidateHandlers {
  open(one: DrawnCandidate | null): void;
  settle(one: DrawnCandidate, isBase: boolean): void;
}
