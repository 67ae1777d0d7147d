/** Markup for one photograph of a game: choose it, tap corners, sides and discs, and drag until the outline lies on the table. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { stagePoints, type Layer, type PictureStage } from "../shared/picture-stage";
import type { Actions } from "./actions";
import { DISCS_MM, isOff, targetOf, type Photograph } from "./photograph";
import type { State } from "./state";
import { goodness, nextMark, pinLabel, PHOTO, WORDS } from "./strings";

export function photographStep(state: State, actions: Actions, stage: PictureStage): TemplateResult {
  const { photograph, busy } = state;
  if (!photograph) return html`<p class="hint">${PHOTO.hint}</p><div class="row">${chooser(PHOTO.choose, "strong", false, state, actions)}</div>`;
  const target = targetOf(photograph);
  return html`<p class="asks" role="status"><b>${target ? nextMark(target) : PHOTO.adjust}</b></p>
    <div class="tap-stage">${stage.view(layerOf(photograph), actions.photograph.grips)}</div>
    ${photograph.pose ? html`<p class="note good" data-pose>${goodness(photograph.pose)}</p>` : nothing}
    ${photograph.picture.joined ? html`<p class="note" data-joined>${PHOTO.joined(photograph.picture.joined)}</p>` : nothing}
    ${photograph.pose?.warnings.map((says) => html`<p class="note bad" role="alert">${says}</p>`)}
    <div class="row">
      ${target ? html`<button class="plain" @click=${() => actions.photograph.skip()}>${target.kind === "disc" ? PHOTO.noDisc : PHOTO.hidden}</button>` : nothing}
      <button class="plain" ?disabled=${photograph.before.length === 0} @click=${() => actions.photograph.undo()}>${WORDS.undoTap}</button>
      ${chooser(PHOTO.other, "", false, state, actions)}
      ${photograph.pose ? chooser(PHOTO.beside, "", true, state, actions) : nothing}
    </div>
    <details class="discs"><summary>${PHOTO.discs}</summary><p class="hint">${PHOTO.discsHint}</p>
      <div class="chips" role="group" aria-label=${PHOTO.discs}>${DISCS_MM.map(
        (mm) => html`<button ?disabled=${busy !== null} @click=${() => actions.photograph.addDisc(mm)}>${mm} mm</button>`,
      )}</div></details>`;
}

function layerOf(photograph: Photograph): Layer {
  const { pins, picked, pose } = photograph;
  const grips = pins.map((pin, i) => ({ place: pin.place, label: pinLabel(pin.of), text: String(i + 1), kind: isOff(photograph, pin) ? "off" : "" }));
  return { grips, picked, label: PHOTO.title, under: (frame) => pose && svg`<polygon class="found fit" points=${stagePoints(frame, pose.outline_px)} />` };
}

function chooser(says: string, tone: string, isBeside: boolean, { busy }: State, actions: Actions): TemplateResult {
  const onChange = (event: Event): void => {
    const box = event.currentTarget as HTMLInputElement;
    const file = box.files?.[0];
    if (file) void actions.photograph.open(file, isBeside).finally(() => (box.value = ""));
  };
  return html`<label class="plain ${tone}">${says}<input class="aloud" type="file" accept="image/*,.heic" ?disabled=${busy !== null} @change=${onChange} /></label>`;
}
