"""Corridor: the hull of two bases, where every line from one to the other runs."""

import math
from collections.abc import Callable, Iterator

from models.vocabulary import Point
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape, convex_hull

_RIM_SIDES = 180


def depth_in_corridor(a: RoundedShape, b: RoundedShape, area: Area) -> float:
    """How deep an area reaches into the corridor; negative by how far it stays out. Exact between two discs."""
    if not area.parts:
        return -math.inf
    return max(_depth(a, b, part) for part in area.parts)


def _depth(a: RoundedShape, b: RoundedShape, part: RoundedShape) -> float:
    if not (a.is_disc() and b.is_disc()):
        return -gap(corridor_hull(a, b), part).mm
    if part.is_disc():
        return part.radius_mm - distance_outside(a, b)(part.points[0])
    return min(_exit_distance_mm(a, b, part, n) for n in _exit_directions(a, b, part))


def _exit_distance_mm(a: RoundedShape, b: RoundedShape, part: RoundedShape, n: Point) -> float:
    """How far a part would have to go along a direction to leave the corridor; negative when it is clear already."""
    return max(a.support(n), b.support(n)) + part.support((-n[0], -n[1]))


def _exit_directions(a: RoundedShape, b: RoundedShape, part: RoundedShape) -> Iterator[Point]:
    """The directions of which one parts the two soonest: square to an edge of either, or from a rim to a corner."""
    for (px, py), (qx, qy) in part.edges():
        if length := math.hypot(qx - px, qy - py):
            yield (py - qy) / length, (qx - px) / length  # into an anticlockwise part, out of the corridor
    for disc in (a, b):
        (cx, cy) = disc.points[0]
        for x, y in part.points:
            if away := math.hypot(x - cx, y - cy):
                yield (x - cx) / away, (y - cy) / away
    yield from _tangent_normals(a, b)


def _tangent_normals(a: RoundedShape, b: RoundedShape) -> Iterator[Point]:
    (ax, ay), (bx, by) = a.points[0], b.points[0]
    apart, shrinks = math.dist((ax, ay), (bx, by)), a.radius_mm - b.radius_mm
    if apart <= abs(shrinks):
        return
    ux, uy, along = (bx - ax) / apart, (by - ay) / apart, shrinks / apart
    across = math.sqrt(1.0 - along * along)
    yield along * ux - across * uy, along * uy + across * ux
    yield along * ux + across * uy, along * uy - across * ux


def distance_outside(a: RoundedShape, b: RoundedShape) -> Callable[[Point], float]:
    """How far points lie outside the hull of two discs; negative by how deep inside."""
    (ax, ay), (bx, by), radius = a.points[0], b.points[0], a.radius_mm
    apart, grows = math.dist((ax, ay), (bx, by)), b.radius_mm - radius
    if apart <= abs(grows):  # one disc holds the other
        big = a if grows < 0 else b
        return lambda p: math.dist(p, big.points[0]) - big.radius_mm
    ux, uy = (bx - ax) / apart, (by - ay) / apart
    slope = grows / apart
    leans = math.sqrt(1.0 - slope * slope)

    def outside(p: Point) -> float:
        along, across = (p[0] - ax) * ux + (p[1] - ay) * uy, abs((p[0] - ax) * -uy + (p[1] - ay) * ux)
        at = min(apart, max(0.0, along + across * slope / leans))
        return math.hypot(along - at, across) - (radius + slope * at)

    return outside


def corridor_hull(a: RoundedShape, b: RoundedShape) -> RoundedShape:
    """The hull of two bases as one outline; rims become many-sided."""
    return RoundedShape(convex_hull([*_rim_points(a), *_rim_points(b)]))


def _rim_points(shape: RoundedShape) -> list[Point]:
    if shape.radius_mm == 0:
        return list(shape.points)
    turns = [math.tau * k / _RIM_SIDES for k in range(_RIM_SIDES)]
    return [
        (x + shape.radius_mm * math.cos(t), y + shape.radius_mm * math.sin(t)) for x, y in shape.points for t in turns
    ]
