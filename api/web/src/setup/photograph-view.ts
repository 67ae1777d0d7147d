/** Markup for one photograph of a game: choose it, tap corners, sides and discs, and drag until the outline lies on the table. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { stagePoints, type Frame, type Layer, type PictureStage, type Place } from "../shared/picture-stage";
import type { TapPicture } from "../shared/types.gen";
import type { Actions } from "./actions";
import { DISCS_MM, isOff, targetOf, type Photograph } from "./photograph";
import type { State } from "./state";
import { goodness, nextMark, pinLabel, PHOTO, WORDS } from "./strings";

export function photographStep(state: State, actions: Actions, stage: PictureStage): TemplateResult {
  const { photograph, busy } = state;
  if (!photograph) return html`<p class="hint">${PHOTO.hint}</p><div class="row">${chooser(PHOTO.choose, "strong", false, state, actions)}</div>`;
  const target = targetOf(photograph);
  const proposed = proposalOf(photograph);
  return html`<p class="asks" role="status"><b>${proposed ? PHOTO.isBoard : target ? nextMark(target) : PHOTO.adjust}</b></p>
    <div class="tap-stage">${stage.view(layerOf(photograph), actions.photograph.grips)}</div>
    ${photograph.pose ? html`<p class="note good" data-pose>${goodness(photograph.pose)}</p>` : nothing}
    ${photograph.picture.joined ? html`<p class="note" data-joined>${PHOTO.joined(photograph.picture.joined)}</p>` : nothing}
    ${photograph.pose?.warnings.map((says) => html`<p class="note bad" role="alert">${says}</p>`)}
    <div class="row">
      ${proposed ? html`<button class="plain strong" @click=${() => actions.photograph.accept()}>${PHOTO.yesBoard}</button>
        <button class="plain" @click=${() => actions.photograph.reject()}>${PHOTO.noBoard}</button>` : target ? html`<button class="plain" @click=${() => actions.photograph.skip()}>${target.kind === "disc" ? PHOTO.noDisc : PHOTO.hidden}</button>` : nothing}
      ${photograph.before.length > 0 ? html`<button class="plain" @click=${() => actions.photograph.undo()}>${WORDS.undoTap}</button>` : nothing}
      ${chooser(PHOTO.other, "", false, state, actions)}
      ${photograph.pose ? chooser(PHOTO.beside, "", true, state, actions) : nothing}
    </div>
    <details class="discs"><summary>${PHOTO.discs}</summary><p class="hint">${PHOTO.discsHint}</p>
      <div class="chips" role="group" aria-label=${PHOTO.discs}>${DISCS_MM.map(
        (mm) => html`<button ?disabled=${busy !== null} @click=${() => void actions.photograph.addDisc(mm)}>${mm} mm</button>`,
      )}</div></details>`;
}

function layerOf(photograph: Photograph): Layer {
  const { pins, picked, pose } = photograph;
  const grips = pins.map((pin, i) => ({ place: pin.place, label: pinLabel(pin.of), text: String(i + 1), kind: isOff(photograph, pin) ? "off" : "" }));
  const [proposed, rims] = [proposalOf(photograph), photograph.disc ? photograph.rims : []];
  const polygon = (kind: string, places: readonly Place[], frame: Frame) => svg`<polygon class="found ${kind}" points=${stagePoints(frame, places)} />`;
  const under = (frame: Frame) => [pose ? polygon("fit", pose.outline_px, frame) : proposed ? polygon("rough", proposed.outline_px, frame) : nothing, rims.map((rim) => polygon("disc", rim, frame))];
  return { grips, picked, label: PHOTO.title, under };
}

/** Where the board seems to lie, until something is marked. */
function proposalOf({ picture, pins }: Photograph): TapPicture["proposed"] {
  return pins.length === 0 ? picture.proposed : null;
}

function chooser(says: string, tone: string, isBeside: boolean, { busy }: State, actions: Actions): TemplateResult {
  const onChange = (event: Event): void => {
    const box = event.currentTarget as HTMLInputElement;
    const file = box.files?.[0];
    if (file) void actions.photograph.open(file, isBeside).finally(() => (box.value = ""));
  };
  return html`<label class="plain ${tone}">${says}<input class="aloud" type="file" accept="image/*,.heic" ?disabled=${busy !== null} @change=${onChange} /></label>`;
}
