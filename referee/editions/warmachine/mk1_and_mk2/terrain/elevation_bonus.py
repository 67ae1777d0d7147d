"""Elevation bonus: a target an inch higher is harder to hit."""

from pydantic import JsonValue

from models.queries import ElevationBonus
from models.verdict import CAPPED_MM
from referee.editions.warmachine.miniatures.base_state import elevation_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import HEIGHT_MM, because
from referee.editions.warmachine.mk1_and_mk2.terrain.ground_height import is_higher, straddler_doubts
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult

_BONUS = because(
    "Elevated Target", "A target on ground at least 1 in higher gains 2 DEF against ranged and magic attacks."
)
_MELEE = because("Elevated Target", "It counts against ranged and magic attacks only.")


def elevation_bonus(table: ExactTable, query: ElevationBonus) -> RuleResult:
    """Elevation bonus: whether the target stands an inch or more higher; exactly an inch does.

    Source: Elevated Target.
    """
    if query.attack == "melee":
        none: dict[str, JsonValue] = {"bonus": 0, "bonus_to": "defence"}
        return RuleResult(margin_mm=-CAPPED_MM, value=none, because=(_BONUS, _MELEE), depends_on_place=(query.target,))
    heights = {id_: elevation_mm(table, id_) for id_ in (query.attacker, query.target)}
    above = heights[query.target] - heights[query.attacker]
    threshold = HEIGHT_MM if table.reading("elevation-threshold") in ("one-inch", "over-one-inch") else 0.0
    earned = is_higher(table, query.target, query.attacker)
    who, other = name_of(table, query.target), name_of(table, query.attacker)
    how = f"{format_length(abs(above))} {'above' if above >= 0 else 'below'}"
    return RuleResult(
        margin_mm=above - threshold,
        zero_is_met=table.reading("elevation-threshold") == "one-inch",
        value={"bonus": 2 if earned else 0, "bonus_to": "defence", "heights": dict(heights)},
        lengths_mm={"above": above},
        because=(with_effect(table, _BONUS, f"{who} stands {how} {other}."),),
        readings=("elevation-threshold", "straddler-height"),
        doubtful=("elevation-threshold", *sorted(straddler_doubts(table, query.attacker, query.target))),
        depends_on_place=(query.attacker, query.target),
    )
