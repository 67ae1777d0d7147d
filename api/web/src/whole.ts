/** Something the server tells whole each time it changes; when the line is dead, it is opened anew. */

/** The server's heart beats every four seconds; three missed beats are a dead line. */
const SILENCE_MS = 13_000;
const AGAIN_MS = 1000;

export interface WholeEars<Whole> {
  told(whole: Whole): void;
  lost?(): void;
}

export class WholeStream<Whole> {
  #source: EventSource | null = null;
  #silence = 0;

  constructor(
    private readonly address: string,
    private readonly ears: WholeEars<Whole>,
  ) {}

  open(): void {
    this.#source?.close();
    const source = new EventSource(this.address);
    this.#source = source;
    source.onmessage = (event) => {
      this.#again(SILENCE_MS);
      this.ears.told(JSON.parse(String(event.data)) as Whole);
    };
    source.onerror = () => {
      this.ears.lost?.();
      // The browser comes back by itself after a broken line, but gives up for good after an answer it cannot use.
      if (source.readyState === EventSource.CLOSED) this.#again(AGAIN_MS);
    };
    this.#again(SILENCE_MS);
  }

  #again(in_ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.open(), in_ms);
  }
}
