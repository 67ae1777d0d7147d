/** Canvas of the table's picture, painted so that a new one never flickers. */

import type { Rest } from "./types.gen";

export class PictureCanvas {
  #now = 0;
  #rest: Rest | null = null;
  #shown = "";
  #isFetching = false;
  #isPainted = false;

  constructor(private readonly onPainted: () => void) {}

  readonly canvas = Object.assign(document.createElement("canvas"), { className: "picture" });

  get isPainted(): boolean {
    return this.#isPainted;
  }

  /** Whether what is painted is the table at this rest. */
  isOf(rest: Rest): boolean {
    return this.#isPainted && this.#shown === pictureAddress(rest);
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
    if (this.#rest !== null) return this.#rest.is_pictured ? pictureAddress(this.#rest) : "";
    return this.#now > 0 ? `api/v1/picture.jpg?v=${this.#now}` : "";
  }

  async #catchUp(): Promise<void> {
    if (this.#isFetching) return;
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
    const rest = this.#rest;
    const answer = address === "" ? null : await fetch(address);
    const isKept = answer !== null && answer.ok;
    if (answer !== null && !isKept && rest === null) throw new Error(`no picture: ${answer.status}`);
    if (isKept) await this.#paint(await answer.blob());
    this.#isPainted = isKept;
    this.#shown = address;
    this.onPainted();
  }

  async #paint(jpeg: Blob): Promise<void> {
    const bitmap = await createImageBitmap(jpeg);
    if (this.canvas.width !== bitmap.width) this.canvas.width = bitmap.width;
    if (this.canvas.height !== bitmap.height) this.canvas.height = bitmap.height;
    this.canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    bitmap.close();
  }
}

/** Where its picture is fetched; another game's rest of the same number has another address, so that none is taken for it. */
export function pictureAddress({ n, at_s }: Rest): string {
  return `api/v1/moments/${n}/picture.jpg?at_s=${at_s}`;
}
