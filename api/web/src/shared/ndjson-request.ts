/** JSON requests: one answer, or NDJSON answers that grow. */

import { Refusal } from "./problem";
import type { Problem } from "./types.gen";

export interface RequestOptions {
  readonly method?: "POST" | "PUT";
  readonly signal?: AbortSignal;
}

export async function postJson<Answer>(address: string, body: unknown, how: RequestOptions = {}): Promise<Answer> {
  const answer = await send(address, body, "application/json", how);
  return (await answer.json()) as Answer;
}

/** Answers as they come, each on a line and fuller than the one before. */
export async function* streamJson<Answer>(address: string, body: unknown, signal: AbortSignal): AsyncGenerator<Answer> {
  const answer = await send(address, body, "application/x-ndjson", { signal });
  const reader = answer.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer = JSON.parse(line) as Answer | { problem: Problem };
        if (isProblem(answer)) throw new Refusal(answer.problem);
        yield answer;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined); // who stops listening tells the server to stop
  }
}

function isProblem(answer: unknown): answer is { problem: Problem } {
  return typeof answer === "object" && answer !== null && "problem" in answer;
}

async function send(address: string, body: unknown, accept: string, { method = "POST", signal }: RequestOptions): Promise<Response> {
  const headers = { "Content-Type": "application/json", Accept: accept };
  const answer = await fetch(address, { method, headers, body: JSON.stringify(body), signal: signal ?? null });
  if (!answer.ok) throw new Refusal((await answer.json()) as Problem);
  return answer;
}
