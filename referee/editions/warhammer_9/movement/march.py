"""March: whether a unit may march, and whether it needs a Leadership test."""

from pydantic import JsonValue

from models.queries import March
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.leadership.inspiring_presence import command_doubts, manoeuvre_chance
from referee.editions.warhammer_9.movement.allowance import MARCH_FACTOR, flying_march_mm, speed_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.may_move import why_may_not
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, kind_of, leading_miniature
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_MARCH = because("Marching", 23, "Twice the Movement; an enemy within 8 in at the start calls for a Leadership test.")


def march(table: ExactTable, query: March) -> RuleResult:
    """March: whether a unit marches without a test. Source: Marching, p. 23; Flying March, p. 59."""
    speed = speed_mm(table, query.mover)
    every = [one for one in all_regiments(table) if not are_friends(table, query.mover, one)]
    foes = [one for one in every if "fleeing" not in leading_miniature(table, one).status]
    found = [(closest_bases(table, query.mover, one), one) for one in foes]
    between, nearest = min(found, key=lambda pair: pair[0].mm, default=(None, None))
    mm = CAPPED_MM if between is None else max(0.0, between.mm)
    margin = mm - parameters.MARCH_BLOCK_MM if between is not None else CAPPED_MM
    barred = why_may_not_march(table, query.mover)
    value: dict[str, JsonValue] = {"nearest": nearest, "barred": [*barred]}
    if speed is not None:
        value["allowance_mm"] = MARCH_FACTOR * speed
    if (flying := flying_march_mm(table, query.mover)) is not None:
        value["flying_allowance_mm"] = flying
    test = None if is_margin_met(margin, zero_is_met=False) else manoeuvre_chance(table, query.mover)
    if test is not None:
        value["chance"] = test
    return RuleResult(
        margin_mm=-CAPPED_MM if barred else margin,
        zero_is_met=False,
        value=value,
        lengths_mm={} if between is None else {"distance": mm},
        because=(
            with_effect(table, _MARCH, f"{nearest} is {format_length(mm)} away." if nearest else "No enemy is there."),
        ),
        readings=("unit-in-range", "garrison-edge"),
        outcome_house_rules=command_doubts(table, query.mover),
        depends_on_place=() if between is None else between.depends_on,
    )


def why_may_not_march(table: ExactTable, mover: str) -> list[str]:
    """Why it may not march whatever its Leadership. Source: p. 23-24, 64, 72, 80, 86, 93."""
    first = leading_miniature(table, mover)
    found = [kind_of(first)] * (kind_of(first) in ("chariot", "war-machine"))
    return [*found, *["random-movement"] * first.has("random-movement"), *why_may_not(table, mover, "march")]
