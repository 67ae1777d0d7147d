/** Problems (RFC 9457): what the server refused, and what to say when it does not answer. */

import type { Problem } from "./types.gen";
import { SAY } from "./strings";

export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

export function problemOf(wrong: unknown): Problem {
  if (wrong instanceof Refusal) return wrong.problem;
  const nothing = { status: 0, field: null, value: null };
  return { type: "phone/no_answer", title: SAY.noAnswer, detail: SAY.unreachable, ...nothing };
}
