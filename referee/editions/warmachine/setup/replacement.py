"""Replacement: whether another base fits where a model stood."""

from dataclasses import replace

from models.base import RoundBase
from models.queries import Replacement
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.movement.placement_clearance import ROOM
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, disc
from referee.rules.candidates import in_play
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_REPLACE = because("Replacing Models", 36, "The smaller of the two bases lies completely within the larger.")
_SAME = because("Replacing Models", 36, "A base of the same size takes exactly the old one's place.")


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
