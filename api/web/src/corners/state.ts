/** State of the corner page, held in one value that is replaced, never changed. */

import type { Place } from "../shared/picture-stage";
import type { CornerImage, Problem, TapAssessment } from "../shared/types.gen";

export interface State {
  readonly look: CornerImage | null;
  /** in pixels of the camera's picture, near left first, then around the mat */
  readonly corners: readonly Place[];
  /** what `corners` was before each change */
  readonly before: readonly (readonly Place[])[];
  /** which corner is being set right */
  readonly picked: number | null;
  readonly table_mm: readonly [number, number] | null;
  readonly isOther: boolean;
  readonly judged: TapAssessment | null;
  readonly problem: Problem | null;
  readonly isBusy: boolean;
  readonly isMapShown: boolean;
}

export const start: State = {
  look: null,
  corners: [],
  before: [],
  picked: null,
  table_mm: null,
  isOther: false,
  judged: null,
  problem: null,
  isBusy: false,
  isMapShown: false,
};
