/** The socket to the server: reconnects with back-off, notices silence and gaps. */

import type { Said, Told } from "./types.gen";

const FIRST_WAIT_MS = 400;
/** A server that was killed and started again is found within three seconds. */
const LONGEST_WAIT_MS = 2000;
/** The server's heart beats every second; three missed beats are a dead line. */
const SILENCE_MS = 3500;

export interface Ears {
  told(message: Told): void;
  opened(): void;
  lost(): void;
}

export class Live {
  #socket: WebSocket | null = null;
  #wait_ms = FIRST_WAIT_MS;
  #silence = 0;
  #waiting = 0;

  constructor(private readonly ears: Ears) {}

  /** The phone is looked at again, or has a network again: what was put off is tried now. */
  wake(): void {
    if (this.#socket === null && this.#waiting !== 0) this.connect();
  }

  connect(): void {
    clearTimeout(this.#waiting);
    this.#waiting = 0;
    const url = new URL("api/v1/live", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait_ms = FIRST_WAIT_MS;
      this.ears.opened();
    };
    socket.onmessage = (event) => {
      this.#listenOn(socket);
      this.ears.told(JSON.parse(String(event.data)) as Told);
    };
    socket.onclose = () => this.#again(socket);
    this.#listenOn(socket);
  }

  say(words: Said): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(words));
  }

  #listenOn(socket: WebSocket): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.#again(socket), SILENCE_MS);
  }

  #again(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    clearTimeout(this.#silence);
    this.#socket = null;
    socket.close();
    this.ears.lost();
    // A hall of phones must not come back in one instant.
    const wait_ms = this.#wait_ms * (0.75 + Math.random() / 2);
    this.#wait_ms = Math.min(2 * this.#wait_ms, LONGEST_WAIT_MS);
    this.#waiting = window.setTimeout(() => this.connect(), wait_ms);
  }
}
