"""Fans: all headings in which a straight move brings a base into reach of another before anything stops it.

A base that slides meets another exactly where its centre meets the other widened by the first. Whether a heading is
good changes only where the move grazes such a widened outline, where two of them meet, or where the limit ends the move
on one: all of them are crossings of circles and lines, so the intervals are exact.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from models.units import wrapped_rad
from models.words import Point
from referee.circles import bearing, circle_meets_rim
from referee.motion import stretch_within
from referee.shapes import Rounded, disc, hull

_DUST_RAD = 1e-12
_TOUCH_MM = 1e-9


@dataclass(frozen=True)
class Fan:
    """A closed interval of headings, `first_rad` to `last_rad` anticlockwise."""

    first_rad: float
    last_rad: float

    @property
    def width_rad(self) -> float:
        return (self.last_rad - self.first_rad) % math.tau


def reaching_fans(
    mover: Rounded, target: Rounded, reach_mm: float, limit_mm: float, others: tuple[Rounded, ...] = ()
) -> list[Fan]:
    """The headings in which the base, keeping its facing, comes into reach; all round when it is in reach already."""
    start = (0.0, 0.0)
    goal = _widened(target, mover, reach_mm)
    if _travel_to(goal, 0.0) == _travel_to(goal, math.pi / 2) == _travel_to(goal, math.pi) == 0.0:
        return [Fan(-math.pi, math.pi)]
    stops = [_widened(other, mover, 0.0) for other in others]
    edges = sorted({wrapped_rad(angle) for angle in _edges(start, goal, limit_mm, stops)})
    fans: list[Fan] = []
    for first, last in zip(edges, [*edges[1:], edges[0] + math.tau] if edges else [], strict=True):
        if last - first > _DUST_RAD and _reaches(goal, limit_mm, stops, (first + last) / 2):
            if fans and math.isclose(fans[-1].last_rad, first, abs_tol=_DUST_RAD):
                fans[-1] = Fan(fans[-1].first_rad, last)
            else:
                fans.append(Fan(first, last))
    return fans


def _widened(other: Rounded, mover: Rounded, reach_mm: float) -> Rounded:
    """The outline that the mover's centre meets when the mover comes that close, as seen from the mover's centre."""
    cx, cy = mover.centre
    shape = [(bx - (ax - cx) - cx, by - (ay - cy) - cy) for bx, by in other.points for ax, ay in mover.points]
    return Rounded(hull(shape), mover.radius_mm + other.radius_mm + reach_mm)


def _edges(start: Point, goal: Rounded, limit: float, stops: Sequence[Rounded]) -> Iterator[float]:
    """Every heading at which something may change, and some at which nothing does."""
    for outline in (goal, *stops):
        yield from grazing(start, outline)
    yield from circle_meets_rim(start, limit, goal, goal.radius_mm)
    for a, b in combinations((goal, *stops), 2):
        yield from (bearing(start, p) for p in rims_meet(a, b))


def grazing(start: Point, outline: Rounded) -> Iterator[float]:
    """The headings from a point that graze an outline, and some that run along its sides."""
    for corner in outline.points:
        apart = math.dist(start, corner)
        if apart > outline.radius_mm:
            swing = math.asin(outline.radius_mm / apart)
            yield bearing(start, corner) + swing
            yield bearing(start, corner) - swing
        elif apart > 0:  # touching: only headings away from it leave at all
            yield bearing(start, corner) + math.pi / 2
            yield bearing(start, corner) - math.pi / 2
    for a, b in outline.edges():
        yield bearing(a, b)
        yield bearing(b, a)


def rims_meet(a: Rounded, b: Rounded) -> Iterator[Point]:
    """Where the rims of two outlines cross, and some points beside."""
    for outline, other in ((a, b), (b, a)):
        for x, y in outline.points:
            for angle in circle_meets_rim((x, y), outline.radius_mm, other, other.radius_mm):
                yield (x + outline.radius_mm * math.cos(angle), y + outline.radius_mm * math.sin(angle))
    for p, q in _sides(a):
        for u, v in _sides(b):
            yield from _lines_meet(p, q, u, v)


def _sides(outline: Rounded) -> Iterator[tuple[Point, Point]]:
    """The sides of the rim: the outline's, moved out by it."""
    for (ax, ay), (bx, by) in outline.edges():
        length = math.dist((ax, ay), (bx, by)) or 1.0
        nx, ny = (by - ay) / length * outline.radius_mm, (ax - bx) / length * outline.radius_mm
        yield (ax + nx, ay + ny), (bx + nx, by + ny)


def _lines_meet(p: Point, q: Point, u: Point, v: Point) -> Iterator[Point]:
    dx, dy, ex, ey = q[0] - p[0], q[1] - p[1], v[0] - u[0], v[1] - u[1]
    cross = dx * ey - dy * ex
    if cross != 0:
        t = ((u[0] - p[0]) * ey - (u[1] - p[1]) * ex) / cross
        if -1e-9 <= t <= 1 + 1e-9:
            yield (p[0] + t * dx, p[1] + t * dy)


def _reaches(goal: Rounded, limit: float, stops: Sequence[Rounded], heading: float) -> bool:
    needed = _travel_to(goal, heading)
    if needed is None or needed > limit:
        return False
    met = (_travel_to(stop, heading) for stop in stops)
    return all(after is None or after >= needed for after in met)


def _travel_to(outline: Rounded, heading: float) -> float | None:
    """The travel after which the centre comes to the outline; None when it never does or only leaves it."""
    span = stretch_within(disc((0.0, 0.0), 0.0), (math.cos(heading), math.sin(heading)), outline)
    if span is None or span[1] <= _TOUCH_MM:
        return None
    return max(0.0, span[0])
