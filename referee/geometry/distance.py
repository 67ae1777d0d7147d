"""Distance edge to edge of two shapes or volumes, where they come closest, and how far a base reaches away."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from models.vocabulary import Point
from referee.geometry.shapes import Area, RoundedShape, disc, turn

_DUST_MM = 1e-6  # more than rounding makes of it


@dataclass(frozen=True)
class Gap:
    """Edge to edge; negative by how deep they overlap. `at_a` and `at_b` are the closest points."""

    mm: float
    at_a: Point
    at_b: Point


def gap(a: RoundedShape, b: RoundedShape) -> Gap:
    """The gap between two convex shapes."""
    if a.is_disc() and b.is_disc():
        return _gap_of_rims(a, b, a.points[0], b.points[0])
    if overlap := _core_overlap(a, b):
        return overlap
    return _gap_of_rims(a, b, *_closest_cores(a, b))


def area_gap(a: Area, b: Area) -> Gap:
    """The gap between two areas: that of their closest parts."""
    return min((gap(p, q) for p in a.parts for q in b.parts), key=lambda g: g.mm)


@dataclass(frozen=True)
class Volume:
    """An upright body, as wide as its base and as tall as told: an area from `low_mm` to `high_mm` above the table."""

    area: Area
    low_mm: float
    high_mm: float


def rise_mm(a: Volume, b: Volume) -> float:
    """The height between two volumes; zero when they share a level."""
    return max(0.0, a.low_mm - b.high_mm, b.low_mm - a.high_mm)


def apart_mm(plan_mm: float, rise: float) -> float:
    """The distance edge to edge of two volumes so far apart in plan and in height; overlap in plan is none there."""
    return math.hypot(max(0.0, plan_mm), rise)


def nearest_on_segment(p: Point, a: Point, b: Point) -> Point:
    """The point of the segment that is closest to p."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    if length2 == 0:
        return a
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2
    t = min(1.0, max(0.0, t))
    return (a[0] + t * dx, a[1] + t * dy)


def inside_mm(p: Point, outline: tuple[Point, ...]) -> float:
    """How deep a point lies inside a simple outline; negative when it is outside."""
    n = len(outline)
    away = min(math.dist(p, nearest_on_segment(p, outline[i - 1], outline[i])) for i in range(n))
    return away if _is_inside(p, outline) else -away


def _is_inside(p: Point, outline: tuple[Point, ...]) -> bool:
    inside = False
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        if (ay > p[1]) != (by > p[1]) and p[0] < (bx - ax) * (p[1] - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def _gap_of_rims(a: RoundedShape, b: RoundedShape, core_a: Point, core_b: Point) -> Gap:
    """The gap once both cores carry their rim."""
    apart = math.dist(core_a, core_b)
    if apart == 0:
        return Gap(-a.radius_mm - b.radius_mm, core_a, core_b)
    ux, uy = (core_b[0] - core_a[0]) / apart, (core_b[1] - core_a[1]) / apart
    at_a = (core_a[0] + ux * a.radius_mm, core_a[1] + uy * a.radius_mm)
    at_b = (core_b[0] - ux * b.radius_mm, core_b[1] - uy * b.radius_mm)
    return Gap(apart - a.radius_mm - b.radius_mm, at_a, at_b)


def _closest_cores(a: RoundedShape, b: RoundedShape) -> tuple[Point, Point]:
    """The closest points of two outlines that do not overlap: one of them is always a corner."""
    off_a, corner_a, foot_b = _closest_corner(a, b)
    off_b, corner_b, foot_a = _closest_corner(b, a)
    return (corner_a, foot_b) if off_a <= off_b else (foot_a, corner_b)


def _closest_corner(a: RoundedShape, b: RoundedShape) -> tuple[float, Point, Point]:
    """The corner of a that comes closest to a side of b: the distance squared, the corner, and the foot on the side.

    Written out, for most of what is asked about regiments comes down to it.
    """
    least, corner, foot = math.inf, a.points[0], b.points[0]
    for p in a.points:
        px, py = p
        for ax, ay, dx, dy, length2 in b.sides:
            t = ((px - ax) * dx + (py - ay) * dy) / length2 if length2 else 0.0
            t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
            x, y = ax + t * dx, ay + t * dy
            off2 = (px - x) * (px - x) + (py - y) * (py - y)
            if off2 < least:
                least, corner, foot = off2, p, (x, y)
    return least, corner, foot


def _sides(shape: RoundedShape) -> Iterable[tuple[Point, Point]]:
    return shape.edges() if not shape.is_disc() else ((shape.points[0], shape.points[0]),)


def _core_overlap(a: RoundedShape, b: RoundedShape) -> Gap | None:
    """The overlap of two outlines along the axis that parts them soonest, or None when they are apart."""
    if math.dist(a.centre, b.centre) > a.reach_mm - a.radius_mm + b.reach_mm - b.radius_mm + _DUST_MM:
        return None
    least, axis = math.inf, (1.0, 0.0)
    for nx, ny in (*a.axes, *b.axes):
        depth = max([x * nx + y * ny for x, y in a.points]) - min([x * nx + y * ny for x, y in b.points])
        if depth < 0:
            return None
        if depth < least:
            least, axis = depth, (nx, ny)
    if least is math.inf or (least == 0 and not _cores_touch(a, b)):
        return None
    at = RoundedShape(a.points).farthest_along(axis)
    return Gap(-least - a.radius_mm - b.radius_mm, at, (at[0] - axis[0] * least, at[1] - axis[1] * least))


def _cores_touch(a: RoundedShape, b: RoundedShape) -> bool:
    return math.dist(*_closest_cores(a, b)) == 0


def contains_point(outer: RoundedShape, p: Point) -> bool:
    """Whether the point lies in the shape, its rim included."""
    if math.dist(p, outer.centre) > outer.reach_mm:
        return False
    if len(outer.points) > 2 and all(turn(a, b, p) >= 0 for a, b in outer.edges()):
        return True
    near = min(math.dist(p, nearest_on_segment(p, *side)) for side in _sides(outer))
    return near <= outer.radius_mm


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
