"""The corridor between two bases: the hull of both, where every line from one to the other runs."""

import math

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
    if a.is_disc() and b.is_disc():
        if part.is_disc():
            return part.radius_mm - beyond_mm(a, b, part.points[0])
        if a.radius_mm == b.radius_mm:
            return -gap(Rounded((a.points[0], b.points[0]), a.radius_mm), part).mm
    return -gap(hull(a, b), part).mm


def beyond_mm(a: Rounded, b: Rounded, p: Point) -> float:
    """How far a point lies outside the hull of two discs; negative by how deep inside."""
    (ax, ay), (bx, by) = a.points[0], b.points[0]
    apart, grows = math.dist((ax, ay), (bx, by)), b.radius_mm - a.radius_mm
    if apart <= abs(grows):  # one disc holds the other
        big = a if grows < 0 else b
        return math.dist(p, big.points[0]) - big.radius_mm
    ux, uy = (bx - ax) / apart, (by - ay) / apart
    along, across = (p[0] - ax) * ux + (p[1] - ay) * uy, abs((p[0] - ax) * -uy + (p[1] - ay) * ux)
    slope = grows / apart
    at = min(apart, max(0.0, along + across * slope / math.sqrt(1.0 - slope * slope)))
    return math.hypot(along - at, across) - (a.radius_mm + slope * at)


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
