"""Flat shapes: convex outlines with a rounded rim, and areas made of them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from models.vocabulary import Point
from referee.cached_attribute import cached_attribute


@dataclass(frozen=True)
class RoundedShape:
    """A convex outline, anticlockwise, thickened by `radius_mm`: a point, disc, segment, polygon or grown polygon."""

    points: tuple[Point, ...]
    radius_mm: float = 0.0

    @cached_attribute
    def centre(self) -> Point:
        n = len(self.points)
        return (sum(x for x, _ in self.points) / n, sum(y for _, y in self.points) / n)

    @cached_attribute
    def reach_mm(self) -> float:
        """How far the farthest point lies from the centre."""
        return max(math.dist(self.centre, p) for p in self.points) + self.radius_mm

    def support(self, direction: Point) -> float:
        """The largest coordinate of the shape along a unit direction."""
        dx, dy = direction
        return max(x * dx + y * dy for x, y in self.points) + self.radius_mm

    def farthest_along(self, direction: Point) -> Point:
        """The point that `support` measures."""
        dx, dy = direction
        x, y = max(self.points, key=lambda p: p[0] * dx + p[1] * dy)
        return (x + dx * self.radius_mm, y + dy * self.radius_mm)

    def grow(self, by_mm: float) -> "RoundedShape":
        return RoundedShape(self.points, self.radius_mm + by_mm)

    def edges(self) -> Iterable[tuple[Point, Point]]:
        """The sides of the outline; a segment has two, a point none."""
        n = len(self.points)
        return ((self.points[i], self.points[(i + 1) % n]) for i in range(n)) if n > 1 else ()

    @cached_attribute
    def sides(self) -> tuple[tuple[float, float, float, float, float], ...]:
        """Each side as where it begins, the way along it and the square of its length; a point is one of no length."""
        ends = self.edges() if len(self.points) > 1 else ((self.points[0], self.points[0]),)
        ways = ((px, py, qx - px, qy - py) for (px, py), (qx, qy) in ends)
        return tuple((x, y, dx, dy, dx * dx + dy * dy) for x, y, dx, dy in ways)

    @cached_attribute
    def axes(self) -> tuple[Point, ...]:
        """Both ways of every side's normal; a segment's own direction too.

        Without it a point in line with a segment, and beyond its end, would be parted from it by rounding alone.
        """
        points: list[Point] = []
        for (px, py), (qx, qy) in self.edges():
            length = math.hypot(qx - px, qy - py)
            if length > 0:
                nx, ny = (qy - py) / length, (px - qx) / length
                points += [(nx, ny), (-nx, -ny), (-ny, nx)] if len(self.points) == 2 else [(nx, ny), (-nx, -ny)]
        return tuple(points)

    @cached_attribute
    def corners(self) -> tuple[Point, ...]:
        """The points without those that lie on a side."""
        return convex_hull(list(self.points))

    def is_disc(self) -> bool:
        return len(self.points) == 1


@dataclass(frozen=True)
class Area:
    """A simple outline, anticlockwise, cut into convex parts; `outline` is empty for one rounded part."""

    parts: tuple[RoundedShape, ...]
    outline: tuple[Point, ...] = ()

    def is_convex(self) -> bool:
        return len(self.parts) == 1


def disc(centre: Point, radius_mm: float) -> RoundedShape:
    return RoundedShape((centre,), radius_mm)


def polygon_area(outline: Iterable[Point]) -> Area:
    """The area inside a simple outline, whichever way round it was written."""
    points = _orient_anticlockwise(_drop_repeats(tuple(outline)))
    if _turns_left_everywhere(points):
        return Area((RoundedShape(points),), points)
    return Area(tuple(RoundedShape(part) for part in _ears(points)), points)


def signed_area_mm2(points: tuple[Point, ...]) -> float:
    """Positive when the outline runs anticlockwise."""
    n = len(points)
    return sum(points[i][0] * points[(i + 1) % n][1] - points[(i + 1) % n][0] * points[i][1] for i in range(n)) / 2


def _orient_anticlockwise(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return points if signed_area_mm2(points) >= 0 else points[::-1]


def _drop_repeats(points: tuple[Point, ...]) -> tuple[Point, ...]:
    kept = [p for i, p in enumerate(points) if p != points[i - 1]]
    return tuple(kept) or points[:1]


def turn(a: Point, b: Point, c: Point) -> float:
    """Twice the signed area of the triangle: positive when c lies left of a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _turns_left_everywhere(points: tuple[Point, ...]) -> bool:
    n = len(points)
    return all(turn(points[i - 2], points[i - 1], points[i]) >= 0 for i in range(n))


def _ears(points: tuple[Point, ...]) -> list[tuple[Point, ...]]:
    """Triangles that cover a simple anticlockwise outline (ear clipping)."""
    left = list(points)
    triangles: list[tuple[Point, ...]] = []
    while len(left) > 3:
        i = next((i for i in range(len(left)) if _is_ear(left, i)), None)
        if i is None:  # only a degenerate rest is left
            break
        triangles.append((left[i - 1], left[i], left[(i + 1) % len(left)]))
        del left[i]
    return [*triangles, tuple(left)]


def convex_hull(points: list[Point]) -> tuple[Point, ...]:
    """The convex hull, anticlockwise (Andrew's chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    chains = []
    for run in (ordered, ordered[::-1]):
        chain: list[Point] = []
        for p in run:
            while len(chain) > 1 and turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chains += chain[:-1]
    return tuple(chains)


def _is_ear(points: list[Point], i: int) -> bool:
    a, b, c = points[i - 1], points[i], points[(i + 1) % len(points)]
    if turn(a, b, c) <= 0:
        return turn(a, b, c) == 0
    return not any(_in_triangle(p, a, b, c) for p in points if p not in (a, b, c))


def _in_triangle(p: Point, a: Point, b: Point, c: Point) -> bool:
    return turn(a, b, p) >= 0 and turn(b, c, p) >= 0 and turn(c, a, p) >= 0
