/** Typed value: the value of a field, which no redraw takes from whoever is typing in it. */

import { noChange } from "lit";
import { directive, Directive, type ElementPart, type PartInfo, PartType, type PropertyPart } from "lit/directive.js";

class TypedValue extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.PROPERTY) throw new Error("a typed value is a property");
  }

  render(value: string): string {
    return value;
  }

  override update(part: ElementPart | PropertyPart, [value]: [string]): typeof noChange {
    const field = part.element as HTMLInputElement;
    if (document.activeElement !== field && field.value !== value) field.value = value;
    return noChange;
  }
}

/** `.value=${typed(value)}` of a field that tells each change: compared with what is shown, but never while it is in focus. */
export const typed = directive(TypedValue);
