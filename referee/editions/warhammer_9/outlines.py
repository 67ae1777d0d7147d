"""Convex outlines as points: cut by a line, and how much they hold."""

import math

from models.words import Point
from referee.shapes import Rounded, hull, signed_area_mm2

_SIDES = 48


def rim(part: Rounded) -> tuple[Point, ...]:
    """The outline of a convex part as points; of a round one a polygon in its place."""
    if not part.radius_mm:
        return part.points
    ways = [(math.cos(math.tau * k / _SIDES), math.sin(math.tau * k / _SIDES)) for k in range(_SIDES)]
    r = part.radius_mm
    return hull([(x + r * c, y + r * s) for x, y in part.points for c, s in ways])


def area_mm2(points: tuple[Point, ...]) -> float:
    return abs(signed_area_mm2(points)) if len(points) > 2 else 0.0


def cut(points: tuple[Point, ...], at: Point, inward: Point) -> tuple[Point, ...]:
    """What of a convex outline lies on the inner side of a line."""
    kept: list[Point] = []
    far = [(x - at[0]) * inward[0] + (y - at[1]) * inward[1] for x, y in points]
    for k, (p, d) in enumerate(zip(points, far, strict=True)):
        before, was = points[k - 1], far[k - 1]
        if (d < 0) is not (was < 0):
            t = was / (was - d)
            kept.append((before[0] + t * (p[0] - before[0]), before[1] + t * (p[1] - before[1])))
        if d >= 0:
            kept.append(p)
    return tuple(kept)
