"""Heading intervals: an interval of headings, and the headings and points at which it can end.

A base that slides meets another exactly where its centre meets the other widened by the first. Whether a heading is
good changes only where the move grazes such a widened outline or where two of them meet: all of them are crossings of
circles and lines, so the intervals are exact.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from models.vocabulary import Point
from referee.geometry.circle_intersection import bearing, circle_meets_rim
from referee.geometry.shapes import RoundedShape


@dataclass(frozen=True)
class HeadingInterval:
    """A closed interval of headings, `first_rad` to `last_rad` anticlockwise."""

    first_rad: float
    last_rad: float

    @property
    def width_rad(self) -> float:
        return (self.last_rad - self.first_rad) % math.tau


def grazing_headings(start: Point, outline: RoundedShape) -> Iterator[float]:
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


def rim_intersections(a: RoundedShape, b: RoundedShape) -> Iterator[Point]:
    """Where the rims of two outlines cross, and some points beside."""
    for outline, other in ((a, b), (b, a)):
        for x, y in outline.points:
            for angle in circle_meets_rim((x, y), outline.radius_mm, other, other.radius_mm):
                yield (x + outline.radius_mm * math.cos(angle), y + outline.radius_mm * math.sin(angle))
    for p, q in _sides(a):
        for u, v in _sides(b):
            yield from _intersect_segments(p, q, u, v)


def _sides(outline: RoundedShape) -> Iterator[tuple[Point, Point]]:
    """The sides of the rim: the outline's, moved out by it."""
    for (ax, ay), (bx, by) in outline.edges():
        length = math.dist((ax, ay), (bx, by)) or 1.0
        nx, ny = (by - ay) / length * outline.radius_mm, (ax - bx) / length * outline.radius_mm
        yield (ax + nx, ay + ny), (bx + nx, by + ny)


def _intersect_segments(p: Point, q: Point, u: Point, v: Point) -> Iterator[Point]:
    dx, dy, ex, ey = q[0] - p[0], q[1] - p[1], v[0] - u[0], v[1] - u[1]
    cross = dx * ey - dy * ex
    if cross != 0:
        t = ((u[0] - p[0]) * ey - (u[1] - p[1]) * ex) / cross
        if -1e-9 <= t <= 1 + 1e-9:
            yield (p[0] + t * dx, p[1] + t * dy)
