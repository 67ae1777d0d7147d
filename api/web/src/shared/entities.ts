/** Entities that can be asked about at a table: units, and miniatures in none. */

interface Entity {
  readonly id: string;
  readonly unit: string | null;
}

export function everyone<M extends Entity>(table: { readonly units: readonly M[]; readonly miniatures: readonly M[] } | null): readonly M[] {
  return table ? [...table.units, ...table.miniatures.filter((m) => m.unit === null)] : [];
}
