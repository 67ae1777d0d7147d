/** Airtime of verdicts: which is on air at an instant, from the server's board alone, so a refresh shows the same. */

import type { Params } from "./url-params";
import type { Board, OnAirItem } from "../shared/types.gen";

export interface Airtime {
  readonly item: OnAirItem;
  readonly since_s: number;
  /** null: until it is taken off */
  readonly until_s: number | null;
}

/** What an overlay shows at `now_s` by the server's clock; the newest wins. */
export function airtimeAt(board: Board, now_s: number, params: Params): Airtime | null {
  const then_s = now_s - params.delay_s;
  const all = board.items.flatMap((item) => airtimesOf(item, board, params));
  return all.filter((one) => one.since_s <= then_s && (one.until_s === null || then_s < one.until_s)).at(-1) ?? null;
}

/** A verdict is shown when it is put on air, unless players could be coached by it, and once more when it is resolved. */
function airtimesOf(item: OnAirItem, { production }: Board, params: Params): Airtime[] {
  const isHeldBack = production.hide_until_resolved || params.onlyResolved;
  const begins = [isHeldBack ? null : item.at_s, item.resolved_at_s].filter((one) => one !== null);
  const stays_s = params.stays_s ?? production.stays_s;
  return begins.map((since_s) => {
    const ends = item.stays ? null : since_s + stays_s;
    const off = item.off_at_s !== null && item.off_at_s >= since_s ? item.off_at_s : null;
    return { item, since_s, until_s: off === null ? ends : Math.min(off, ends ?? off) };
  });
}
