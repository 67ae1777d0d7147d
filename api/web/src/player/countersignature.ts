/** Countersignature: this phone signs, with a key of its own, how far it saw the table's log come.
 *
 * The browser makes the key once for this address and never gives its private half away, not even to this page. Browsers sign
 * on pages that came by HTTPS alone; on others the phone keeps nothing and says so.
 */

import { get, send } from "../shared/http";
import { showRedLine } from "../shared/red-line";
import { SAY } from "../shared/strings";
import type { Countersignature, Proof, SignedAs } from "../shared/types.gen";

const EVERY_MS = 60_000;
/** The table signs a ruling within a second. */
const AFTER_RULING_MS = 2_500;
const [DATABASE, STORE, NAME] = ["tableside-proof", "keys", "phone"];
const SIGNING = {
  "ed25519": { make: { name: "Ed25519" }, sign: { name: "Ed25519" } },
  "ecdsa-p256": { make: { name: "ECDSA", namedCurve: "P-256" }, sign: { name: "ECDSA", hash: "SHA-256" } },
} as const;

interface KeptKey {
  readonly algorithm: keyof typeof SIGNING;
  readonly pair: CryptoKeyPair;
  readonly key: string;
  /** what was signed last, and the words of this phone's key */
  readonly seen: Countersignature | null;
  readonly words: string | null;
}

/** What the page shows: the phone's key in words, what it signed last; `canSign`: whether the browser lets it sign. */
export interface PhoneProof {
  readonly canSign: boolean;
  readonly words: string | null;
  readonly seen: Countersignature | null;
}

export class Countersigner {
  #isSigning = false;

  constructor(private readonly show: (proof: PhoneProof) => void) {}

  begin(): void {
    void this.sign();
    setInterval(() => void this.sign(), EVERY_MS);
  }

  /** A ruling has come, which the table signs at once. */
  signSoon(): void {
    setTimeout(() => void this.sign(), AFTER_RULING_MS);
  }

  /** Sign what the table's key signed last; what fails now is done a minute later. */
  async sign(): Promise<void> {
    if (this.#isSigning) return;
    this.#isSigning = true;
    try {
      if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return this.show({ canSign: false, words: null, seen: null });
      const kept = (await readKey()) ?? (await makeKey());
      this.#tell(kept);
      await this.#signNewest(kept);
    } catch (wrong) {
      console.info("not countersigned", wrong);
    } finally {
      this.#isSigning = false;
    }
  }

  async #signNewest(kept: KeptKey): Promise<void> {
    const last = kept.seen;
    const proof = await get<Proof>(`proof${last ? `?${new URLSearchParams({ seen: last.head }).toString()}` : ""}`);
    const isSameTable = last !== null && proof.keys.some((step) => step.key === last.table_key);
    if (isSameTable && proof.holds === false) return showRedLine(SAY.phoneSawMore(lineOf(last)));
    if (proof.head === null || proof.key === null || proof.forged !== null || proof.head === last?.head) return;
    const text = new TextEncoder().encode(`tableside seen ${kept.key} ${proof.key} ${proof.head}`);
    const signature = hex(await crypto.subtle.sign(SIGNING[kept.algorithm].sign, kept.pair.privateKey, text));
    const seen: Countersignature = { head: proof.head, table_key: proof.key, key: kept.key, algorithm: kept.algorithm, signature };
    const { key_words } = await send<SignedAs>("POST", "proof/countersignatures", seen);
    const newest = { ...kept, seen, words: key_words };
    await keepKey(newest);
    this.#tell(newest);
  }

  #tell({ words, seen }: KeptKey): void {
    this.show({ canSign: true, words, seen });
  }
}

/** The number of the line that was seen. */
export function lineOf(seen: Countersignature): number {
  return Number(seen.head.split(":")[0]);
}

/** A key that no page can read; P-256 where the browser knows no Ed25519. */
async function makeKey(): Promise<KeptKey> {
  for (const algorithm of Object.keys(SIGNING) as (keyof typeof SIGNING)[]) {
    try {
      const pair = (await crypto.subtle.generateKey(SIGNING[algorithm].make, false, ["sign", "verify"])) as CryptoKeyPair;
      const key = hex(await crypto.subtle.exportKey("raw", pair.publicKey));
      const made = { algorithm, pair, key, seen: null, words: null };
      await keepKey(made);
      return made;
    } catch (wrong) {
      console.info("the browser does not sign by", algorithm, wrong);
    }
  }
  throw new Error("the browser signs by nothing that is known here");
}

async function readKey(): Promise<KeptKey | undefined> {
  return run<KeptKey | undefined>("readonly", (store) => store.get(NAME) as IDBRequest<KeptKey | undefined>);
}

async function keepKey(kept: KeptKey): Promise<void> {
  await run("readwrite", (store) => store.put(kept, NAME));
}

async function run<Value>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser keeps nothing"));
  });
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
