/** Language of the pages beside the player's: their own messages, together with those of the player's page. */

import { addMessages, knowLaterMessages, preferredLanguage, text, useLanguage, type Language, type MessageKey, type Messages } from "./language";
import { messageTree } from "./message-tree";
import type english from "./messages/pages/en.json";

type PageKey = keyof typeof english;

const MESSAGES: Readonly<Record<Language, () => Promise<{ default: unknown }>>> = {
  en: () => import("./messages/pages/en.json"),
  de: () => import("./messages/pages/de.json"),
  fr: () => import("./messages/pages/fr.json"),
  es: () => import("./messages/pages/es.json"),
};

/** Speak this language from now on; a page waits for it before it is drawn. */
export async function usePageLanguage(wanted: Language = preferredLanguage()): Promise<void> {
  const own = MESSAGES[wanted]();
  await useLanguage(wanted);
  await knowLaterMessages();
  addMessages((await own).default as Messages);
}

/** The message of one of these pages, with what is to be filled in. */
export function say(key: PageKey, values?: Readonly<Record<string, string | number>>): string {
  return text(key as string as MessageKey, values);
}

/** The messages of one of these pages by their names. */
export const under = messageTree<PageKey>();
