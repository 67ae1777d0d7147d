/** The picture of the table, painted on a canvas so that a new one never flickers. */

export class Picture {
  #wanted = 0;
  #shown = 0;
  #isFetching = false;

  constructor(private readonly painted: () => void) {}

  readonly canvas = Object.assign(document.createElement("canvas"), { className: "picture" });

  get isPainted(): boolean {
    return this.#shown > 0;
  }

  /** Show this version; while one is on its way, only the newest of the following is fetched. */
  async show(version: number): Promise<void> {
    this.#wanted = version;
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      while (this.#wanted !== this.#shown && this.#wanted > 0) await this.#fetch(this.#wanted);
    } catch {
      // The line is down; the next version comes with the next connection.
    } finally {
      this.#isFetching = false;
    }
  }

  async #fetch(version: number): Promise<void> {
    const answer = await fetch(`api/v1/picture.jpg?v=${version}`);
    if (!answer.ok) throw new Error(`no picture: ${answer.status}`);
    const bitmap = await createImageBitmap(await answer.blob());
    if (this.canvas.width !== bitmap.width) this.canvas.width = bitmap.width;
    if (this.canvas.height !== bitmap.height) this.canvas.height = bitmap.height;
    this.canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.#shown = version;
    this.painted();
  }
}
