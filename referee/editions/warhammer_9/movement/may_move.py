"""May move: which moves and marches are left to a unit after what it did this turn."""

from typing import Literal

from pydantic import JsonValue

from models.queries import March, MayMove
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.leadership.inspiring_presence import command_doubts, manoeuvre_chance
from referee.editions.warhammer_9.movement.movement_dice import MARCH_FACTOR, flying_march_mm, speed_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
)
from referee.editions.warhammer_9.units.unit_strength import has_charged, this_turn_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_ONCE = because("Moving Your Units", 15, "Each unit moves once; what it did already bars what it may still do.")
Act = Literal["move", "march", "reform", "free-reform"]
# What of `moved` bars each act. Source: Reform, p. 16; Marching, p. 23; Swift Reform, p. 80; Skirmishers, p. 64-65.
_WHOLE_MOVES = frozenset({"march", "reform", "flee"})
_BARRED_BY_MOVES: dict[Act, frozenset[str]] = {
    "move": _WHOLE_MOVES,
    "march": _WHOLE_MOVES | {"swift-reform", "reinforced"},
    "reform": _WHOLE_MOVES | {"swift-reform", "advance"},
    "free-reform": frozenset({"flee"}),
}
_MARCH = because("Marching", 23, "Twice the Movement; an enemy within 8 in at the start calls for a Leadership test.")


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
    text = f"{name_of(table, id_)} may {', '.join(left)}." if left else f"No move is left to {name_of(table, id_)}."
    value: dict[str, JsonValue] = {
        "may": [*left],
        "barred": {act: [*dict.fromkeys(why)] for act, why in barred.items()},
    }
    return RuleResult(
        margin_mm=CAPPED_MM if left else -CAPPED_MM,
        value=value,
        because=(with_effect(table, _ONCE, text),),
        readings=("reserve-depth",),
        outcome_house_rules=("reserve-depth",) if "reinforced" in this_turn_of(table, id_).moved else (),
        depends_on_place=members_of(table, id_)[:1],
    )


def is_placement_final(table: ExactTable) -> bool:
    """Whether units that came on may not move after they are placed. Source: Reinforcements, p. 24."""
    return table.reading("reserve-depth") == "placement"


def why_may_not(table: ExactTable, id_: str, act: Act) -> list[str]:
    """What the unit did or is that bars the act; empty where it may.

    Source: Declare Charges and Failed Charge, p. 16, 21; Reform, p. 16; Fleeing and Rallying, p. 23-24; p. 80.
    """
    deeds = this_turn_of(table, id_)
    bars = ["fleeing"] * ("fleeing" in leading_miniature(table, id_).status)
    bars += ["engaged"] * (act in ("move", "march") and bool(engaged_with(table, id_)))
    bars += ["charge-failed"] * deeds.charge_failed
    bars += ["charged"] * (has_charged(deeds) and not deeds.charge_failed)
    bars += ["rallied"] * (deeds.rallied and act in ("move", "march"))
    came = "reinforced" in deeds.moved and act in ("move", "reform", "free-reform")
    bars += ["reinforced"] * (came and is_placement_final(table))
    return bars + [moved for moved in deeds.moved if moved in _BARRED_BY_MOVES[act]]


def march(table: ExactTable, query: March) -> RuleResult:
    """March: whether a unit marches without a test. Source: Marching, p. 23; Flying March, p. 59."""
    speed = speed_mm(table, query.mover)
    every = [id_ for id_ in all_regiments(table) if not are_friends(table, query.mover, id_)]
    foes = [id_ for id_ in every if "fleeing" not in leading_miniature(table, id_).status]
    distances = [(closest_bases(table, query.mover, id_), id_) for id_ in foes]
    between, nearest = min(distances, key=lambda pair: pair[0].mm, default=(None, None))
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
    bars = [kind_of(first)] * (kind_of(first) in ("chariot", "war-machine"))
    return [*bars, *["random-movement"] * first.has("random-movement"), *why_may_not(table, mover, "march")]
