"""The corridor between two bases: the hull of both, where every line from one to the other runs."""

import math
from collections.abc import Callable, Iterator

from models.words import Point
from referee.gaps import gap
from referee.shapes import Area, Rounded

_RIM_SIDES = 180


def depth_in_corridor(a: Rounded, b: Rounded, area: Area) -> float:
    """How deep an area reaches into the corridor; negative by how far it stays out. Exact between two discs."""
    if not area.parts:
        return -math.inf
    return max(_depth(a, b, part) for part in area.parts)


def _depth(a: Rounded, b: Rounded, part: Rounded) -> float:
    if not (a.is_disc() and b.is_disc()):
        return -gap(hull(a, b), part).mm
    if part.is_disc():
        return part.radius_mm - beyond(a, b)(part.points[0])
    return min(_pushed_out_mm(a, b, part, n) for n in _ways_out(a, b, part))


def _pushed_out_mm(a: Rounded, b: Rounded, part: Rounded, n: Point) -> float:
    """How far a part would have to go along a direction to leave the corridor; negative when it is clear already."""
    return max(a.support(n), b.support(n)) + part.support((-n[0], -n[1]))


def _ways_out(a: Rounded, b: Rounded, part: Rounded) -> Iterator[Point]:
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


def _tangent_normals(a: Rounded, b: Rounded) -> Iterator[Point]:
    (ax, ay), (bx, by) = a.points[0], b.points[0]
    apart, shrinks = math.dist((ax, ay), (bx, by)), a.radius_mm - b.radius_mm
    if apart <= abs(shrinks):
        return
    ux, uy, along = (bx - ax) / apart, (by - ay) / apart, shrinks / apart
    across = math.sqrt(1.0 - along * along)
    yield along * ux - across * uy, along * uy + across * ux
    yield along * ux + across * uy, along * uy - across * ux


def beyond(a: Rounded, b: Rounded) -> Callable[[Point], float]:
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


def hull(a: Rounded, b: Rounded) -> Rounded:
    """The hull of two bases as one outline; rims become many-sided."""
    return Rounded(_hull_of([*_rim(a), *_rim(b)]))


def _rim(shape: Rounded) -> list[Point]:
    if shape.radius_mm == 0:
        return list(shape.points)
    turns = [math.tau * k / _RIM_SIDES for k in range(_RIM_SIDES)]
    return [
        (x + shape.radius_mm * math.cos(t), y + shape.radius_mm * math.sin(t)) for x, y in shape.points for t in turns
    ]


def _hull_of(points: list[Point]) -> tuple[Point, ...]:
    """The convex outline of points, anticlockwise (monotone chain)."""
    ordered = sorted(set(points))
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return tuple(lower[:-1] + upper[:-1]) if len(ordered) > 2 else tuple(ordered)


def _chain(ordered: list[Point]) -> list[Point]:
    chain: list[Point] = []
    for p in ordered:
        while len(chain) > 1 and _turns_right(chain[-2], chain[-1], p):
            chain.pop()
        chain.append(p)
    return chain


def _turns_right(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0
