/** A key for what is written, the same until its answer has come: a second tap, or one after bad Wi-Fi, writes nothing twice. */

export class Keys {
  #last = { said: "", key: "" };

  of(written: unknown): string {
    const said = JSON.stringify(written);
    if (said !== this.#last.said) this.#last = { said, key: fresh() };
    return this.#last.key;
  }

  done(key: string): void {
    if (this.#last.key === key) this.#last = { said: "", key: "" };
  }
}

/** Plain http has no `randomUUID`. */
function fresh(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
