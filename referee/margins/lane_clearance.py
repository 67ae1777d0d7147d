"""Lane clearance: the room each thing leaves a line, corner by corner, and how it changes as line and thing move."""

from dataclasses import dataclass

import numpy as np

from models.vocabulary import Point
from referee.geometry.distance import inside_mm, nearest_on_segment
from referee.geometry.shapes import RoundedShape
from referee.line_of_sight import Obstacle
from referee.line_of_sight.segment_clearance import to_convex

_DUST = 1e-9


@dataclass(frozen=True)
class MovableObstacle:
    """An obstacle and what carries it: the ids that move it, and the point it turns about."""

    obstacle: Obstacle
    movers: tuple[str, ...]
    about: complex


@dataclass(frozen=True)
class Row:
    """What one feature leaves a line: the room, and how it changes as p, q and the feature move."""

    mm: float
    by_p: complex
    by_q: complex
    by_feature: complex
    feature: complex
    of: MovableObstacle


def dot(a: complex, b: complex) -> float:
    """The scalar product of plane vectors written as complex numbers."""
    return (a * b.conjugate()).real


def rows_of(thing: MovableObstacle, p: complex, q: complex, *, aside: bool) -> list[Row]:
    """What the thing leaves the line from p to q; see `_features` for `aside`."""
    first, last = thing.obstacle.from_share, thing.obstacle.to_share
    a, b = p + first * (q - p), p + last * (q - p)
    rows = []
    for part in thing.obstacle.area.parts:
        for mm, by_a, by_b, by_feature, feature in _features(part, a, b, aside=aside):
            by_p = (1 - first) * by_a + (1 - last) * by_b
            by_q = first * by_a + last * by_b
            rows.append(Row(mm, by_p, by_q, by_feature, feature, thing))
    return rows


Feature = tuple[float, complex, complex, complex, complex]


def _features(part: RoundedShape, a: complex, b: complex, *, aside: bool) -> list[Feature]:
    """What of a convex part a segment must stay clear of: corners or a rim beside it, or what one of its ends meets.

    A part that is crossed has to be pushed `aside`, which has the same sign as shrinking it and no corner at zero; or
    it has to shrink, which is what margins measure.
    """
    side_rows, ends = _rows_beside(part, a, b), [_at_end(part, a, is_first=True), _at_end(part, b, is_first=False)]
    nearest = min(ends, key=lambda end_row: end_row[0])
    if part.is_disc():
        return side_rows if side_rows and _is_between(part.points[0], a, b) else [nearest]
    apart = float(to_convex(np.array([a]), np.array([b]), part)[0])
    pushed = min((row[0] for row in side_rows), default=-np.inf)
    if apart <= 0 and not aside:
        return [_row_of_crossed(part, a, b)]
    if apart <= 0:
        return [nearest] if pushed < nearest[0] <= 0 else side_rows or [nearest]
    if pushed >= apart - 1e-7:
        return side_rows
    if nearest[0] <= apart + 1e-7:
        return [nearest]
    return [row for row in side_rows if _is_between((row[4].real, row[4].imag), a, b)] or [nearest]


def _row_of_crossed(part: RoundedShape, a: complex, b: complex) -> Feature:
    """By how much a part has to shrink to leave a segment that crosses it, at the deepest point of that."""
    planes = [
        (-1j * (complex(*v) - complex(*u)) / abs(complex(*v) - complex(*u)), complex(*u)) for u, v in part.edges()
    ]
    deep = [(dot(u - a, n), dot(a - b, n)) for n, u in planes]  # outward: depth at a, and its rise toward b
    best = (-np.inf, 0.0, 0j)
    for (d0, r0), (n0, _) in zip(deep, planes, strict=True):
        for (d1, r1), (n1, _) in zip(deep, planes, strict=True):
            if r0 > 0 > r1 or (r0 == 0 and r1 == 0):
                share = min(1.0, max(0.0, (d1 - d0) / (r0 - r1))) if r0 != r1 else 0.5
                weight = -r1 / (r0 - r1) if r0 != r1 else 0.5
                best = max(best, _depth_at(deep, share, weight * n0 + (1 - weight) * n1), key=lambda row: row[0])
    for share in (0.0, 1.0):
        k = min(range(len(deep)), key=lambda k: deep[k][0] + share * deep[k][1])
        best = max(best, _depth_at(deep, share, planes[k][0]), key=lambda row: row[0])
    depth, share, n = best
    return (-depth - part.radius_mm, (1 - share) * n, share * n, -n, a + share * (b - a))


def _depth_at(deep: list[tuple[float, float]], share: float, outward: complex) -> tuple[float, float, complex]:
    return (min(at + share * rise for at, rise in deep), share, outward)


def _is_between(corner: Point, a: complex, b: complex) -> bool:
    return 0 <= dot(complex(*corner) - a, b - a) <= abs(b - a) ** 2


def _rows_beside(part: RoundedShape, a: complex, b: complex) -> list[Feature]:
    """All corners on one side of the line, the side that pushes the part aside by the least."""
    length = abs(b - a)
    if length < _DUST:
        return []
    u = (b - a) / length
    corners = [complex(*c) for c in part.points]
    across = [(u.conjugate() * (c - a)).imag for c in corners]
    side = 1.0 if min(across) >= -max(across) else -1.0
    n = side * 1j * u
    rows = []
    for c, away in zip(corners, across, strict=True):
        share = dot(c - a, u) / length
        rows.append((side * away - part.radius_mm, -(1 - share) * n, -share * n, n, c))
    return rows


def _at_end(part: RoundedShape, at: complex, *, is_first: bool) -> Feature:
    """The signed distance of one end of the segment from the part."""
    here = (at.real, at.imag)
    if part.is_disc():
        near, sign = part.points[0], 1.0
    else:
        near = min((nearest_on_segment(here, *edge) for edge in part.edges()), key=lambda x: abs(complex(*x) - at))
        sign = -1.0 if len(part.points) > 2 and inside_mm(here, part.points) > 0 else 1.0
    away = at - complex(*near)
    n = sign * away / (abs(away) or 1.0)
    mm = sign * abs(away) - part.radius_mm
    return (mm, n if is_first else 0j, 0j if is_first else n, -n, complex(*near))
