"""Rally: who may stop fleeing, and where it looks then."""

import math
from dataclasses import replace

from models.queries import Rally
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.command import rally as later
from referee.geometry.distance import gap
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rivals import first_of
from referee.rules.rule_result import RuleResult
from referee.rules.sides import are_enemies

_TURNS = because("Rallying, Prime p. 58", "Who rallies turns to its nearest enemy.")


def rally(table: ExactTable, query: Rally) -> RuleResult:
    """Rally: whether it may rally, and where it looks then. Source: Rallying, Prime p. 58; Remix p. 76."""
    me, result = table.miniature(query.who), later.rally(table, query)
    if "fleeing" not in me.status:
        return replace(result, value={"facing_deg": None})
    foes = [o for o in in_play(table, me.id) if are_enemies(table.state, me, table.miniature(o))]
    nearest = first_of({o: gap(table.base(me.id), table.base(o)).mm for o in foes}, also=(me.id,))
    told = "Nobody is there to turn to." if nearest is None else f"It turns to {name_of(table, nearest)}."
    on = tuple(dict.fromkeys((*result.depends_on_place, *([nearest] if nearest else []))))
    return replace(
        result,
        value={"facing_deg": None if nearest is None else _bearing_deg(table, me.id, nearest)},
        because=(*result.because, with_effect(table, _TURNS, told)),
        depends_on_place=on,
    )


def _bearing_deg(table: ExactTable, who: str, other: str) -> float:
    (x, y), (ox, oy) = table.centre(who), table.centre(other)
    return math.degrees(math.atan2(oy - y, ox - x)) % 360.0
