"""Rotational sweep: what a base meets that turns about a point, as a unit does about a corner.

A turning base comes to touch something only where a corner of one of the two comes to a corner or a side of the other.
So all changes are known angles, and between two of them nothing changes.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from models.vocabulary import Point
from referee.geometry.circle_intersection import bearing, circle_meets_rim
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.sweep import rotate_shape

_DUST_MM = 1e-9
_DUST_RAD = 1e-12


def contact_when_turning(
    mover: RoundedShape, pivot: Point, by_rad: float, others: Iterable[tuple[str, Area]]
) -> tuple[str, float] | None:
    """What a base meets first as it turns, and after how many radians; None when nothing. Touching is not meeting."""
    met = []
    for id_, area in others:
        firsts = (next(_overlaps(mover, pivot, by_rad, part), None) for part in area.parts)
        met += [(id_, first[0]) for first in firsts if first is not None]
    return min(met, key=lambda contact: contact[1]) if met else None


def _overlaps(mover: RoundedShape, pivot: Point, by_rad: float, part: RoundedShape) -> Iterator[tuple[float, float]]:
    """The stretches of a turn on which the base overlaps the part, in radians turned."""
    sense, whole = math.copysign(1.0, by_rad), abs(by_rad)
    turns = {angle for angle in _changes(mover, pivot, sense, part) if angle < whole}
    if whole <= _DUST_RAD and gap(mover, part).mm <= -_DUST_MM:  # it does not turn at all
        yield 0.0, whole
    for first, last in pairwise(sorted({0.0, whole, *turns})):
        if (
            last - first > _DUST_RAD
            and gap(rotate_shape(mover, pivot, sense * (first + last) / 2), part).mm <= -_DUST_MM
        ):
            yield first, last


def _changes(mover: RoundedShape, pivot: Point, sense: float, other: RoundedShape) -> Iterator[float]:
    """Turns at which a corner of one comes to a corner or side of the other."""
    radius = mover.radius_mm + other.radius_mm
    for corner in mover.points:
        start = bearing(pivot, corner)
        for angle in circle_meets_rim(pivot, math.dist(pivot, corner), other, radius):
            yield (sense * (angle - start)) % math.tau
    for corner in other.points:
        start = bearing(pivot, corner)
        for angle in circle_meets_rim(pivot, math.dist(pivot, corner), mover, radius):
            yield (-sense * (angle - start)) % math.tau
