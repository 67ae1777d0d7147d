/** Canvas of the table's picture, painted so that a new one never flickers: only what changed is fetched, as wide as the screen shows it. */

import type { Rest } from "./types.gen";

/** As the server steps its widths: within one, pictures have the same size. */
const WIDTH_STEP_PX = 160;
/** Finer than this no eye sees on a screen that moves. */
const MOST_PIXEL_RATIO = 2;
/** A pinch goes over many sizes before it ends. */
const PINCH_MS = 300;
const HEADERS = { Accept: "image/webp,image/jpeg;q=0.9" };

/** What is painted: which version of the live picture, and in which width it was asked for. */
interface Held { readonly version: string; readonly width: number }

export class PictureCanvas {
  #now = 0;
  #rest: Rest | null = null;
  #shown = "";
  #held: Held | null = null;
  #isFetching = false;
  #isPainted = false;
  #width = 0;
  #timer = 0;

  constructor(private readonly onPainted: () => void) {}

  readonly canvas = Object.assign(document.createElement("canvas"), { className: "picture" });

  get isPainted(): boolean {
    return this.#isPainted;
  }

  /** Whether what is painted is the table at this rest. */
  isOf(rest: Rest): boolean {
    return this.#isPainted && this.#shown.startsWith(`${pictureAddress(rest)}&`);
  }

  /** So wide it stands on the screen; where that is finer than what is painted, it is fetched anew. */
  fit(width_px: number): void {
    const width = Math.max(1, Math.ceil((width_px * Math.min(devicePixelRatio, MOST_PIXEL_RATIO)) / WIDTH_STEP_PX)) * WIDTH_STEP_PX;
    if (width === this.#width) return;
    const before = this.#width;
    this.#width = width;
    if (width < before) return; // what is painted is fine enough until there is a newer one
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#catchUp(), before === 0 ? 0 : PINCH_MS);
  }

  /** Show this version; while one is on its way, only the newest of the following is fetched. */
  async show(version: number): Promise<void> {
    this.#now = version;
    await this.#catchUp();
  }

  /** Show the table at this rest, or no picture where none of it is kept, whatever the camera sees; null: what it sees now. */
  async showRest(rest: Rest | null): Promise<void> {
    if (rest?.n === this.#rest?.n && rest?.at_s === this.#rest?.at_s) return;
    this.#rest = rest;
    await this.#catchUp();
  }

  #wanted(): string {
    if (this.#rest !== null) return this.#rest.is_pictured ? `${pictureAddress(this.#rest)}&w=${this.#width}` : "";
    return this.#now > 0 ? `api/v1/picture.jpg?v=${this.#now}&w=${this.#width}` : "";
  }

  /** Before anybody said how wide it stands nothing is fetched. */
  async #catchUp(): Promise<void> {
    if (this.#isFetching || this.#width === 0) return;
    this.#isFetching = true;
    try {
      while (this.#wanted() !== this.#shown) await this.#fetch(this.#wanted());
    } catch {
      // The line is down; the next version comes with the next connection.
    } finally {
      this.#isFetching = false;
    }
  }

  async #fetch(address: string): Promise<void> {
    const [rest, width, held] = [this.#rest, this.#width, this.#held];
    const since = rest === null && held?.width === width ? `&since=${held.version}` : "";
    const answer = address === "" ? null : await fetch(address + since, { headers: HEADERS });
    const isKept = answer !== null && answer.ok;
    if (answer !== null && !isKept && rest === null) throw new Error(`no picture: ${answer.status}`);
    if (isKept && answer.status !== 204) await this.#paint(await answer.blob(), answer.headers.get("Picture-Place"));
    const version = isKept && rest === null ? answer.headers.get("Picture-Version") : null;
    this.#held = version === null ? null : { version, width };
    this.#isPainted = isKept;
    this.#shown = address;
    this.onPainted();
  }

  /** `place`: the corner of a part, and the size of the whole that it belongs to. */
  async #paint(picture: Blob, place: string | null): Promise<void> {
    const bitmap = await createImageBitmap(picture);
    const [left, top, width, height] = place?.split(" ").map(Number) ?? [0, 0, bitmap.width, bitmap.height];
    if (this.canvas.width !== width) this.canvas.width = width!;
    if (this.canvas.height !== height) this.canvas.height = height!;
    this.canvas.getContext("2d")?.drawImage(bitmap, left!, top!);
    bitmap.close();
  }
}

/** Where its picture is fetched; another game's rest of the same number has another address, so that none is taken for it. */
export function pictureAddress({ n, at_s }: Rest): string {
  return `api/v1/moments/${n}/picture.jpg?at_s=${at_s}`;
}
