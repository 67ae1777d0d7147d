"""May move: which moves and marches are left to a unit after what it did this turn."""

from pydantic import JsonValue

from models.queries import March, MayMove
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.leadership.inspiring_presence import command_doubts, manoeuvre_chance
from referee.editions.warhammer_9.movement.movement_dice import MARCH_FACTOR, flying_march_mm, speed_mm
from referee.editions.warhammer_9.movement.turn_ledger import LEDGER_READINGS, MOVES, ledger_doubts, ledger_of
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    is_loose,
    leading_miniature,
    members_of,
)
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_ONCE = because("Moving Your Units", 15, "Each unit moves once; what it did already bars what it may still do.")
_MARCH = because("Marching", 23, "Twice the Movement; an enemy within 8 in at the start calls for a Leadership test.")


def may_move(table: ExactTable, query: MayMove) -> RuleResult:
    """May move: whether any move is left to a unit, and which.

    Source: Failed Charge, p. 21; Reform, p. 16; Rallying, p. 24; Marching, p. 23; Swift Reform, p. 80.
    """
    id_ = query.mover
    acts = tuple(act for act in MOVES if act != "free-reform" or is_loose(table, id_))
    ledger = ledger_of(table, id_)
    left = [act for act in acts if not ledger.why_not(act)]
    text = f"{name_of(table, id_)} may {', '.join(left)}." if left else f"No move is left to {name_of(table, id_)}."
    return RuleResult(
        margin_mm=CAPPED_MM if left else -CAPPED_MM,
        value=ledger.value(acts),
        because=(with_effect(table, _ONCE, text), *ledger.rules_against(acts)),
        readings=(*LEDGER_READINGS.values(),),
        outcome_house_rules=ledger_doubts(table, id_),
        depends_on_place=members_of(table, id_)[:1],
    )


def march(table: ExactTable, query: March) -> RuleResult:
    """March: whether a unit marches without a test. Source: Marching, p. 23; Flying March, p. 59."""
    speed = speed_mm(table, query.mover)
    every = [id_ for id_ in all_regiments(table) if not are_friends(table, query.mover, id_)]
    foes = [id_ for id_ in every if "fleeing" not in leading_miniature(table, id_).status]
    distances = [(closest_bases(table, query.mover, id_), id_) for id_ in foes]
    between, nearest = min(distances, key=lambda pair: pair[0].mm, default=(None, None))
    mm = CAPPED_MM if between is None else max(0.0, between.mm)
    margin = mm - parameters.MARCH_BLOCK_MM if between is not None else CAPPED_MM
    barred = ledger_of(table, query.mover).why_not("march")
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
