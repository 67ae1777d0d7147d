"""Placement: whether a model may be put there by a rule."""

from dataclasses import replace

from models.queries import Placement
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.miniatures.base_state import is_colossus
from referee.editions.warmachine.movement.placement_clearance import (
    ROOM,
    clearance_of_bases,
    clearance_of_edge,
    clearance_of_terrain,
)
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.setup.deployment import place
from referee.geometry.distance import area_gap
from referee.rules.candidates import is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_RANGE = because("Placed", 36, "It is placed where the rule that places it says.")
_FORMED = because("Placed", 36, "A trooper in formation is placed in formation, the commander aside.")
_NEVER = because("Colossal Movement", 67, "A colossal or gargantuan can never be placed.")


def placement(table: ExactTable, query: Placement) -> RuleResult:
    """Placement: whether it may stand, or be placed, there. Source: Placed, p. 36; Colossal Movement, p. 67."""
    there = place(table, query.mover, query.to)
    clauses: list[tuple[str, RuleResult]] = [
        ("bases", clearance_of_bases(there, query.mover)),
        ("terrain", clearance_of_terrain(there, query.mover)),
        ("table", clearance_of_edge(there, query.mover)),
    ]
    if query.manner == "placed":
        clauses.append(("kind", _check_placeable(there, query.mover)))
        clauses.append(("formation", _check_still_formed(table, there, query.mover)))
    if query.range_in is not None and query.of is not None:
        clauses.append(("range", _check_range(there, query, inches(query.range_in))))
    result = all_of(tuple(clauses))
    base = there.base(query.mover)
    spot = Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=(query.mover,))
    return replace(result, witness=(spot,), because=result.because or (ROOM,))


def _check_placeable(table: ExactTable, mover: str) -> RuleResult:
    """Source: Colossal Movement, p. 67; Gargantuan Movement, p. 99."""
    never = is_colossus(table.miniature(mover))
    return RuleResult(
        margin_mm=-CAPPED_MM if never else CAPPED_MM, because=(_NEVER,) if never else (), depends_on_place=(mover,)
    )


def _check_still_formed(before: ExactTable, there: ExactTable, mover: str) -> RuleResult:
    """Source: Placed, p. 36: who is in formation stays in it, the commander aside."""
    was = check_formation(before, mover)
    if was.status == "unknown" or not is_met(was, "was in formation with"):
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(mover,))
    now = check_formation(there, mover)
    alone = now.margin_mm is None or now.margin_mm >= CAPPED_MM
    return replace(now, because=() if alone else (_FORMED,))


def _check_range(table: ExactTable, query: Placement, limit: float) -> RuleResult:
    """Source: Placed, p. 36; Measuring Distances, p. 12."""
    of = str(query.of)
    apart = max(0.0, area_gap(table.area(of), table.area(query.mover)).mm)
    return RuleResult(margin_mm=limit - apart, because=(_RANGE,), depends_on_place=(query.mover, of))
