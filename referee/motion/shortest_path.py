"""Shortest path: how far it is from one thing to another when what lies between may not be crossed.

Things are lists of convex parts, none of them a mere point. Along a side of what bars the way, or through its corner,
one may go. What bars is looked at only once a line found without it runs through it: that line was no longer than any
that heeds it.
"""

import heapq
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from models.vocabulary import Point
from referee.arrays import Booleans, Floats
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull

_TOUCH_MM = 1e-6
_RIM_SIDES = 32
_GOLDEN, _ROUNDS = (math.sqrt(5.0) - 1) / 2, 60
_THERE = -1  # the end of a way, among the places of corners
Parts = Sequence[RoundedShape]


class Detour(NamedTuple):
    """A line from one thing to another, and how long it is."""

    mm: float
    points: tuple[Point, ...]


class Fence:
    """Outlines that bar lines: what `is_barred` says of one line and them, for many lines at once."""

    def __init__(self, outlines: Sequence[RoundedShape]) -> None:
        self._is_none = not outlines
        if self._is_none:
            return
        self._points = np.array([p for outline in outlines for p in outline.points])
        self._axes = np.array([axis for outline in outlines for axis in outline.axes])
        counts, axes = [len(outline.points) for outline in outlines], [len(outline.axes) for outline in outlines]
        self._firsts, self._first_axes = np.cumsum([0, *counts[:-1]]), np.cumsum([0, *axes[:-1]])
        spans = [np.array(outline.points) @ np.array(outline.axes).T for outline in outlines]
        self._low = np.concatenate([span.min(axis=0) for span in spans])
        self._high = np.concatenate([span.max(axis=0) for span in spans])

    def bars(self, a: Sequence[Point] | Floats, b: Sequence[Point] | Floats) -> Booleans:
        """Whether each straight line from a to b, (n, 2) each, runs through the inside of any of them: (n,)."""
        a, b = np.asarray(a, dtype=np.float64).reshape(-1, 2), np.asarray(b, dtype=np.float64).reshape(-1, 2)
        along = b - a
        long = np.hypot(along[:, 0], along[:, 1])
        if self._is_none or not len(a):
            return np.zeros(len(a), dtype=np.bool_)
        ways = along / np.where(long > 0, long, 1.0)[:, None]
        from_a, from_b = a @ self._axes.T, b @ self._axes.T
        meets = (np.maximum(from_a, from_b) - self._low > _TOUCH_MM) & (
            self._high - np.minimum(from_a, from_b) > _TOUCH_MM
        )
        inside = np.logical_and.reduceat(meets, self._first_axes, axis=1)
        for axis, wide in ((np.column_stack([-ways[:, 1], ways[:, 0]]), np.zeros_like(long)), (ways, long)):
            offsets = axis @ self._points.T - np.einsum("ij,ij->i", axis, a)[:, None]
            inside &= np.maximum.reduceat(offsets, self._firsts, axis=1) > _TOUCH_MM
            inside &= np.minimum.reduceat(offsets, self._firsts, axis=1) < (wide - _TOUCH_MM)[:, None]
        barred: Booleans = inside.any(axis=1) & (long > _TOUCH_MM)
        return barred


def is_barred(a: Point, b: Point, barring: Parts) -> bool:
    """Whether the straight line between two points runs through the inside of any of these."""
    line = RoundedShape((a, b))
    if math.dist(a, b) <= _TOUCH_MM:
        return False
    return any(_may_meet(a, b, shape) and gap(line, shape).mm < -_TOUCH_MM for shape in barring)


def _may_meet(a: Point, b: Point, shape: RoundedShape) -> bool:
    """Whether the boxes round a line and a shape meet."""
    for k in (0, 1):
        values = [p[k] for p in shape.points]
        if max(a[k], b[k]) < min(values) - shape.radius_mm or max(values) + shape.radius_mm < min(a[k], b[k]):
            return False
    return True


def shortest_path_round(starts: Parts, ends: Parts, barring: Parts) -> Detour | None:
    """The shortest way of a point from one thing to the other, round what bars it; None when there is none."""
    return _heed_obstacles(lambda some: _round_corners(starts, ends, some), barring)


def shortest_clear_line(starts: Parts, ends: Parts, barring: Parts) -> Detour | None:
    """The shortest straight line from one thing to the other that nothing bars; None when there is none."""
    return _heed_obstacles(lambda some: _straight_line(starts, ends, some), barring)


def bounding_corners(shape: RoundedShape) -> tuple[Point, ...]:
    """The corners of a shape; of a round one those of a polygon that holds it."""
    if not shape.radius_mm:
        return shape.points
    out = shape.radius_mm / math.cos(math.pi / _RIM_SIDES)
    ways = [(math.cos(math.tau * k / _RIM_SIDES), math.sin(math.tau * k / _RIM_SIDES)) for k in range(_RIM_SIDES)]
    return convex_hull([(x + out * c, y + out * s) for x, y in shape.points for c, s in ways])


