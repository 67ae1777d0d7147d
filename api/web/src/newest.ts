/** One question at a time: while an answer is on its way, only the newest of the following questions waits. */

export type Run<Question> = (question: Question, signal: AbortSignal, isOld: () => boolean) => Promise<void>;

export class Newest<Question> {
  #waiting: Question | null = null;
  #asking: AbortController | null = null;

  constructor(private readonly run: Run<Question>) {}

  /** Ask when the one before is answered. A run may stop early when it learns that it is old. */
  ask(question: Question): void {
    this.#waiting = question;
    if (this.#asking === null) void this.#work();
  }

  /** Ask now; what was asked before is of no use any more. */
  askAtOnce(question: Question): void {
    this.stop();
    this.ask(question);
  }

  stop(): void {
    this.#waiting = null;
    this.#asking?.abort();
    this.#asking = null;
  }

  async #work(): Promise<void> {
    const asking = (this.#asking = new AbortController());
    while (this.#waiting !== null && !asking.signal.aborted) {
      const question = this.#waiting;
      this.#waiting = null;
      await this.run(question, asking.signal, () => this.#waiting !== null);
    }
    if (this.#asking === asking) this.#asking = null;
  }
}
