/** Canvas of the table's picture, painted so that a new one never flickers. */

export class PictureCanvas {
  #now = 0;
  #moment: number | null = null;
  #shown = "";
  #isFetching = false;
  #isPainted = false;

  constructor(private readonly onPainted: () => void) {}

  readonly canvas = Object.assign(document.createElement("canvas"), { className: "picture" });

  get isPainted(): boolean {
    return this.#isPainted;
  }

  /** Show this version; while one is on its way, only the newest of the following is fetched. */
  async show(version: number): Promise<void> {
    this.#now = version;
    await this.#catchUp();
  }

  /** Show the picture of this moment, or none where none is kept, whatever the camera sees; null: what it sees now. */
  async showMoment(moment: number | null): Promise<void> {
    this.#moment = moment;
    await this.#catchUp();
  }

  #wanted(): string {
    if (this.#moment !== null) return `api/v1/moments/${this.#moment}/picture.jpg`;
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
    const answer = address === "" ? null : await fetch(address);
    const isKept = answer !== null && answer.ok;
    if (answer !== null && !isKept && this.#moment === null) throw new Error(`no picture: ${answer.status}`);
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
