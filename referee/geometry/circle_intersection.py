"""Circle intersection: where circles meet circles and lines."""

import math
from collections.abc import Iterator

from models.vocabulary import Point
from referee.geometry.shapes import RoundedShape


def bearing(a: Point, b: Point) -> float:
    """The direction from one point to another."""
    return math.atan2(b[1] - a[1], b[0] - a[0])


def circle_meets_circle(p: Point, r: float, c: Point, s: float) -> Iterator[float]:
    """The directions from p in which the circle of radius r about it meets the circle of radius s about c."""
    apart = math.dist(p, c)
    if apart == 0 or r == 0 or apart > r + s or apart < abs(r - s):
        return
    swing = math.acos(max(-1.0, min(1.0, (apart * apart + r * r - s * s) / (2 * apart * r))))
    yield bearing(p, c) + swing
    yield bearing(p, c) - swing


def circle_meets_line(p: Point, r: float, a: Point, b: Point, offset: float) -> Iterator[float]:
    """The directions from p in which the circle about it meets the line a to b moved that far to its right."""
    length = math.dist(a, b)
    if length == 0 or r == 0:
        return
    normal = ((b[1] - a[1]) / length, (a[0] - b[0]) / length)
    away = (a[0] - p[0]) * normal[0] + (a[1] - p[1]) * normal[1] + offset
    if abs(away) <= r:
        toward, swing = math.atan2(normal[1], normal[0]), math.acos(away / r)
        yield toward + swing
        yield toward - swing


def circle_meets_rim(p: Point, r: float, outline: RoundedShape, radius: float) -> Iterator[float]:
    """The directions from p in which the circle about it may meet the rim that lies `radius` outside an outline.

    All of them, and some where the lines of that rim are met beyond their ends.
    """
    for c in outline.points:
        yield from circle_meets_circle(p, r, c, radius)
    for a, b in outline.edges():
        for side in (radius, -radius) if radius > 0 else (0.0,):
            yield from circle_meets_line(p, r, a, b, side)
