/** HTTP requests of a page to its server; what the server refuses comes back as a Refusal. */

import { Refusal } from "./problem";
import type { Problem } from "./types.gen";

export async function get<Answer>(path: string): Promise<Answer> {
  return readAnswer(await fetch(`api/v1/${path}`, { cache: "no-store" }));
}

export async function send<Answer>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<Answer> {
  const request = body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return readAnswer(await fetch(`api/v1/${path}`, { method, ...request }));
}

async function readAnswer<Answer>(answer: Response): Promise<Answer> {
  if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
  return (await answer.json()) as Answer;
}
