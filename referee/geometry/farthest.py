"""Farthest point: how far the whole of a base reaches away from something."""

import math

from models.vocabulary import Point
from referee.geometry.distance import Gap, area_gap, inside_mm
from referee.geometry.shapes import Area, RoundedShape, disc


def farthest(source: Area, base: Area) -> tuple[float, Point, Point]:
    """The largest distance of a point of the base from the source, and its two ends."""
    ends = [_far_end(source, part, corner) for part in base.parts for corner in part.points]
    return max(ends, key=lambda end: end[0])


def _far_end(source: Area, part: RoundedShape, corner: Point) -> tuple[float, Point, Point]:
    """How far one rounded corner reaches away from the source, the point that does, and the source's nearest one."""
    near = area_gap(source, Area((disc(corner, 0.0),)))
    mm = -inside_mm(corner, source.outline) if source.outline else near.mm
    ux, uy = _point_away(near, corner)
    reach = part.radius_mm
    return mm + reach, (corner[0] + ux * reach, corner[1] + uy * reach), near.at_a


def _point_away(near: Gap, corner: Point) -> Point:
    dx, dy = corner[0] - near.at_a[0], corner[1] - near.at_a[1]
    length = math.hypot(dx, dy)
    if length == 0:
        return (1.0, 0.0)
    sign = 1.0 if near.mm >= 0 else -1.0
    return (sign * dx / length, sign * dy / length)
