/** Plug-in widgets: what other packages draw on the stream, each a module that the server hands out by its name. */

import type { Params } from "./url-params";
import type { Board } from "../shared/types.gen";

/** Draws into an element of 1920 x 1080 pixels whatever the board says now; asked each time the board is another. */
export type Draw = (element: HTMLElement, board: Board) => void;

interface Drawn {
  readonly name: string;
  readonly element: HTMLElement;
  readonly draw: Draw;
}

export class PluginWidgets {
  private readonly drawn: Drawn[] = [];
  private board: Board | null = null;

  constructor(private readonly stage: HTMLElement) {}

  /** Load those that the address names; one that cannot be loaded is named in the program's log and left out. */
  async load({ plugins }: Params): Promise<void> {
    await Promise.all(
      plugins.map(async (name) => {
        try {
          const address = new URL(`api/v1/overlay/widgets/${name}.js`, document.baseURI).href;
          const { default: draw } = (await import(/* @vite-ignore */ address)) as { default: Draw };
          this.add(name, draw);
        } catch (wrong) {
          console.warn(`widget ${name} left out:`, wrong);
        }
      }),
    );
  }

  /** Show what stands on the board, `delay_s` later where the picture comes so late. */
  take(board: Board, delay_s: number): void {
    setTimeout(() => { this.board = board; [...this.drawn].forEach((one) => this.redraw(one)); }, delay_s * 1000);
  }

  private add(name: string, draw: Draw): void {
    const element = Object.assign(document.createElement("div"), { className: "plugin-widget" });
    element.dataset.widget = name;
    this.stage.append(element);
    this.drawn.push({ name, element, draw });
    if (this.board) this.redraw(this.drawn.at(-1)!);
  }

  /** One that fails is taken off the picture: nothing half drawn stays on a stream. */
  private redraw(one: Drawn): void {
    try {
      one.draw(one.element, this.board!);
    } catch (wrong) {
      console.warn(`widget ${one.name} left out:`, wrong);
      one.element.remove();
      this.drawn.splice(this.drawn.indexOf(one), 1);
    }
  }
}
