/** Picture stage: a camera's picture that is zoomed and tapped, grips on it that are dragged or nudged, and a loupe. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import type { Size, View } from "./geometry";
import "./picture-stage.css";
import { Refusal } from "./problem";
import type { Problem } from "./types.gen";
import { Zoom } from "./zoom";

/** In pixels of the picture, or of the stage. */
export type Place = readonly [number, number];

/** Something on the picture that a finger takes hold of. */
export interface Grip {
  readonly place: Place;
  readonly label: string;
  readonly text?: string;
  readonly kind?: string;
}

/** What a page does about its grips; without `nudge` they are dragged alone. */
export interface GripHandlers {
  readonly tap: (place: Place) => void;
  readonly pick: (number: number) => void;
  readonly drag: (number: number, place: Place) => void;
  /** a drag has ended; `from`: where the grip was */
  readonly drop: (number: number, from: Place) => void;
  readonly nudge?: (dx: number, dy: number) => void;
}

/** What lies on the picture. */
export interface Layer {
  readonly grips: readonly Grip[];
  /** whose surroundings the loupe shows */
  readonly picked: number | null;
  readonly label: string;
  readonly under?: (frame: Frame) => unknown;
}

/** How a picture's pixels become the stage's: as large as fits, then zoomed. */
export interface Frame {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

const LOUPE_PX = 132;
const LOUPE_TIMES = 5;
const SHARP = 2;
const DRAG_PX = 3;
const CLOSEST = 60; // a base of 30 pixels as wide as a phone

export class PictureStage {
  readonly #picture = Object.assign(document.createElement("canvas"), { className: "picture" });
  readonly #loupe = Object.assign(document.createElement("canvas"), { className: "loupe", width: SHARP * LOUPE_PX, height: SHARP * LOUPE_PX });
  #bitmap: ImageBitmap | null = null;
  #view: View = { k: 1, x: 0, y: 0 };
  #size: Size = { width_px: 390, height_px: 390 };
  #zoom: Zoom | null = null;
  #isDragged = false;

  constructor(private readonly changed: () => void) {}

