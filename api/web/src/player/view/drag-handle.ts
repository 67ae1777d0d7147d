/** Drag handle: something that a finger drags over the table; arrow keys do the same. */

import { onTable, type Frame, type Point } from "../../shared/geometry";

const KEY_MM = 5;
const KEY_FAR_MM = 25.4;
const KEYS: Readonly<Record<string, Point>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** From the finger to the middle of what it holds, in millimetres, while it holds something. */
let heldOffset: Point | null = null;

/** A step by key that is not drawn yet: keys that come faster than the page is drawn go on from where it leads. */
let pending: { readonly from: Point; readonly to: Point } | null = null;

export interface Grip {
  readonly down: (event: PointerEvent) => void;
  readonly move: (event: PointerEvent) => void;
  readonly up: (event: PointerEvent) => void;
  readonly click: (event: Event) => void;
  readonly key: (event: KeyboardEvent) => void;
}

/** What moves a thing that lies at a place of the table. */
export function gripOf(place: Point, frame: Frame, to: (place: Point) => void): Grip {
  if (pending && isSame(place, pending.to)) pending = null;
  return {
    down: (event) => {
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      const [x, y] = onTable(frame, onStage(event));
      heldOffset = [place[0] - x, place[1] - y];
    },
    move: (event) => {
      if (!heldOffset) return;
      const [x, y] = onTable(frame, onStage(event));
      to([x + heldOffset[0], y + heldOffset[1]]);
    },
    up: () => (heldOffset = null),
    click: (event) => event.stopPropagation(), // the stage would take it for a tap
    key: (event) => {
      const step = KEYS[event.key];
      if (!step) return;
      event.preventDefault();
      const by = event.shiftKey ? KEY_FAR_MM : KEY_MM;
      const [x, y] = pending && isSame(place, pending.from) ? pending.to : place;
      const [here, there] = [onTable(frame, [0, 0]), onTable(frame, [step[0], -step[1]])];
      const [dx, dy] = [Math.sign(there[0] - here[0]), Math.sign(there[1] - here[1])];
      const next: Point = [x + by * dx, y + by * dy];
      pending = { from: place, to: next };
      to(next);
    },
  };
}

function onStage(event: PointerEvent): Point {
  const box = (event.currentTarget as Element).closest(".stage")?.getBoundingClientRect();
  return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
}

function isSame(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
