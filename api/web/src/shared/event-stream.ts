/** Server-sent events of one whole value; a dead connection is opened anew. */

/** The server's heart beats every four seconds; three missed beats are a dead line. */
const SILENCE_MS = 13_000;
const AGAIN_MS = 1000;

export interface WholeHandlers<Whole> {
  onWhole(whole: Whole): void;
  onLost?(): void;
}

export class WholeStream<Whole> {
  #source: EventSource | null = null;
  #silence = 0;

  constructor(
    private readonly address: string,
    private readonly handlers: WholeHandlers<Whole>,
  ) {}

  open(): void {
    this.#source?.close();
    const source = new EventSource(this.address);
    this.#source = source;
    source.onmessage = (event) => {
      this.#reopenIn(SILENCE_MS);
      this.handlers.onWhole(JSON.parse(String(event.data)) as Whole);
    };
    source.onerror = () => {
      this.handlers.onLost?.();
      // The browser comes back by itself after a broken line, but gives up for good after an answer it cannot use.
      if (source.readyState === EventSource.CLOSED) this.#reopenIn(AGAIN_MS);
    };
    this.#reopenIn(SILENCE_MS);
  }

  #reopenIn(in_ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.open(), in_ms);
  }
}
