// Written by scripts/phone_types.py from the server's classes. Do not edit.

/** What the taps make: how surely places are known, and whether that will do. */
export interface Judged {
  readonly fit: "fit" | "rough" | "unfit";
  readonly says: string;
  /** one sigma, both axes together, at the worst place of the table */
  readonly worst_mm: number;
  /** the same, RMS over the table */
  readonly usual_mm: number;
  readonly notes: readonly string[];
  /** the table's rim as the pose puts it into the picture */
  readonly outline_px: readonly (readonly [number, number])[];
  /** as what it was kept */
  readonly kept: string | null;
}

/** A picture that was taken for the page; `table_mm` is what is known of the table's size. */
export interface Look {
  readonly version: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly table_mm: readonly [number, number] | null;
  /** the size stands in the layout and cannot be chosen */
  readonly is_table_sure: boolean;
  /** what lies beyond the table's last known edge, and a hand's breadth, is black */
  readonly is_edged: boolean;
  /** whether this seat may look at all that the camera sees */
  readonly may_show_room: boolean;
}

/** The mat's corners in a picture: near left, near right, far right, far left. */
export interface Taps {
  /** of the picture they were tapped in */
  readonly version: number;
  readonly corners_px: readonly [readonly [number, number], readonly [number, number], readonly [number, number], readonly [number, number]];
  readonly table_mm: readonly [number, number];
  /** hang the camera there: write the pose file, or place the live table */
  readonly keep?: boolean;
}
