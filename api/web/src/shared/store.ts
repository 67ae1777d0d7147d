/** Store of a page's state: one value that is replaced, never changed. */

export class Store<State> {
  #isDue = false;

  constructor(
    private now: State,
    private readonly draw: (state: State) => void,
  ) {}

  get state(): State {
    return this.now;
  }

  /** Replace some of the state; the page is drawn once before the next frame, however many changes come. */
  set(changes: Partial<State>): void {
    this.now = { ...this.now, ...changes };
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.draw(this.now);
    });
  }
}
