/** Link to a moment: which moment, pair and opened line a page shows, as it stands after the `#` of its address. */

import type { State, Topic } from "./state";

export interface Link {
  /** a line of the journal; null: the table as it is now */
  readonly at: number | null;
  readonly a: string | null;
  readonly b: string | null;
  /** slot of the line that is opened */
  readonly line: string | null;
  /** the question that is answered first; null: what is likeliest */
  readonly topic: Topic | null;
}

/** A list that somebody sent to this page, by the phone's share menu or by a link: its text, empty where only the lists are wanted. */
export function readSharedList({ search, hash }: Location): string | null {
  const shared = new URLSearchParams(search);
  const told = shared.get("list-text") ?? shared.get("list-url");
  return told ?? (hash === "#lists" ? "" : new URLSearchParams(hash.slice(1)).get("list"));
}

const TOPICS: readonly Topic[] = ["shoot", "charge", "melee", "see"];

export function readLink(hash: string): Link {
  const told = new URLSearchParams(hash.slice(1));
  const at = Number(told.get("at"));
  return { at: Number.isInteger(at) && at > 0 ? at : null, a: told.get("a"), b: told.get("b"), line: told.get("line"), topic: TOPICS.find((topic) => topic === told.get("ask")) ?? null };
}

/** What stands after the `#`; nothing where nothing is picked. */
export function writeLink({ at, a, b, line, topic }: Link): string {
  const told = Object.entries({ at: at === null ? null : String(at), a, b, line, ask: topic }).filter(([, value]) => value !== null);
  return told.length === 0 ? "" : `#${new URLSearchParams(told as [string, string][]).toString()}`;
}

export function linkOf({ at, a, b, openSlot, topic }: State): Link {
  return { at, a, b, line: openSlot, topic };
}

/** Keep the address in step with the page, without a new entry in the browser's history. */
export function keepAddress(state: State): void {
  const hash = writeLink(linkOf(state));
  if (hash !== location.hash) history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
}
