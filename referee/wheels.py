"""Bases that turn about a point, as a unit does about a corner: what they meet, and for how much of the turn.

A turning base is at a given distance of something only where a corner of one of the two comes to that distance from a
corner or a side of the other. So all changes are known angles, and between two of them nothing changes.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from models.words import Point
from referee.circles import bearing, circle_meets_rim
from referee.gaps import gap
from referee.motion import joined, turned
from referee.shapes import Area, Rounded

_DUST_MM = 1e-9
_DUST_RAD = 1e-12


def turns_within(
    mover: Rounded, pivot: Point, by_rad: float, area: Area, reach_mm: float = 0.0
) -> list[tuple[float, float]]:
    """The stretches of a turn on which any part of the base is within the area or in reach of it, in radians turned."""
    return joined([span for part in area.parts for span in _spans(mover, pivot, by_rad, part, reach_mm)])


def contact_when_turning(
    mover: Rounded, pivot: Point, by_rad: float, others: Iterable[tuple[str, Area]]
) -> tuple[str, float] | None:
    """What a base meets first as it turns, and after how many radians; None when nothing. Touching is not meeting."""
    met = []
    for id_, area in others:
        firsts = (next(_spans(mover, pivot, by_rad, part, 0.0, overlapping=True), None) for part in area.parts)
        met += [(id_, first[0]) for first in firsts if first is not None]
    return min(met, key=lambda one: one[1]) if met else None


def wheeled_mm(mover: Rounded, pivot: Point, by_rad: float) -> float:
    """How far the outermost corner moves, along its arc."""
    return abs(by_rad) * max(math.dist(pivot, corner) for corner in mover.points)


def _spans(
    mover: Rounded, pivot: Point, by_rad: float, part: Rounded, reach_mm: float, *, overlapping: bool = False
) -> Iterator[tuple[float, float]]:
    sense, whole = math.copysign(1.0, by_rad), abs(by_rad)
    turns = {angle for angle in _changes(mover, pivot, sense, part, reach_mm) if angle < whole}
    limit = reach_mm - _DUST_MM if overlapping else reach_mm + _DUST_MM
    if whole <= _DUST_RAD and gap(mover, part).mm <= limit:  # it does not turn at all
        yield 0.0, whole
    for first, last in pairwise(sorted({0.0, whole, *turns})):
        if last - first > _DUST_RAD and gap(turned(mover, pivot, sense * (first + last) / 2), part).mm <= limit:
            yield first, last


def _changes(mover: Rounded, pivot: Point, sense: float, other: Rounded, reach_mm: float) -> Iterator[float]:
    """Turns at which a corner of one comes to that distance from a corner or side of the other."""
    radius = mover.radius_mm + other.radius_mm + reach_mm
    for corner in mover.points:
        start = bearing(pivot, corner)
        for angle in circle_meets_rim(pivot, math.dist(pivot, corner), other, radius):
            yield (sense * (angle - start)) % math.tau
    for corner in other.points:
        start = bearing(pivot, corner)
        for angle in circle_meets_rim(pivot, math.dist(pivot, corner), mover, radius):
            yield (-sense * (angle - start)) % math.tau
