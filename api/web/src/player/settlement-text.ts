/** Settlement text: how players ended what they disputed. */

import { inNames } from "../shared/entities";
import { lengthIn } from "../shared/format";
import { phrase } from "../shared/language";
import { SAY } from "../shared/strings";
import type { Dispute, Settlement } from "../shared/types.gen";
import { keyOf } from "./settlements";
import type { State } from "./state";

/** How a dispute ended, for who looks at something else; null: it was put away. */
export function endOf({ title, query, a, b, yes, no }: Dispute, { settled, table }: State): string | null {
  const found = settled.find((one) => keyOf(one.query) === keyOf(query));
  return found ? `${inNames(phrase(title), { a, b }, table)}: ${outcome(found, phrase(found.answer === "yes" ? yes : no))}` : null;
}

/** How it was settled, and the word that stands. */
export function outcome(found: Settlement, word: string): string {
  if (found.answer === null) return SAY.judgeCalled;
  if (found.how === "taped") return SAY.tapedBoth(Object.values(found.tapes_in).map(lengthIn).join(" · "), word);
  const dice = Object.entries(found.dice).map(([seat, die]) => `${SAY.seat[seat as Settlement["by"]]} ${die}`).join(" · ");
  return found.how === "rolled" ? SAY.rolledBoth(dice || String(found.die ?? ""), word) : SAY.agreedOn(word);
}
