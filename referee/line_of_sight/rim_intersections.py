"""Rim intersections: where arcs and straight pieces of rims cross, of grown things and of ends they cut."""

import math

from referee.line_of_sight.boundary_curve import Piece
from referee.line_of_sight.plane import cross, dot

_ROUNDING_MM = 1e-9
_ON_RIM_MM = 1e-6  # how far a point of an arc may seem to lie past its ends

Line = tuple[complex, complex, float]
"""Where it starts, its way, and its length in mm."""


def side_of(c: complex, after: complex, by_mm: float) -> Piece | None:
    """The side from one corner to the next, moved outward; None where they are one."""
    length = abs(after - c)
    if length == 0:
        return None
    along = (after - c) / length
    return Piece(c - 1j * along * by_mm, along, length)


def circle_of(c: complex, radius_mm: float) -> Piece:
    """The whole circle about a point."""
    return Piece(c + radius_mm, 1j, math.tau * radius_mm, c, radius_mm)


def arc_of(before: complex, c: complex, after: complex, radius_mm: float) -> Piece:
    """The arc about a corner from the side before it to the side after it; the whole circle where it has no sides."""
    arriving, leaving = c - before, after - c
    if abs(arriving) == 0 or abs(leaving) == 0:
        return circle_of(c, radius_mm)
    angle = math.atan2(cross(arriving, leaving), dot(arriving, leaving))
    along = arriving / abs(arriving)
    return Piece(c - 1j * along * radius_mm, along, radius_mm * (angle % math.tau), c, radius_mm)


def intersect_pieces(a: Piece, b: Piece) -> list[complex]:
    """The points at which two pieces meet: none, one or two."""
    straight_a, straight_b = (a.start, a.along, a.length_mm), (b.start, b.along, b.length_mm)
    if a.radius_mm > 0 and b.radius_mm > 0:
        crossings = circle_circle(a.centre, a.radius_mm, b.centre, b.radius_mm)
    elif a.radius_mm > 0:
        crossings = line_circle(straight_b, a.centre, a.radius_mm)
    elif b.radius_mm > 0:
        crossings = line_circle(straight_a, b.centre, b.radius_mm)
    else:
        return line_line(straight_a, straight_b)
    return [at for at in crossings if _is_on(a, at) and _is_on(b, at)]


def _is_on(piece: Piece, at: complex) -> bool:
    if piece.radius_mm == 0:
        return True  # it was not sought beyond
    s = piece.passed_mm(at)
    return s <= piece.length_mm + _ON_RIM_MM or s >= math.tau * piece.radius_mm - _ON_RIM_MM


def circle_circle(a: complex, radius: float, b: complex, rho: float) -> list[complex]:
    """Where two circles cross."""
    apart = abs(b - a)
    if apart < _ROUNDING_MM or apart > radius + rho or apart < abs(radius - rho):
        return []
    x = (apart * apart + radius * radius - rho * rho) / (2 * apart)
    y = math.sqrt(max(0.0, radius * radius - x * x))
    u = (b - a) / apart
    return [a + u * complex(x, y), a + u * complex(x, -y)]


def line_circle(line: Line, c: complex, rho: float) -> list[complex]:
    """Where a straight piece crosses a circle."""
    start, along, length = line
    middle = ((c - start) * along.conjugate()).real
    half2 = rho * rho - abs(start + along * middle - c) ** 2
    if half2 < 0:
        return []
    half = math.sqrt(half2)
    return [start + along * s for s in (middle - half, middle + half) if 0 <= s <= length]


def line_line(a: Line, b: Line) -> list[complex]:
    """Where two straight pieces cross."""
    across = cross(a[1], b[1])
    if abs(across) < 1e-14:
        return []
    s, t = cross(b[0] - a[0], b[1]) / across, cross(b[0] - a[0], a[1]) / across
    return [a[0] + a[1] * s] if 0 <= s <= a[2] and 0 <= t <= b[2] else []
