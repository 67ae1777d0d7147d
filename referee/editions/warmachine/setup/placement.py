"""Placement: where a base may be put, or replaced by another."""

from dataclasses import replace

from models.base import RoundBase
from models.queries import Placement, Replacement
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.miniatures.base_state import is_colossus
from referee.editions.warmachine.movement.least_disturbance import (
    ROOM,
    clearance_of_bases,
    clearance_of_edge,
    clearance_of_terrain,
)
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.setup.deployment import place
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import RoundedShape, disc
from referee.rules.candidates import in_play, is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_RANGE = because("Placed", 36, "It is placed where the rule that places it says.")
_FORMED = because("Placed", 36, "A trooper in formation is placed in formation, the commander aside.")
_NEVER = because("Colossal Movement", 67, "A colossal or gargantuan can never be placed.")
_REPLACE = because("Replacing Models", 36, "The smaller of the two bases lies completely within the larger.")
_SAME = because("Replacing Models", 36, "A base of the same size takes exactly the old one's place.")


def placement(table: ExactTable, query: Placement) -> RuleResult:
    """Placement: whether it may stand, or be placed, there. Source: Placed, p. 36; Colossal Movement, p. 67."""
    placed = place(table, query.mover, query.to)
    clauses: list[tuple[str, RuleResult]] = [
        ("bases", clearance_of_bases(placed, query.mover)),
        ("terrain", clearance_of_terrain(placed, query.mover)),
        ("table", clearance_of_edge(placed, query.mover)),
    ]
    if query.manner == "placed":
        clauses.append(("kind", _check_placeable(placed, query.mover)))
        clauses.append(("formation", _check_still_formed(table, placed, query.mover)))
    if query.range_in is not None and query.of is not None:
        clauses.append(("range", _check_range(placed, query, inches(query.range_in))))
    result = all_of(tuple(clauses))
    base = placed.base(query.mover)
    spot = Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=(query.mover,))
    return replace(result, witness=(spot,), because=result.because or (ROOM,))


def _check_placeable(table: ExactTable, mover: str) -> RuleResult:
    """Source: Colossal Movement, p. 67; Gargantuan Movement, p. 99."""
    never = is_colossus(table.miniature(mover))
    return RuleResult(
        margin_mm=-CAPPED_MM if never else CAPPED_MM, because=(_NEVER,) if never else (), depends_on_place=(mover,)
    )


def _check_still_formed(before: ExactTable, after: ExactTable, mover: str) -> RuleResult:
    """Source: Placed, p. 36: who is in formation stays in it, the commander aside."""
    was = check_formation(before, mover)
    if was.status == "unknown" or not is_met(was, "was in formation with"):
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(mover,))
    now = check_formation(after, mover)
    alone = now.margin_mm is None or now.margin_mm >= CAPPED_MM
    return replace(now, because=() if alone else (_FORMED,))


def _check_range(table: ExactTable, query: Placement, limit: float) -> RuleResult:
    """Source: Placed, p. 36; Measuring Distances, p. 12."""
    of = str(query.of)
    apart = max(0.0, area_gap(table.area(of), table.area(query.mover)).mm)
    return RuleResult(margin_mm=limit - apart, because=(_RANGE,), depends_on_place=(query.mover, of))


def replacement(table: ExactTable, query: Replacement) -> RuleResult:
    """Replacement: whether a base of another size may stand there in the old one's place.

    Source: Replacing Models, p. 36.
    """
    if not isinstance(query.base, RoundBase):
        return RuleResult(status="refused", because=(_REPLACE,), advice="Prime's bases are round; tell a diameter.")
    old, new = table.base(query.mover), disc(query.to.at_mm, query.base.radius_mm)
    shift = gap(RoundedShape((old.centre,)), RoundedShape((new.centre,))).mm
    same = abs(old.radius_mm - new.radius_mm) < 1e-9
    tolerance = table.state.still_tolerance_mm if same else 0.0
    fits = RuleResult(
        margin_mm=abs(old.radius_mm - new.radius_mm) - shift + tolerance,
        because=(_SAME if same else _REPLACE,),
        depends_on_place=(query.mover,),
    )
    result = all_of((("within", fits), ("room", _check_room(table, query.mover, new))))
    return replace(result, witness=tuple(_draw_rim(at, radius) for at, radius in _rings_of(old, new)), readings=())


def _check_room(table: ExactTable, mover: str, new: RoundedShape) -> RuleResult:
    """Source: Replacing Models, p. 36: there has to be room for the new base."""
    apart = [(gap(new, table.base(id_)).mm, id_) for id_ in in_play(table, mover)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    has_room = is_at_least(least, -table.state.contact_tolerance_mm, "leaves room for", (nearest, mover))
    margin = CAPPED_MM if has_room else least
    return RuleResult(margin_mm=margin, because=(ROOM,), depends_on_place=(mover, nearest))


def _rings_of(old: RoundedShape, new: RoundedShape) -> tuple[tuple[Point, float], ...]:
    return ((old.centre, old.reach_mm), (new.centre, new.reach_mm))


def _draw_rim(at: Point, radius: float) -> Witness:
    return Witness(type="circle", role="limit", centre_mm=at, radius_mm=radius)
