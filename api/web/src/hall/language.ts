/** Language of the hall's pages: their own messages, so that a spectator's phone loads no player's page. */

import { html, type TemplateResult } from "lit";
import { currentLanguage, keepLanguage, LANGUAGES, preferredLanguage, speak, text, type Language, type MessageKey } from "../shared/language";
import { messageTree } from "../shared/message-tree";
import type english from "./messages/en.json";

export type HallKey = keyof typeof english;

const MESSAGES: Readonly<Record<Language, () => Promise<{ default: unknown }>>> = {
  en: () => import("./messages/en.json"),
  de: () => import("./messages/de.json"),
  fr: () => import("./messages/fr.json"),
  es: () => import("./messages/es.json"),
};

/** Speak the language that was chosen on this device, else its own. */
export async function useHallLanguage(wanted: Language = preferredLanguage()): Promise<void> {
  speak(wanted, (await MESSAGES[wanted]()).default as Readonly<Record<string, string>>);
}

export function say(key: HallKey, values?: Readonly<Record<string, string | number>>): string {
  return text(key as MessageKey, values);
}

/** The messages of the hall by their names. */
export const under = messageTree<HallKey>();

/** The languages to choose from; `redraw` draws the page anew. */
export function languageChoice(redraw: () => void): TemplateResult {
  const choose = async (event: Event) => {
    const wanted = (event.target as HTMLSelectElement).value as Language;
    keepLanguage(wanted);
    await useHallLanguage(wanted);
    redraw();
  };
  return html`<label class="language">${say("language")}<select name="language" @change=${choose}>
    ${Object.entries(LANGUAGES).map(([key, name]) => html`<option value=${key} lang=${key} ?selected=${key === currentLanguage()}>${name}</option>`)}</select></label>`;
}
