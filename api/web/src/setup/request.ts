/** Requests to the set-up's server. */

import { Refusal } from "../shared/problem";
import type { Problem } from "../shared/types.gen";

export const ROUTE = "api/v1/setup";

/** The answer of a route of the set-up to JSON, or to a file. */
export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const isFile = body instanceof Blob;
  const headers = body === undefined || isFile ? undefined : { "Content-Type": "application/json" };
  const sent = body === undefined ? null : isFile ? body : JSON.stringify(body);
  const answer = await fetch(`${ROUTE}${path}`, { method, body: sent, ...(headers ? { headers } : {}) });
  const said = (await answer.json()) as unknown;
  if (!answer.ok) throw new Refusal(said as Problem);
  return said as Answer;
}
