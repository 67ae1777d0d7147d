/** Zoom: pinch, pan and wheel on the stage. */

import { select } from "d3-selection";
import { zoom, zoomIdentity, type ZoomBehavior } from "d3-zoom";
import "d3-transition";
import { MOST_ZOOM, type Size, type View } from "./geometry";

const GLIDE_MS = 260;
const TAP_PX = 10;

export class Zoom {
  readonly #behaviour: ZoomBehavior<HTMLElement, unknown>;

  constructor(private readonly stage: HTMLElement, moved: (view: View) => void, most = MOST_ZOOM) {
    this.#behaviour = zoom<HTMLElement, unknown>()
      .filter((event: Event) => !isOnGrip(event) && isOurs(event))
      .scaleExtent([0.8, most])
      .clickDistance(TAP_PX)
      .tapDistance(TAP_PX)
      .on("zoom", (event: { transform: View }) => moved(toView(event.transform)));
    select(stage).call(this.#behaviour).on("dblclick.zoom", null);
  }

  /** Glide there, or be there at once for those who want no motion. */
  glideTo(view: View): void {
    const target = zoomIdentity.translate(view.x, view.y).scale(view.k);
    const stage = select(this.stage);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.placeAt(view);
    else stage.transition().duration(GLIDE_MS).call(this.#behaviour.transform, target);
  }

  /** Be there at once. */
  placeAt(view: View): void {
    this.#behaviour.transform(select(this.stage), zoomIdentity.translate(view.x, view.y).scale(view.k));
  }

  /** Keep the table within reach: it may leave the stage by half at most. */
  keepWithin({ width_px: w, height_px: h }: Size): void {
    this.#behaviour.translateExtent([[-w / 2, -h / 2], [1.5 * w, 1.5 * h]]);
  }

  showWhole(): void {
    this.glideTo({ k: 1, x: 0, y: 0 });
  }
}

/** Whether a finger has taken hold of something that is dragged, such as a ghost. */
function isOnGrip({ target }: Event): boolean {
  return target instanceof Element && target.closest(".grip") !== null;
}

/** The filter of the library itself: no other button than the first, no control key but for the wheel. */
function isOurs(event: Event): boolean {
  if (!(event instanceof MouseEvent)) return true;
  return (!event.ctrlKey || event.type === "wheel") && !event.button;
}

function toView({ k, x, y }: View): View {
  return { k, x, y };
}
