"""Passages: what a moving base comes to and leaves, what it slips between, and where it may end."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from models.words import Point
from referee.gaps import gap
from referee.motion import lengths_within
from referee.shapes import Area, Rounded
from referee.wheels import turns_within


@dataclass(frozen=True)
class Visit:
    """Something a base was within reach of on its way: from when until when, and whether that is start or end."""

    id: str
    enters: float
    leaves: float
    from_start: bool
    to_end: bool


Reaches = Iterable[tuple[str, Area, float]]
"""Who, where, and within how many millimetres of it one is in its reach."""


def visits_along(mover: Rounded, path: tuple[Point, ...], others: Reaches) -> list[Visit]:
    """Whose reach a base enters and leaves on a path of its centre, by travel, in the order in which it enters."""
    whole = sum(math.dist(path[k], path[k + 1]) for k in range(len(path) - 1))
    return _visits(((id_, lengths_within(mover, path, area, reach)) for id_, area, reach in others), whole)


def visits_turning(mover: Rounded, pivot: Point, by_rad: float, others: Reaches) -> list[Visit]:
    """Whose reach a base enters and leaves as it turns about a point, by radians turned."""
    spans = ((id_, turns_within(mover, pivot, by_rad, area, reach)) for id_, area, reach in others)
    return _visits(spans, abs(by_rad))


def _visits(found: Iterable[tuple[str, list[tuple[float, float]]]], whole: float) -> list[Visit]:
    visits = [
        Visit(id_, first, last, from_start=first <= 1e-9, to_end=last >= whole - 1e-9)
        for id_, spans in found
        for first, last in spans
    ]
    return sorted(visits, key=lambda visit: (visit.enters, visit.leaves))


def free_width(a: Rounded, b: Rounded) -> float:
    """The width of the passage between two things; what fits is at most as wide."""
    return gap(a, b).mm


def room_between(mover: Rounded, way: Point, a: Rounded, b: Rounded) -> float:
    """By how much the passage between two things is wider than a base that slides through along `way`.

    Negative by what is missing. The base keeps its heading, so a long one may fit one way and not the other.
    """
    across = (-way[1], way[0])
    widths = [_extent(a, across), _extent(b, across)]
    low, high = min(widths, key=lambda w: w[0] + w[1]), max(widths, key=lambda w: w[0] + w[1])
    near, far = _extent(mover, across)
    return (high[0] - low[1]) - (far - near)


def _extent(shape: Rounded, direction: Point) -> tuple[float, float]:
    """Least and largest coordinate along a unit direction."""
    return -shape.support((-direction[0], -direction[1])), shape.support(direction)


def clearance(mover: Rounded, others: Iterable[Rounded]) -> float:
    """The least gap to anything: negative when the place is not free, infinite when there is nothing."""
    return min((gap(mover, other).mm for other in others), default=math.inf)


def clearance_on_table(mover: Rounded, width_mm: float, depth_mm: float) -> float:
    """How far the base stays inside the table; negative by how far it hangs over an edge."""
    (left, right), (near, far) = _extent(mover, (1.0, 0.0)), _extent(mover, (0.0, 1.0))
    return min(left, near, width_mm - right, depth_mm - far)