def _heed_obstacles(find: Callable[[list[RoundedShape]], Detour | None], barring: Parts) -> Detour | None:
    """The best that heeds all of these, found by heeding only those that the best so far runs through."""
    rest, heeded = [RoundedShape(bounding_corners(shape)) for shape in barring], list[RoundedShape]()
    while (path := find(heeded)) is not None:
        met = [outline for outline in rest if any(is_barred(a, b, (outline,)) for a, b in pairwise(path.points))]
        if not met:
            return path
        heeded += met
        rest = [outline for outline in rest if outline not in met]
    return None


class _PartialPath(NamedTuple):
    """A way so far, and no more than how long it will be in all."""

    at_least_mm: float
    mm: float
    points: tuple[Point, ...]
    at: int


def _round_corners(starts: Parts, ends: Parts, barring: list[RoundedShape]) -> Detour | None:
    """The shortest way over corners. Its first and last pieces run to the nearest point of either thing.

    What is on a way so far is weighed together with what is at least left, so that corners out of the way wait.
    """
    corners = [p for shape in barring for p in shape.points]
    fence, places = Fence(barring), np.array(corners, dtype=np.float64).reshape(-1, 2)
    left_mm = _at_least_mm(places, ends).tolist()
    open_ = [_PartialPath(line.mm, line.mm, line.points, _THERE) for line in _pieces(starts, ends, fence)]
    for k, corner in enumerate(corners):
        for line in _pieces(starts, (RoundedShape((corner,)),), fence):
            open_.append(_PartialPath(line.mm + left_mm[k], line.mm, line.points, k))
    heapq.heapify(open_)
    done: set[int] = set()
    while open_:
        _, mm, points, at = heapq.heappop(open_)
        if at == _THERE:
            return Detour(mm, points)
        if at in done:
            continue
        done.add(at)
        here = corners[at]
        for k in map(int, np.flatnonzero(~fence.bars([here] * len(corners), places))):
            if k not in done:
                long = mm + math.dist(here, corners[k])
                heapq.heappush(open_, _PartialPath(long + left_mm[k], long, (*points, corners[k]), k))
        for line in _pieces((RoundedShape((here,)),), ends, fence):
            heapq.heappush(open_, _PartialPath(mm + line.mm, mm + line.mm, (*points, line.points[1]), _THERE))
    return None


def _at_least_mm(places: Floats, parts: Parts) -> Floats:
    """No more than how far it is from each place (n, 2) to the nearest of these parts, and mostly as much: (n,)."""
    nearest = np.full(len(places), np.inf)
    for part in parts:
        away = np.hypot(*(places - part.centre).T) - part.reach_mm
        if part.axes:
            axes = np.array(part.axes).T
            beyond = places @ axes - (np.array(part.points) @ axes).max(axis=0)
            away = np.maximum(away, beyond.max(axis=1) - part.radius_mm)
        nearest = np.minimum(nearest, away)
    at_least: Floats = np.maximum(nearest, 0.0)
    return at_least


def _pieces(starts: Parts, ends: Parts, fence: Fence) -> list[Detour]:
    """The straight lines between the closest points of parts that nothing bars."""
    gaps = [gap(a, b) for a in starts for b in ends]
    barred = fence.bars([nearest.at_a for nearest in gaps], [nearest.at_b for nearest in gaps])
    return [
        Detour(max(0.0, nearest.mm), (nearest.at_a, nearest.at_b))
        for nearest, bar in zip(gaps, barred, strict=True)
        if not bar
    ]


def _straight_line(starts: Parts, ends: Parts, barring: list[RoundedShape]) -> Detour | None:
    """The shortest clear line: between the closest points, or over a corner of what bars it."""
    direct = _pieces(starts, ends, Fence(barring))
    best = min(direct, default=None, key=lambda line: line.mm)
    corners = [p for shape in barring for p in shape.points]
    places = np.array(corners, dtype=np.float64).reshape(-1, 2)
    least_mm = _at_least_mm(places, starts) + _at_least_mm(places, ends)
    for k in np.argsort(least_mm, kind="stable"):
        if best is not None and least_mm[k] >= best.mm:
            break  # no line over this corner, or over one farther out, is shorter
        detour = _clear_line_through(corners[k], starts, ends, barring)
        best = detour if best is None or (detour is not None and detour.mm < best.mm) else best
    return best


