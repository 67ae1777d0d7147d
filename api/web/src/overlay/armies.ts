/** Armies: what each side still has of its list, as it was when the delayed picture was taken. */

import { html, nothing, type TemplateResult } from "lit";
import type { ListNaming } from "../shared/types.gen";
import { saidAt } from "./lower-third";
import type { State } from "./state";
import { words } from "./strings";
import type { Params } from "./url-params";

/** The newest units that are destroyed, by name; the others are a number. */
const MOST_NAMED = 4;

export interface Army {
  readonly side: string;
  readonly count: number;
  readonly left: number;
  /** of the points of its list; null: it tells of none */
  readonly total: number | null;
  readonly destroyed: number;
  readonly gone: readonly string[];
}

/** Each side that has a list, in the order in which they were laid. */
export function armiesOf({ units = [], points = [] }: ListNaming): readonly Army[] {
  const sides = [...new Set(units.flatMap((unit) => unit.side ?? []))];
  return sides.map((side) => {
    const own = units.filter((unit) => unit.side === side);
    const costs = points.find((one) => one.side === side);
    const count = own.reduce((sum, unit) => sum + unit.count, 0);
    const lost = own.reduce((sum, unit) => sum + Math.min(unit.casualties, unit.count), 0);
    const gone = own.filter((unit) => unit.is_destroyed).map((unit) => unit.name);
    return { side, count, left: count - lost, total: costs?.total ?? null, destroyed: costs?.destroyed ?? 0, gone };
  });
}

export function armies({ lists, now_s }: State, params: Params): TemplateResult | typeof nothing {
  const said = saidAt(lists, now_s - params.delay_s);
  const both = said === null ? [] : armiesOf(said).slice(0, 2);
  return both.length === 0 ? nothing : html`<aside class="armies" aria-label=${words.armies}>${both.map(army)}</aside>`;
}

function army({ side, count, left, total, destroyed, gone }: Army): TemplateResult {
  const more = gone.length - MOST_NAMED;
  return html`<section data-side=${side}><h2>${side}</h2>
    ${total === null ? nothing : html`<b>${words.pointsLeft(total - destroyed, total)}</b>
      <i style="--share: ${total > 0 ? (total - destroyed) / total : 0}"></i>`}
    <p>${words.modelsLeft(left, count)}</p>
    ${gone.length === 0 ? nothing : html`<small>${words.destroyed} ${gone.slice(-MOST_NAMED).join(", ")}${more > 0 ? ` +${more}` : ""}</small>`}</section>`;
}
