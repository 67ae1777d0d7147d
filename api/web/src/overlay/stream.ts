/** Boards as they come from the server; when the line is dead, it is opened anew. */

import type { Board } from "./types.gen";

/** The server's heart beats every four seconds; three missed beats are a dead line. */
const SILENCE_MS = 13_000;
const AGAIN_MS = 1000;

export class Stream {
  #source: EventSource | null = null;
  #silence = 0;

  constructor(private readonly told: (board: Board) => void) {}

  open(): void {
    this.#source?.close();
    const source = new EventSource("api/v1/overlay/stream");
    this.#source = source;
    source.onmessage = (event) => {
      this.#wait();
      this.told(JSON.parse(String(event.data)) as Board);
    };
    // The browser comes back by itself after a broken line, but gives up for good after an answer it cannot use.
    source.onerror = () => source.readyState === EventSource.CLOSED && this.#again(AGAIN_MS);
    this.#wait();
  }

  #wait(): void {
    this.#again(SILENCE_MS);
  }

  #again(in_ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.open(), in_ms);
  }
}
