/** Entities that can be asked about at a table: units, and miniatures in none. */

interface Entity {
  readonly id: string;
  readonly unit: string | null;
}

export function everyone<M extends Entity>(table: { readonly units: readonly M[]; readonly miniatures: readonly M[] } | null): readonly M[] {
  return table ? [...table.units, ...table.miniatures.filter((m) => m.unit === null)] : [];
}

interface Named extends Entity {
  readonly name: string;
}

/** A question with the names of its two for A and B: who hears of it elsewhere sees no letters. */
export function inNames(title: string, { a, b }: { readonly a: string; readonly b: string }, table: Parameters<typeof everyone<Named>>[0]): string {
  const name = (id: string) => everyone(table).find((m) => m.id === id)?.name ?? id;
  const said = title.replace(/\b[AB]\b/g, (letter) => name(letter === "A" ? a : b));
  return said === title ? `${title}: ${name(a)}, ${name(b)}` : said;
}

/** An id of that kind that nothing has yet. */
export function freeId(kind: string, others: readonly { readonly id: string }[]): string {
  const taken = new Set(others.map((one) => one.id));
  for (let i = 1; ; i++) if (!taken.has(`${kind}-${i}`)) return `${kind}-${i}`;
}

interface OnASide {
  readonly side: string | null;
}

/** Colours that a side may be called by, in the languages of the pages; each a class `paint-…` of the style sheet. */
const PAINTS: Readonly<Record<string, readonly string[]>> = {
  red: ["red", "rot", "rouge", "rojo"], blue: ["blue", "blau", "bleu", "azul"], green: ["green", "grün", "vert", "verde"],
  yellow: ["yellow", "gelb", "jaune", "amarillo"], orange: ["orange", "naranja"], purple: ["purple", "violet", "lila", "violett", "morado"],
  white: ["white", "weiß", "weiss", "blanc", "blanco"], grey: ["grey", "gray", "grau", "gris", "black", "schwarz", "noir", "negro"],
};
/** For sides that no colour is named by: told apart by all eyes. */
const UNNAMED = ["blue", "orange", "purple"] as const;
const MOST_LETTERS = 2;

/** The sides of all on the table, in their order. */
export function sidesOn({ miniatures }: { readonly miniatures: readonly OnASide[] }): readonly string[] {
  return [...new Set(miniatures.map((one) => one.side).filter((side) => side !== null))].sort();
}

/** The colour of a side by its name, else one that no other side has; and its pattern by its place among them. */
export function paintOf(side: string | null, sides: readonly string[]): string {
  if (side === null || sides.length < 2) return "";
  const named = sides.map(paintNamed);
  const free = UNNAMED.filter((paint) => !named.includes(paint));
  const nth = sides.filter((other, k) => named[k] === null && other < side).length;
  const paint = paintNamed(side) ?? free[nth % Math.max(1, free.length)] ?? UNNAMED[0];
  return `side-${Math.min(sides.indexOf(side), 2)} paint-${paint}`;
}

function paintNamed(side: string): string | null {
  const words = side.toLowerCase().split(/[^\p{L}]+/u);
  return Object.keys(PAINTS).find((paint) => PAINTS[paint]?.some((word) => words.includes(word))) ?? null;
}

/** The colour and pattern of its side, by the sides of all on the table; none while there are not two. */
export function sideClass(m: OnASide, table: { readonly miniatures: readonly OnASide[] }): string {
  return paintOf(m.side, sidesOn(table));
}

/** Two letters of a name, or one and the number that it ends with: what fits on a base. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s\-_]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const number = /^\d+$/.test(words.at(-1) ?? "") && words.length > 1 ? words.pop() : undefined;
  const letters = words.length > 1 ? words.map((word) => word[0]).join("") : (words[0] ?? "");
  return (number === undefined ? letters.slice(0, MOST_LETTERS) : `${letters.slice(0, 1)}${number}`).toUpperCase();
}
