/** Form fields: what is in a form when it is sent; the page stays where it is. */

export function fieldsOf(event: Event): FormData {
  event.preventDefault();
  return new FormData(event.currentTarget as HTMLFormElement);
}

/** The text in the field of this name. */
export function fieldOf(event: Event, name: string): string {
  return String(fieldsOf(event).get(name) ?? "");
}
