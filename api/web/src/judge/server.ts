/** Questions and orders to the server; what it refuses comes back as a Refusal. */

import { Refusal } from "../refusal";
import type { Problem } from "../types.gen";

export async function get<Answer>(path: string): Promise<Answer> {
  return answered(await fetch(`api/v1/${path}`, { cache: "no-store" }));
}

export async function tell<Answer>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<Answer> {
  const told = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return answered(await fetch(`api/v1/${path}`, { method, ...told }));
}

async function answered<Answer>(answer: Response): Promise<Answer> {
  if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
  return (await answer.json()) as Answer;
}