def _clear_line_through(corner: Point, starts: Parts, ends: Parts, barring: list[RoundedShape]) -> Detour | None:
    """The shortest clear line through a point.

    It is turned about the point. Between any two bearings at which a corner lies it runs from the same side to the same
    side, is clear all along or nowhere, and is longest at one of them: its length has one dip.
    """
    back, ahead, bars = _sides(starts, corner), _sides(ends, corner), [_sides((shape,), corner) for shape in barring]
    marks = np.concatenate([_bearings(back) + math.pi, _bearings(ahead), *(_bearings(bar) for bar in bars)])
    marks = np.concatenate([marks, *(_bearings(bar) + math.pi for bar in bars)])
    marks = np.unique(np.remainder(marks, math.tau))
    low, high = marks, np.append(marks[1:], marks[0] + math.tau)
    middle = (low + high) / 2
    free = np.isfinite(_reach_along(back, middle + math.pi) + _reach_along(ahead, middle)) & (high - low > 1e-9)
    low, high = low[free], high[free]
    for side in bars:
        kept = _is_clear(side, (low + high) / 2, back, ahead)
        low, high = low[kept], high[kept]
    if not len(low):
        return None
    middle = (low + high) / 2
    from_, to_ = _first_side_hit(back, middle + math.pi), _first_side_hit(ahead, middle)
    bearing = _minimise_between(
        lambda at: _exit_distance(from_, at + math.pi) + _exit_distance(to_, at), low + 1e-9, high - 1e-9
    )
    fro_mm, to_mm = _exit_distance(from_, bearing + math.pi), _exit_distance(to_, bearing)
    long = fro_mm + to_mm
    k = int(np.argmin(long))
    to, fro = float(to_mm[k]), float(fro_mm[k])
    (x, y), (c, s) = corner, (math.cos(bearing[k]), math.sin(bearing[k]))
    return Detour(float(long[k]), ((x - fro * c, y - fro * s), (x + to * c, y + to * s)))


def _sides(parts: Parts, origin: Point) -> Floats:
    """The sides of outlines as x1, y1, x2, y2, seen from a point."""
    sides = [(*a, *b) for part in parts for a, b in RoundedShape(bounding_corners(part)).edges()]
    offsets: Floats = np.array(sides, dtype=np.float64) - np.array((*origin, *origin))
    return offsets


def _bearings(sides: Floats) -> Floats:
    angles: Floats = np.arctan2(sides[:, 1], sides[:, 0])
    return angles


def _reach_along(sides: Floats, bearings: Floats) -> Floats:
    """How far it is along each bearing to the first of these sides; infinite where it meets none."""
    away, met = _side_distances(sides.T[:, None], np.cos(bearings)[:, None], np.sin(bearings)[:, None])
    first: Floats = np.where(met, away, np.inf).min(axis=1)
    return first


def _first_side_hit(sides: Floats, bearings: Floats) -> Floats:
    """The first of these sides that is met along each bearing."""
    away, met = _side_distances(sides.T[:, None], np.cos(bearings)[:, None], np.sin(bearings)[:, None])
    first: Floats = sides[np.where(met, away, np.inf).argmin(axis=1)]
    return first


def _exit_distance(sides: Floats, bearings: Floats) -> Floats:
    """How far it is along each bearing to a side of its own: (n, 4), (n,)."""
    away, _ = _side_distances(sides.T, np.cos(bearings), np.sin(bearings))
    return away


def _side_distances(sides: Floats, c: Floats, s: Floats) -> tuple[Floats, Booleans]:
    """How far it is to sides (4, ...) along bearings, and whether they are met there at all."""
    left, right, away = _side_offsets(sides, c, s)
    return away, (left * right <= 0) & (left != right) & (away >= 0)


def _side_offsets(sides: Floats, c: Floats, s: Floats) -> tuple[Floats, Floats, Floats]:
    """How far to the left of lines at bearings both ends of sides (4, ...) lie, and how far along they are crossed."""
    x1, y1, x2, y2 = sides
    left, right = c * y1 - s * x1, c * y2 - s * x2
    share = left / np.where(left == right, 1.0, left - right)
    return left, right, c * (x1 + share * (x2 - x1)) + s * (y1 + share * (y2 - y1))


def _is_clear(sides: Floats, bearings: Floats, back: Floats, ahead: Floats) -> Booleans:
    """Whether lines at these bearings keep out of an outline between where they begin and where they end."""
    left, right, away = _side_offsets(sides.T[:, None], np.cos(bearings)[:, None], np.sin(bearings)[:, None])
    met = (left * right < 0) | ((left == 0) != (right == 0))
    first, last = np.where(met, away, np.inf).min(axis=1), np.where(met, away, -np.inf).max(axis=1)
    begins, ends = -_reach_along(back, bearings + math.pi), _reach_along(ahead, bearings)
    clear: Booleans = np.minimum(last, ends) - np.maximum(first, begins) <= _TOUCH_MM
    return clear


def _minimise_between(long: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Where between each two bearings the line is shortest."""
    for _ in range(_ROUNDS):
        step = _GOLDEN * (high - low)
        first, second = high - step, low + step
        nearer = long(first) < long(second)
        low, high = np.where(nearer, low, first), np.where(nearer, second, high)
    return (low + high) / 2
