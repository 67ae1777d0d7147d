"""Sweep: what a base meets on its way, exactly.

A base that slides straight meets another exactly where a point that slides the same way meets the other base widened by
the first. Along such a line the gap is convex, so every question has one interval for an answer.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from models.vocabulary import Point
from referee.geometry.shapes import Area, RoundedShape, convex_hull

_SHORTEST_SIDE_MM = 1e-9
_TOUCH_MM = 1e-9


@dataclass(frozen=True)
class Contact:
    """Something met on the way: after how much travel, and where the mover's centre is then."""

    id: str
    after_mm: float
    at: Point


def slide_shape(shape: RoundedShape, direction: Point, by_mm: float) -> RoundedShape:
    """The shape moved that far along a unit direction."""
    return RoundedShape(
        tuple((x + direction[0] * by_mm, y + direction[1] * by_mm) for x, y in shape.points), shape.radius_mm
    )


def rotate_shape(shape: RoundedShape, pivot: Point, by_rad: float) -> RoundedShape:
    """The shape turned about a point, anticlockwise."""
    c, s = math.cos(by_rad), math.sin(by_rad)
    px, py = pivot
    points = tuple((px + c * (x - px) - s * (y - py), py + s * (x - px) + c * (y - py)) for x, y in shape.points)
    return RoundedShape(points, shape.radius_mm)


def stretch_within(
    mover: RoundedShape, direction: Point, other: RoundedShape, reach_mm: float = 0.0
) -> tuple[float, float] | None:
    """The travels, forward and back, between which a sliding base is at most `reach_mm` from another; None if never."""
    radius = mover.radius_mm + other.radius_mm + reach_mm
    if mover.is_disc() and other.is_disc():
        (ax, ay), (bx, by) = mover.points[0], other.points[0]
        return _through_disc((bx - ax, by - ay), radius, direction)
    if mover.is_disc():
        ((ax, ay),) = mover.points
        corners = tuple((bx - ax, by - ay) for bx, by in other.corners)
    else:
        corners = convex_hull([(bx - ax, by - ay) for bx, by in other.points for ax, ay in mover.points])
    spans = [*(_through_disc(c, radius, direction) for c in corners), *_through_sides(corners, radius, direction)]
    overlaps = [span for span in spans if span is not None]
    return (min(a for a, _ in overlaps), max(b for _, b in overlaps)) if overlaps else None


def first_contact(
    mover: RoundedShape, direction: Point, limit_mm: float, others: Iterable[tuple[str, RoundedShape]]
) -> list[Contact]:
    """Everything a sliding base meets within its travel, in order. What it touches and leaves is not met."""
    met = []
    for id_, other in others:
        span = stretch_within(mover, direction, other)
        if (
            span is not None
            and span[1] > _TOUCH_MM
            and span[0] <= limit_mm + _TOUCH_MM
            and span[1] - span[0] > _TOUCH_MM
        ):
            after = max(0.0, span[0])
            met.append(Contact(id_, after, slide_shape(mover, direction, after).centre))
    return sorted(met, key=lambda contact: contact.after_mm)


def lengths_within(
    mover: RoundedShape, path: tuple[Point, ...], area: Area, reach_mm: float = 0.0
) -> list[tuple[float, float]]:
    """The stretches of a path on which any part of the base is within the area (or in reach of it), by travel."""
    spans = []
    for leg, heading, before, length in _legs(mover, path):
        for part in area.parts:
            span = stretch_within(leg, heading, part, reach_mm)
            if span is not None and span[1] >= 0 and span[0] <= length:
                spans.append((before + max(0.0, span[0]), before + min(length, span[1])))
    return merge_stretches(spans)


def _legs(mover: RoundedShape, path: tuple[Point, ...]) -> Iterator[tuple[RoundedShape, Point, float, float]]:
    """The base at the start of each leg, the leg's direction, the travel before it and its length."""
    before, (cx, cy) = 0.0, mover.centre
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if length > 0:
            heading = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            shifted = tuple((x + a[0] - cx, y + a[1] - cy) for x, y in mover.points)
            yield RoundedShape(shifted, mover.radius_mm), heading, before, length
            before += length


def _through_disc(centre: Point, radius: float, direction: Point) -> tuple[float, float] | None:
    middle = centre[0] * direction[0] + centre[1] * direction[1]
    half2 = radius * radius - (centre[0] * centre[0] + centre[1] * centre[1] - middle * middle)
    if radius < 0 or half2 < 0:
        return None
    return middle - math.sqrt(half2), middle + math.sqrt(half2)


def _through_sides(corners: tuple[Point, ...], radius: float, direction: Point) -> Iterator[tuple[float, float] | None]:
    """Where a line from the origin runs through the outline moved out by the rim, side by side."""
    if len(corners) < 2:
        return
    if len(corners) > 2:
        yield _through_planes(direction, [(a, b, 0.0) for a, b in RoundedShape(corners).edges()])
    for a, b in RoundedShape(corners).edges():
        nx, ny = b[1] - a[1], a[0] - b[0]
        scale = radius / (math.hypot(nx, ny) or 1.0)
        out = (nx * scale, ny * scale)
        strip = ((a[0] + out[0], a[1] + out[1]), (b[0] + out[0], b[1] + out[1]), b, a)
        if radius > _TOUCH_MM:
            yield _through_planes(direction, [(p, q, 0.0) for p, q in RoundedShape(strip).edges()])


def _through_planes(direction: Point, sides: list[tuple[Point, Point, float]]) -> tuple[float, float] | None:
    """The stretch of the line from the origin that lies left of every side."""
    first, last = -math.inf, math.inf
    wx, wy = direction
    for (ax, ay), (bx, by), _ in sides:
        along_x, along_y = bx - ax, by - ay
        if abs(along_x) + abs(along_y) < _SHORTEST_SIDE_MM:
            continue  # of two sides that all but lie in line: rounding turned it, and they hold the line by themselves
        at = ax * by - ay * bx
        rise = along_x * (wy - ay) - along_y * (wx - ax) - at
        if abs(rise) < 1e-15:
            if at < 0:
                return None
        elif rise > 0:
            first = max(first, -at / rise)
        else:
            last = min(last, -at / rise)
    return (first, last) if first <= last else None


def merge_stretches(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The same stretches in order, those that meet made one."""
    joined: list[tuple[float, float]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
