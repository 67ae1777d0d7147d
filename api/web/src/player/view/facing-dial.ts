/** Facing dial: players tell a facing that the camera cannot see; everybody hears of it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Actions } from "../actions";
import { directionTo } from "../../shared/geometry";
import { miniature, type State } from "../state";
import { membersOf } from "../unit-manoeuvre";
import type { AnsweredLine } from "../../shared/format";
import type { DrawnMiniature } from "../../shared/types.gen";
import { SAY } from "../../shared/strings";

const NUDGE_DEG = 30;

/** The choices for those of the pair whose facing this answer lacks, or whose facing was told. */
export function facingDial(line: AnsweredLine, state: State, actions: Actions): TemplateResult | typeof nothing {
  const [a, b] = [miniature(state, state.a), miniature(state, state.b)];
  if (!a || !b) return nothing;
  const isOpen = (m: DrawnMiniature) => line.verdict.needs.includes(`facing_deg of ${m.id}`) || isTold(m);
  const isTold = (m: DrawnMiniature) => line.told.some((fact) => fact.kind === "facing" && membersOf(state, m.id).some((one) => fact.ids.includes(one.id)));
  return html`${isOpen(a) ? choice("A", a, "B", b, actions) : nothing}${isOpen(b) ? choice("B", b, "A", a, actions) : nothing}`;
}

function choice(name: string, who: DrawnMiniature, otherName: string, other: DrawnMiniature, actions: Actions): TemplateResult {
  const toward = directionTo(who.at_mm, other.at_mm);
  const turnBy = (by: number) => void actions.tellFacing(who.id, (who.facing_deg ?? toward) + by);
  return html`<div class="chips facings" role="group" aria-label=${SAY.whichFacing(name)}>
    <button @click=${() => void actions.tellFacing(who.id, toward)}>${SAY.faceToward(name, otherName)}</button>
    <button @click=${() => void actions.tellFacing(who.id, toward + 180)}>${SAY.faceAway(name)}</button>
    <button ?disabled=${who.facing_deg === null} @click=${() => turnBy(NUDGE_DEG)} aria-label=${SAY.turnLeft(name)}>↺</button>
    <button ?disabled=${who.facing_deg === null} @click=${() => turnBy(-NUDGE_DEG)} aria-label=${SAY.turnRight(name)}>↻</button>
  </div>`;
}
