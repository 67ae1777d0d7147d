/** Entry of the page on which the mat's corners are tapped. */

import { render } from "lit";
import "../shared/style.css";
import { usePageLanguage } from "../shared/page-language";
import { Store } from "../shared/store";
import { Zoom } from "../shared/zoom";
import { Actions } from "./actions";
import "./corners.css";
import { start, type State } from "./state";
import { LOUPE_PX, page, type Canvases } from "./view";

const LOUPE_TIMES = 5;
const SHARP = 2;

await usePageLanguage();
const root = document.getElementById("page") as HTMLElement;
const canvases: Canvases = {
  picture: Object.assign(document.createElement("canvas"), { className: "picture" }),
  loupe: Object.assign(document.createElement("canvas"), { className: "loupe", width: SHARP * LOUPE_PX, height: SHARP * LOUPE_PX }),
};
let paintedPicture: ImageBitmap | null = null;
const store = new Store(start, draw);
const actions = new Actions(store);

draw(store.state);
watch(root.querySelector(".stage") as HTMLElement);
void actions.takePicture();

function draw(state: State): void {
  paint();
  magnify(state);
  render(page(state, actions, canvases), root);
}

function paint(): void {
  const { picture } = actions;
  if (!picture || picture === paintedPicture) return;
  canvases.picture.width = picture.width;
  canvases.picture.height = picture.height;
  canvases.picture.getContext("2d")?.drawImage(picture, 0, 0);
  paintedPicture = picture;
}

/** What lies around the picked corner, five times as large as the camera's pixels, with the corner in its middle. */
function magnify({ corners, picked }: State): void {
  const place = picked === null ? undefined : corners[picked];
  const pen = canvases.loupe.getContext("2d");
  if (!place || !pen || !actions.picture) return;
  const size = SHARP * LOUPE_PX;
  const side = size / (SHARP * LOUPE_TIMES);
  pen.imageSmoothingEnabled = false;
  pen.fillStyle = "#07090d";
  pen.fillRect(0, 0, size, size);
  pen.drawImage(actions.picture, place[0] + 0.5 - side / 2, place[1] + 0.5 - side / 2, side, side, 0, 0, size, size);
  for (const [colour, width] of [["#000c", 6], ["#6cc7ff", 2]] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    for (const [from, to] of [[0.06, 0.44], [0.56, 0.94]] as const) {
      pen.moveTo(from * size, size / 2);
      pen.lineTo(to * size, size / 2);
      pen.moveTo(size / 2, from * size);
      pen.lineTo(size / 2, to * size);
    }
    pen.stroke();
  }
}

/** Keep the state's idea of the stage in step with the screen. */
function watch(stage: HTMLElement): void {
  const zoom = new Zoom(stage, (view) => store.set({ view }));
  actions.zoom = zoom;
  new ResizeObserver(() => {
    const size = { width_px: stage.clientWidth, height_px: stage.clientHeight };
    zoom.keepWithin(size);
    store.set({ stage: size });
  }).observe(stage);
}
