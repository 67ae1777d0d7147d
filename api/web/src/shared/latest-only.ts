/** Latest only: while an answer is on its way, only the newest of the following questions waits. */

export type Run<Question> = (question: Question, signal: AbortSignal, isOld: () => boolean) => Promise<void>;

export class LatestOnly<Question> {
  #next: Question | null = null;
  #controller: AbortController | null = null;

  constructor(private readonly run: Run<Question>) {}

  /** Ask when the one before is answered. A run may stop early when it learns that it is old. */
  ask(question: Question): void {
    this.#next = question;
    if (this.#controller === null) void this.#runAll();
  }

  /** Ask now; what was asked before is of no use any more. */
  askAtOnce(question: Question): void {
    this.stop();
    this.ask(question);
  }

  stop(): void {
    this.#next = null;
    this.#controller?.abort();
    this.#controller = null;
  }

  async #runAll(): Promise<void> {
    const asking = (this.#controller = new AbortController());
    while (this.#next !== null && !asking.signal.aborted) {
      const question = this.#next;
      this.#next = null;
      await this.run(question, asking.signal, () => this.#next !== null);
    }
    if (this.#controller === asking) this.#controller = null;
  }
}
