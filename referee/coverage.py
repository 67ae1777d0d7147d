"""Covered areas: templates over bases, and the directions in which a straight move brings a target into reach."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from models.units import wrapped_rad
from models.words import Point
from referee.gaps import area_gap
from referee.shapes import Area, Rounded


def covered_mm(template: Area, base: Rounded) -> float:
    """How deep a template lies over a base: positive when some part is covered, zero when they touch."""
    return -area_gap(template, Area((base,))).mm


def spray(narrow: Point, heading_rad: float, length_mm: float, widths_mm: tuple[float, float]) -> Area:
    """A straight spray: a trapezoid from its narrow end, as wide as told at either end."""
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    near, far = widths_mm[0] / 2, widths_mm[1] / 2
    corners = ((0.0, -near), (length_mm, -far), (length_mm, far), (0.0, near))
    outline = tuple((narrow[0] + c * u - s * v, narrow[1] + s * u + c * v) for u, v in corners)
    return Area((Rounded(outline),), outline)


def disc_share(a: Rounded, b: Rounded) -> float:
    """The share of disc b, by area, that disc a covers."""
    d, r, s = math.dist(a.centre, b.centre), a.radius_mm, b.radius_mm
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return min(1.0, (r / s) ** 2)
    u = (d * d + r * r - s * s) / (2 * d)
    v = d - u
    lens = r * r * math.acos(u / r) - u * math.sqrt(max(0.0, r * r - u * u))
    lens += s * s * math.acos(v / s) - v * math.sqrt(max(0.0, s * s - v * v))
    return lens / (math.pi * s * s)


@dataclass(frozen=True)
class Fan:
    """A closed interval of headings, `first_rad` to `last_rad` anticlockwise."""

    first_rad: float
    last_rad: float

    @property
    def width_rad(self) -> float:
        return (self.last_rad - self.first_rad) % math.tau


def reaching_fans(
    mover: Rounded, target: Rounded, reach_mm: float, limit_mm: float, others: tuple[Rounded, ...] = ()
) -> list[Fan]:
    """All headings in which a straight move of a disc brings a disc into reach before anything stops it.

    Headings change from good to bad only where the path grazes something, where it meets something just as it comes
    into reach, or where the limit ends it there: all of them are crossings of circles, so the intervals are exact.
    """
    wide = mover.radius_mm + target.radius_mm + reach_mm
    start, goal = mover.centre, target.centre
    if math.dist(start, goal) <= wide:
        return [Fan(-math.pi, math.pi)]
    stops = [(other.centre, mover.radius_mm + other.radius_mm) for other in others]
    edges = sorted({wrapped_rad(angle) for angle in _edges(start, goal, wide, limit_mm, stops)})
    fans: list[Fan] = []
    for first, last in zip(edges, [*edges[1:], edges[0] + math.tau] if edges else [], strict=True):
        if last - first > 1e-12 and _reaches(start, goal, wide, limit_mm, stops, (first + last) / 2):
            if fans and math.isclose(fans[-1].last_rad, first, abs_tol=1e-12):
                fans[-1] = Fan(fans[-1].first_rad, last)
            else:
                fans.append(Fan(first, last))
    return fans


def _edges(start: Point, goal: Point, wide: float, limit: float, stops: list[tuple[Point, float]]) -> Iterator[float]:
    yield from _grazing(start, goal, wide)
    yield from (_bearing(start, p) for p in _crossings(start, limit, goal, wide))
    for centre, radius in stops:
        yield from _grazing(start, centre, radius)
        yield from (_bearing(start, p) for p in _crossings(centre, radius, goal, wide))


def _reaches(
    start: Point, goal: Point, wide: float, limit: float, stops: list[tuple[Point, float]], heading: float
) -> bool:
    needed = _travel_to(start, goal, wide, heading)
    if needed is None or needed > limit:
        return False
    met = (_travel_to(start, centre, radius, heading) for centre, radius in stops)
    return all(after is None or after >= needed for after in met)


def _travel_to(start: Point, centre: Point, radius: float, heading: float) -> float | None:
    """The travel after which the point comes within `radius` of the centre; None when it never does."""
    dx, dy = centre[0] - start[0], centre[1] - start[1]
    ahead = dx * math.cos(heading) + dy * math.sin(heading)
    half2 = radius * radius - (dx * dx + dy * dy - ahead * ahead)
    if half2 < 0 or ahead + math.sqrt(half2) <= 0:
        return None
    return max(0.0, ahead - math.sqrt(half2))


def _bearing(a: Point, b: Point) -> float:
    return math.atan2(b[1] - a[1], b[0] - a[0])


def _grazing(start: Point, centre: Point, radius: float) -> Iterator[float]:
    apart = math.dist(start, centre)
    if apart > radius:
        swing = math.asin(radius / apart)
        yield _bearing(start, centre) + swing
        yield _bearing(start, centre) - swing
    elif apart > 0:  # touching: only headings away from it leave at all
        yield _bearing(start, centre) + math.pi / 2
        yield _bearing(start, centre) - math.pi / 2


def _crossings(a: Point, r: float, b: Point, s: float) -> Iterator[Point]:
    apart = math.dist(a, b)
    if apart == 0 or apart > r + s or apart < abs(r - s):
        return
    x = (apart * apart + r * r - s * s) / (2 * apart)
    y = math.sqrt(max(0.0, r * r - x * x))
    ux, uy = (b[0] - a[0]) / apart, (b[1] - a[1]) / apart
    yield (a[0] + x * ux - y * uy, a[1] + x * uy + y * ux)
    yield (a[0] + x * ux + y * uy, a[1] + x * uy - y * ux)
