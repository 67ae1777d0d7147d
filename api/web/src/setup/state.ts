/** State of the set-up page, held in one value that is replaced, never changed. */

import type { Place } from "../shared/picture-stage";
import type { Photograph } from "./photograph";
import type { CameraChoice, Problem, SetupStatus, TapPicture, TerrainStatus } from "../shared/types.gen";

export const TAPS = 4;
export const LAST = 3; // of the steps

export interface State {
  readonly status: SetupStatus | null;
  readonly step: number;
  readonly cameras: readonly CameraChoice[] | null;
  readonly isOther: boolean;
  readonly busy: string | null;
  /** what was wrong with the last thing that was tried; the pictures that were refused among it */
  readonly problems: readonly Problem[];
  readonly isLeaving: boolean;
  /** the picture of two blank sheets, and the corners tapped in it so far, px */
  readonly sheets: TapPicture | null;
  readonly taps: readonly Place[];
  /** which of them is being set right */
  readonly picked: number | null;
  /** the photograph of a game that is marked */
  readonly photograph: Photograph | null;
  /** null until somebody is on the last step */
  readonly terrain: TerrainStatus | null;
}

export const start: State = { status: null, step: 0, cameras: null, isOther: false, busy: null, problems: [], isLeaving: false, sheets: null, taps: [], picked: null, photograph: null, terrain: null };

/** Whether a camera or a recording is to be chosen for it. */
export function hasSource(eye: SetupStatus["eye"]): boolean {
  return eye === "camera" || eye === "recording";
}

/** The step that somebody who comes back has to go on with. */
export function stepOf(status: SetupStatus): number {
  if (status.eye === null || (hasSource(status.eye) && status.source === null)) return 0;
  if (status.table_mm === null) return 1;
  return status.result === null ? 2 : 3;
}

/** Whether the step may be left onwards. */
export function isDone(step: number, status: SetupStatus): boolean {
  return step < stepOf(status);
}
