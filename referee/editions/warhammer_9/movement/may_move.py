"""May move: which moves are left to a unit after what it did this turn."""

from pydantic import JsonValue

from models.queries import MayMove
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.movement.march import why_may_not_march
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.may_move import why_may_not
from referee.editions.warhammer_9.units.regiment import is_skirmishing, leading_miniature, members_of
from referee.editions.warhammer_9.units.this_turn import this_turn_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import RuleResult

_ONCE = because("Moving Your Units", 15, "Each unit moves once; what it did already bars what it may still do.")


def may_move(table: ExactTable, query: MayMove) -> RuleResult:
    """May move: whether any move is left to a unit, and which.

    Source: Failed Charge, p. 21; Reform, p. 16; Rallying, p. 24; Marching, p. 23; Swift Reform, p. 80.
    """
    first, id_ = leading_miniature(table, query.mover), query.mover
    barred = {
        "move": why_may_not(table, id_, "move"),
        "march": why_may_not_march(table, id_),
        "reform": why_may_not(table, id_, "reform"),
    }
    if is_skirmishing(table, id_) or first.has("fast-cavalry"):
        barred["free-reform"] = why_may_not(table, id_, "free-reform")
    if first.has("random-movement"):
        barred = {act: [*why, "random-movement"] for act, why in barred.items()}
    left = [act for act, why in barred.items() if not why]
    told = f"{name_of(table, id_)} may {', '.join(left)}." if left else f"No move is left to {name_of(table, id_)}."
    value: dict[str, JsonValue] = {
        "may": [*left],
        "barred": {act: [*dict.fromkeys(why)] for act, why in barred.items()},
    }
    return RuleResult(
        margin_mm=CAPPED_MM if left else -CAPPED_MM,
        value=value,
        because=(with_effect(table, _ONCE, told),),
        readings=("reserve-depth",),
        outcome_house_rules=("reserve-depth",) if "reinforced" in this_turn_of(table, id_).moved else (),
        depends_on_place=members_of(table, id_)[:1],
    )