  /** Show this picture, whole. */
  show(bitmap: ImageBitmap): void {
    this.#bitmap = bitmap;
    [this.#picture.width, this.#picture.height] = [bitmap.width, bitmap.height];
    this.#picture.getContext("2d")?.drawImage(bitmap, 0, 0);
    this.#zoom?.showWhole();
    this.changed();
  }

  showWhole(): void {
    this.#zoom?.showWhole();
  }

  /** Come so close that what lies this far around the place fills the stage. */
  lookAt([x, y]: Place, around_px: number): void {
    const { width_px, height_px } = this.#size;
    const { scale, left, top } = frameOf(this.#bitmap, this.#size, { k: 1, x: 0, y: 0 });
    const k = Math.min(CLOSEST, Math.max(1, Math.min(width_px, height_px) / (2 * around_px * scale)));
    const [u, v] = toStage({ scale, left, top }, [x, y]);
    this.#zoom?.glideTo({ k, x: width_px / 2 - k * u, y: height_px / 2 - k * v });
  }

  /** Pixels of the screen for one of the picture: how finely a finger points. */
  get scale(): number {
    return frameOf(this.#bitmap, this.#size, this.#view).scale;
  }

  holds([x, y]: Place): boolean {
    return this.#bitmap !== null && x >= 0 && y >= 0 && x <= this.#bitmap.width - 1 && y <= this.#bitmap.height - 1;
  }

  view(layer: Layer, on: GripHandlers): TemplateResult {
    const frame = frameOf(this.#bitmap, this.#size, this.#view);
    const { width_px, height_px } = this.#size;
    const shown = layer.picked === null ? undefined : layer.grips[layer.picked]?.place;
    this.#picture.style.transform = `matrix(${frame.scale}, 0, 0, ${frame.scale}, ${frame.left}, ${frame.top})`;
    this.#loupe.hidden = shown === undefined;
    // The loupe stands in the other half of the stage than what it shows.
    this.#loupe.className = `loupe ${shown && toStage(frame, shown)[1] < height_px / 2 ? "low" : ""}`;
    if (shown) this.#magnify(shown);
    return html`<div class="stage" ${ref(this.#attach)} @pointerdown=${() => (this.#isDragged = false)} @click=${(event: MouseEvent) => this.#tap(event, frame, on)}>
      ${this.#picture}
      <svg class="layer" viewBox="0 0 ${width_px} ${height_px}" role="group" aria-label=${layer.label}>
        ${layer.under?.(frame)}${layer.grips.map((grip, i) => this.#grip(grip, i, layer.picked === i, frame, on))}
      </svg>
      ${this.#loupe}
    </div>`;
  }

  /** Follow a finger that came down on something at this place of the picture, until it is lifted. */
  follow(event: PointerEvent, from: Place, move: (place: Place) => void, end: () => void): void {
    event.stopPropagation();
    const held = event.currentTarget as SVGElement;
    const { scale } = frameOf(this.#bitmap, this.#size, this.#view);
    this.#isDragged = false;
    held.setPointerCapture(event.pointerId);
    const onMove = (now: PointerEvent): void => {
      const [dx, dy] = [now.clientX - event.clientX, now.clientY - event.clientY];
      if (!this.#isDragged && Math.hypot(dx, dy) < DRAG_PX) return;
      this.#isDragged = true;
      const place: Place = [from[0] + dx / scale, from[1] + dy / scale];
      if (this.holds(place)) move(place);
    };
    const onEnd = (): void => {
      held.removeEventListener("pointermove", onMove);
      if (this.#isDragged) end();
    };
    held.addEventListener("pointermove", onMove);
    held.addEventListener("pointerup", onEnd, { once: true });
    held.addEventListener("pointercancel", onEnd, { once: true });
  }

  /** Keep the frame in step with the screen. */
  readonly #attach = (stage: Element | undefined): void => {
    if (!(stage instanceof HTMLElement)) return;
    this.#view = { k: 1, x: 0, y: 0 };
    const zoom = new Zoom(stage, (view) => this.#set(view, this.#size), CLOSEST);
    this.#zoom = zoom;
    new ResizeObserver(() => {
      const size = { width_px: stage.clientWidth, height_px: stage.clientHeight };
      zoom.keepWithin(size);
      this.#set(this.#view, size);
    }).observe(stage);
  };

  #set(view: View, size: Size): void {
    [this.#view, this.#size] = [view, size];
    this.changed();
  }

  #tap(event: MouseEvent, frame: Frame, on: GripHandlers): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const place = toPicture(frame, [event.clientX - box.left, event.clientY - box.top]);
    if (!this.#isDragged && this.holds(place)) on.tap(place);
  }

  #grip({ place, label, text = "", kind = "" }: Grip, i: number, isPicked: boolean, frame: Frame, on: GripHandlers): SVGTemplateResult {
    const [x, y] = toStage(frame, place);
    const still = (event: Event): void => event.stopPropagation();
    const down = (event: PointerEvent): void => {
      on.pick(i);
      this.follow(event, place, (to) => on.drag(i, to), () => on.drop(i, place));
    };
    return svg`<g class="corner ${kind} ${isPicked ? "picked" : ""}" data-corner=${i} tabindex="0" role="button"
        aria-label=${label} aria-pressed=${isPicked} transform="translate(${x} ${y})"
        @focus=${() => on.pick(i)} @click=${still} @mousedown=${still} @touchstart=${still} @pointerdown=${down}
        @keydown=${(event: KeyboardEvent) => onKey(event, on)}>
      <circle class="grip" r="22" /><circle class="ring" r="11" /><path class="cross" d="M-16 0H-4M4 0H16M0 -16V-4M0 4V16" />
      <text class="number" x="15" y="-15">${text}</text>
    </g>`;
  }

  /** What lies around the place, five times as large as the camera's pixels, with the place in its middle. */
  #magnify(place: Place): void {
    const pen = this.#loupe.getContext("2d");
    if (!pen || !this.#bitmap) return;
    const size = SHARP * LOUPE_PX;
    const side = size / (SHARP * LOUPE_TIMES);
    pen.imageSmoothingEnabled = false;
    pen.fillStyle = "#07090d";
    pen.fillRect(0, 0, size, size);
    pen.drawImage(this.#bitmap, place[0] + 0.5 - side / 2, place[1] + 0.5 - side / 2, side, side, 0, 0, size, size);
    for (const [colour, width] of [["#000c", 6], ["#6cc7ff", 2]] as const) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      for (const [from, to] of [[0.06, 0.44], [0.56, 0.94]] as const) {
        pen.moveTo(from * size, size / 2);
        pen.lineTo(to * size, size / 2);
        pen.moveTo(size / 2, from * size);
        pen.lineTo(size / 2, to * size);
      }
      pen.stroke();
    }
  }
}

const ARROWS: Readonly<Record<string, Place>> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function onKey(event: KeyboardEvent, on: GripHandlers): void {
  const by = ARROWS[event.key];
  if (!by || !on.nudge) return;
  event.preventDefault();
  const far = event.shiftKey ? 10 : event.altKey ? 0.25 : 1;
  on.nudge(far * by[0], far * by[1]);
}

function frameOf(bitmap: ImageBitmap | null, { width_px, height_px }: Size, { k, x, y }: View): Frame {
  const [width, height] = bitmap ? [bitmap.width, bitmap.height] : [1, 1];
  const fit = Math.min(width_px / width, height_px / height);
  return { scale: k * fit, left: x + (k * (width_px - fit * width)) / 2, top: y + (k * (height_px - fit * height)) / 2 };
}

export function toStage({ scale, left, top }: Frame, [x, y]: Place): Place {
  return [left + (x + 0.5) * scale, top + (y + 0.5) * scale];
}

function toPicture({ scale, left, top }: Frame, [x, y]: Place): Place {
  return [(x - left) / scale - 0.5, (y - top) / scale - 0.5];
}

/** Places of the picture as an SVG's `points`, on the stage. */
export function stagePoints(frame: Frame, places: readonly Place[]): string {
  return places.map((place) => toStage(frame, place).map((value) => value.toFixed(1)).join(",")).join(" ");
}

/** The picture at this address, to be shown on a stage. */
export async function fetchPicture(address: string): Promise<ImageBitmap> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
  return createImageBitmap(await answer.blob());
}
