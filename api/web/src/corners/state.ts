/** State of the corner page, held in one value that is replaced, never changed. */

import type { Size, View } from "../shared/geometry";
import type { Problem } from "../shared/types.gen";
import type { TapAssessment, CornerImage } from "../shared/types.gen";

export type Place = readonly [number, number];

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
  readonly view: View;
  readonly stage: Size;
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
  view: { k: 1, x: 0, y: 0 },
  stage: { width_px: 390, height_px: 390 },
};

/** How a picture's pixels become the stage's: as large as fits, then zoomed. */
export interface Frame {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export function frameOf({ look, stage, view }: State): Frame {
  const [width, height] = look ? [look.width_px, look.height_px] : [1, 1];
  const fit = Math.min(stage.width_px / width, stage.height_px / height);
  const left = (stage.width_px - fit * width) / 2;
  const top = (stage.height_px - fit * height) / 2;
  return { scale: view.k * fit, left: view.x + view.k * left, top: view.y + view.k * top };
}

export function toStage(frame: Frame, [x, y]: Place): Place {
  return [frame.left + (x + 0.5) * frame.scale, frame.top + (y + 0.5) * frame.scale];
}

export function toPicture(frame: Frame, [x, y]: Place): Place {
  return [(x - frame.left) / frame.scale - 0.5, (y - frame.top) / frame.scale - 0.5];
}
