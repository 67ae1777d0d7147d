/** Language of a page: its messages (ICU MessageFormat), and the words for what the server says in English. */

import { IntlMessageFormat } from "intl-messageformat";
import type english from "./messages/en.json";
import type laterEnglish from "./messages/later/en.json";
import type { Scoreboard } from "./types.gen";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;
export type MessageKey = keyof typeof english | keyof typeof laterEnglish;

/** A text, or what `vite.config.ts` made of one with something to fill in. */
type Message = string | ConstructorParameters<typeof IntlMessageFormat>[0];
export type Messages = Readonly<Record<string, Message>>;
interface Catalogue {
  readonly messages: Messages;
  readonly phrases: Readonly<Record<string, string>>;
}

const CATALOGUES: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: () => load(import("./messages/en.json"), Promise.resolve({ default: {} })), // the server's own
  de: () => load(import("./messages/de.json"), import("./messages/phrases.de.json")),
  fr: () => load(import("./messages/fr.json"), import("./messages/phrases.fr.json")),
  es: () => load(import("./messages/es.json"), import("./messages/phrases.es.json")),
};
/** Messages of what is loaded when it is first shown: the first look at a table needs none of them. */
const LATER: Readonly<Record<Language, () => Promise<{ default: unknown }>>> = {
  en: () => import("./messages/later/en.json"),
  de: () => import("./messages/later/de.json"),
  fr: () => import("./messages/later/fr.json"),
  es: () => import("./messages/later/es.json"),
};
const KEY = "tableside-language";
/** Messages of the pages that say which player it is. */
const CALLED = ["seat", "overlay.players"];

let language: Language = "en";
let catalogue: Catalogue = { messages: {}, phrases: {} };
let formats = new Map<string, IntlMessageFormat>();
let later: Promise<void> | null = null;

async function load(messages: Promise<{ default: unknown }>, phrases: Promise<{ default: unknown }>): Promise<Catalogue> {
  return { messages: (await messages).default as Messages, phrases: (await phrases).default as Catalogue["phrases"] };
}

export function currentLanguage(): Language {
  return language;
}

/** The language that was chosen on this phone, else the first of its own that there is, else English. */
export function preferredLanguage(): Language {
  const wanted = [chosen(), ...navigator.languages].map((one) => one?.slice(0, 2).toLowerCase());
  return (wanted.find((one) => one !== undefined && one in LANGUAGES) as Language | undefined) ?? "en";
}

function chosen(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined; // a private window keeps nothing
  }
}

/** Speak this language from now on; a page says which before it is drawn, and is drawn anew by whoever asks. */
export async function useLanguage(wanted: Language): Promise<void> {
  const more = later === null ? {} : LATER[wanted]().then((found) => found.default as Messages);
  const { messages, phrases } = await CATALOGUES[wanted]();
  speak(wanted, { ...messages, ...(await more) }, phrases);
}

/** Know the messages of what is loaded later too, from now on. */
export function knowLaterMessages(): Promise<void> {
  later ??= LATER[language]().then((found) => addMessages(found.default as Messages), (wrong: unknown) => {
    later = null; // the line is down: whoever asks again may have more luck
    throw wrong;
  });
  return later;
}

/** Speak this language with these messages. */
export function speak(wanted: Language, messages: Messages, phrases: Catalogue["phrases"] = {}): void {
  catalogue = { messages, phrases };
  [language, formats] = [wanted, new Map()];
  document.documentElement.lang = wanted;
}

/** Know these messages too, for as long as the language stays. */
export function addMessages(more: Messages): void {
  catalogue = { ...catalogue, messages: { ...catalogue.messages, ...more } };
}

/** Call players by their names, wherever a page would say which player it is. */
export function nameSeats({ players }: Scoreboard): void {
  for (const [seat, player] of Object.entries(players)) addMessages(Object.fromEntries(CALLED.map((of) => [`${of}.${seat}`, player.name])));
}

export async function chooseLanguage(wanted: Language): Promise<void> {
  await useLanguage(wanted);
  keepLanguage(wanted);
}

/** Let this device remember the language. */
export function keepLanguage(wanted: Language): void {
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // it holds until the page is closed
  }
}

/** The message in the language of the page, with what is to be filled in. */
export function text(key: MessageKey, values?: Readonly<Record<string, string | number>>): string {
  const message = catalogue.messages[key] ?? key;
  if (typeof message === "string") return values ? fillIn(message, values) : message;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new IntlMessageFormat(message, language)));
  return String(format.format(values));
}

/** A message without a choice, with its places filled in: it need not be formatted. */
function fillIn(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** The messages `of.key` under their keys, each looked up when it is read. */
export function words<Key extends string>(of: string, keys: readonly Key[]): Readonly<Record<Key, string>> {
  const getters = keys.map((key) => [key, { get: () => text(`${of}.${key}` as MessageKey), enumerable: true }] as const);
  return Object.defineProperties({} as Record<Key, string>, Object.fromEntries(getters));
}

/**
 * What the server says in English, in the language of the page; what no catalogue knows stays English.
 *
 * A and B, names after a colon and numbers are no part of a phrase: "B sees A" is found as "{x} sees {y}".
 */
export function phrase(said: string): string {
  if (language === "en" || said === "") return said;
  return localNumber(lookUp(said) ?? afterColon(said) ?? said);
}

/** Numbers as the language writes them: a comma before the decimals in all but English. */
export function localNumber(text: string): string {
  return language === "en" ? text : text.replace(/(\d)\.(?=\d+(?:\s?[″°%]|\s?mm\b|\s?s\b|$))/g, "$1,");
}

function afterColon(said: string): string | null {
  const [head = "", ...rest] = said.split(": ");
  if (rest.length === 0) return null;
  return `${lookUp(head) ?? head}: ${phrases(rest.join(": "))}`;
}

function lookUp(said: string): string | null {
  const filled: Record<string, string> = {};
  const letters: string[] = [];
  let numbers = 0;
  const pattern = said.replace(/\b[AB]\b|[+−-]?\d+(?:\.\d+)?/g, (found) => {
    if (found !== "A" && found !== "B") return keep(["n", "m", "k"][numbers++] ?? "more", found);
    if (!letters.includes(found)) letters.push(found);
    return keep(letters[0] === found ? "x" : "y", found);
  });
  function keep(name: string, found: string): string {
    filled[name] = found;
    return `{${name}}`;
  }
  const known = catalogue.phrases[pattern];
  return known === undefined ? null : fillIn(known, filled);
}

/** Several phrases in one line, each looked up on its own. */
export function phrases(said: string): string {
  return said.split(", ").map(phrase).join(", ");
}
