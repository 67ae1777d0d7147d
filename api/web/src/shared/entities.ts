/** Entities that can be asked about at a table: units, and miniatures in none. */

interface Entity {
  readonly id: string;
  readonly unit: string | null;
}

export function everyone<M extends Entity>(table: { readonly units: readonly M[]; readonly miniatures: readonly M[] } | null): readonly M[] {
  return table ? [...table.units, ...table.miniatures.filter((m) => m.unit === null)] : [];
}

/** An id of that kind that nothing has yet. */
export function freeId(kind: string, others: readonly { readonly id: string }[]): string {
  const taken = new Set(others.map((one) => one.id));
  for (let i = 1; ; i++) if (!taken.has(`${kind}-${i}`)) return `${kind}-${i}`;
}

interface OnASide {
  readonly side: string | null;
}

/** The colour and pattern of its side, by the sides of all on the table; none while there are not two. */
export function sideClass(m: OnASide, { miniatures }: { readonly miniatures: readonly OnASide[] }): string {
  const sides = [...new Set(miniatures.map((one) => one.side).filter((side) => side !== null))].sort();
  return m.side === null || sides.length < 2 ? "" : `side-${Math.min(sides.indexOf(m.side), 2)}`;
}
