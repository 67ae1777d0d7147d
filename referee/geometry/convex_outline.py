"""Convex outlines as points: cut by a line, and how much they hold."""

import math

from models.vocabulary import Point
from referee.geometry.shapes import RoundedShape, convex_hull, signed_area_mm2

_SIDES = 48


def outline_points(part: RoundedShape) -> tuple[Point, ...]:
    """The outline of a convex part as points; a polygon in place of a round one."""
    if not part.radius_mm:
        return part.points
    ways = [(math.cos(math.tau * k / _SIDES), math.sin(math.tau * k / _SIDES)) for k in range(_SIDES)]
    r = part.radius_mm
    return convex_hull([(x + r * c, y + r * s) for x, y in part.points for c, s in ways])


def area_mm2(points: tuple[Point, ...]) -> float:
    """Area of a polygon."""
    return abs(signed_area_mm2(points)) if len(points) > 2 else 0.0


def clip_half_plane(points: tuple[Point, ...], at: Point, inward: Point) -> tuple[Point, ...]:
    """The part of a convex outline on the inner side of a line."""
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
