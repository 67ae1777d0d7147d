/** Idempotency key of a write, the same until its answer has come: a second tap, or one after bad Wi-Fi, writes nothing twice. */

export class IdempotencyKeys {
  #last = { said: "", key: "" };

  keyOf(newestRuling: unknown): string {
    const said = JSON.stringify(newestRuling);
    if (said !== this.#last.said) this.#last = { said, key: randomKey() };
    return this.#last.key;
  }

  forget(key: string): void {
    if (this.#last.key === key) this.#last = { said: "", key: "" };
  }
}

/** Plain http has no `randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
