"""Obstacle contact: who fights over an obstacle, as if it were not there.

Those who touch an obstacle from opposite sides, one before the other, count as touching each other. Where it is thicker
than the inch that enemies keep, one of them must have charged the other this turn.
"""

import math
from dataclasses import dataclass

from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.units.regiment import are_friends, regiment_of
from referee.editions.warhammer_9.units.this_turn import has_charged, this_turn_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.memo import memoize
from referee.rules.switches import is_more_than


@dataclass(frozen=True)
class Contact:
    """How far two bases are from touching, over an obstacle or not; and what that hangs on."""

    mm: float
    depends_on: tuple[str, ...]
    over: str | None = None
    """The obstacle between them."""
    shared_mm: float = 0.0
    """Over an obstacle: how much of their width lies face to face."""


def contact_between(table: ExactTable, a: str, b: str) -> Contact:
    """The contact of two miniatures. Source: Obstacles and Combat, p. 95."""
    return contact_of_shape(table, a, table.base(a), b)


def contact_of_shape(table: ExactTable, a: str, shape: RoundedShape, b: str) -> Contact:
    """The contact of a part of one miniature with another. Source: Obstacles and Combat, p. 95."""
    base = table.base(b)
    found = Contact(gap(shape, base).mm, (a, b))
    for id_ in _obstacles(table):
        if found.mm > farthest_over_obstacles_mm(table) + 2 * table.state.contact_tolerance_mm:
            continue
        if not _may_fight_over(table, a, b, found.mm):
            continue
        for part in table.area(id_).parts:
            mm, shared = _gap_over(shape, base, part)
            if mm < found.mm:
                found = Contact(mm, (a, b, *table.movers_of(id_)), id_, shared)
    return found


def farthest_over_obstacles_mm(table: ExactTable) -> float:
    """How far apart two may stand that fight over an obstacle: as far as the thickest one; 0 without any."""
    return memoize(table.state, "thickest obstacle", lambda: _thickest_mm(table))


def _thickest_mm(table: ExactTable) -> float:
    parts = (part for id_ in _obstacles(table) for part in table.area(id_).parts)
    spans = (_span(part, _axes(part)[1]) for part in parts)
    return max((high - low for low, high in spans), default=0.0)


def _obstacles(table: ExactTable) -> list[str]:
    return [one.id for one in table.state.terrain if one.kind in parameters.OBSTACLE_KINDS]


def _may_fight_over(table: ExactTable, a: str, b: str, mm: float) -> bool:
    """Whether they stand closer than enemies may who do not fight, or one has charged the other."""
    mine, theirs = regiment_of(table, a), regiment_of(table, b)
    if are_friends(table, mine, theirs):
        return False
    if _has_charged(table, mine, theirs) or _has_charged(table, theirs, mine):
        return True
    return is_more_than(parameters.SPACING_MM, mm, "stands within an inch of", (a, b))


def _has_charged(table: ExactTable, unit: str, other: str) -> bool:
    deeds = this_turn_of(table, unit)
    return has_charged(deeds) and deeds.charged in (None, other)


def _axes(part: RoundedShape) -> tuple[Point, Point]:
    """Along an obstacle, and across it."""
    (ax, ay), (bx, by) = max(part.edges(), key=lambda edge: math.dist(*edge), default=((0.0, 0.0), (1.0, 0.0)))
    long = math.dist((ax, ay), (bx, by)) or 1.0
    along = ((bx - ax) / long, (by - ay) / long)
    return along, (-along[1], along[0])


def _span(shape: RoundedShape, axis: Point) -> tuple[float, float]:
    reach = [x * axis[0] + y * axis[1] for x, y in shape.points]
    return min(reach) - shape.radius_mm, max(reach) + shape.radius_mm


def _gap_over(a: RoundedShape, b: RoundedShape, part: RoundedShape) -> tuple[float, float]:
    """How far both are from touching an obstacle from opposite sides, one before the other; and their shared width."""
    along, across = _axes(part)
    (mine, theirs, middle) = (one.centre[0] * across[0] + one.centre[1] * across[1] for one in (a, b, part))
    if (mine - middle) * (theirs - middle) >= 0:
        return math.inf, 0.0
    (low, high), (other_low, other_high) = _span(a, along), _span(b, along)
    shared = min(high, other_high) - max(low, other_low)
    return max(gap(a, part).mm, gap(b, part).mm, -shared), max(0.0, shared)
