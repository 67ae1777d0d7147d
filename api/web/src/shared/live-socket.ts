/** WebSocket to the server: reconnects with back-off, notices silence and gaps. */

import type { ClientMessage, ServerMessage } from "./types.gen";

const FIRST_WAIT_MS = 400;
/** A server that was killed and started again is found within three seconds. */
const LONGEST_WAIT_MS = 2000;
/** The server's heart beats every second; three missed beats are a dead line. */
const SILENCE_MS = 3500;

export interface SocketHandlers {
  onMessage(message: ServerMessage): void;
  onOpen(): void;
  onLost(): void;
}

export class LiveSocket {
  #socket: WebSocket | null = null;
  #wait_ms = FIRST_WAIT_MS;
  #silence = 0;
  #retryTimer = 0;

  constructor(private readonly handlers: SocketHandlers) {}

  /** The phone is looked at again, or has a network again: what was put off is tried now. */
  wake(): void {
    if (this.#socket === null && this.#retryTimer !== 0) this.connect();
  }

  connect(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    const url = new URL("api/v1/live", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait_ms = FIRST_WAIT_MS;
      this.handlers.onOpen();
    };
    socket.onmessage = (event) => {
      this.#resetSilence(socket);
      this.handlers.onMessage(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => this.#reconnect(socket);
    this.#resetSilence(socket);
  }

  send(words: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(words));
  }

  #resetSilence(socket: WebSocket): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.#reconnect(socket), SILENCE_MS);
  }

  #reconnect(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    clearTimeout(this.#silence);
    this.#socket = null;
    socket.close();
    this.handlers.onLost();
    // A hall of phones must not come back in one instant.
    const wait_ms = this.#wait_ms * (0.75 + Math.random() / 2);
    this.#wait_ms = Math.min(2 * this.#wait_ms, LONGEST_WAIT_MS);
    this.#retryTimer = window.setTimeout(() => this.connect(), wait_ms);
  }
}
