/** One tab stop for a list: arrow keys, Home and End go over its buttons, and who had the focus last keeps the stop. */

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** Whether the button on this row of a list has the stop before anybody has been there. */
export function stopOf(row: number): 0 | -1 {
  return row === 0 ? 0 : -1;
}

export function goThrough(event: KeyboardEvent): void {
  const by = STEPS[event.key];
  const buttons = buttonsOf(event);
  const here = buttons.findIndex((one) => one === event.target);
  if (by === undefined || here < 0) return;
  event.preventDefault();
  buttons[Math.max(0, Math.min(buttons.length - 1, here + by))]?.focus();
}

export function keepStop(event: FocusEvent): void {
  for (const one of buttonsOf(event)) one.tabIndex = one === event.target ? 0 : -1;
}

function buttonsOf({ currentTarget }: Event): readonly HTMLElement[] {
  return [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>("li > button")];
}
