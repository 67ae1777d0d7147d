"""End points: where a line may begin and stop."""

import math

from referee.line_of_sight.boundary_curve import Piece, polygon_corners
from referee.line_of_sight.plane import dot
from referee.line_of_sight.scene import End
from tests.referee.oracles.linear_constraints import Row
from tests.referee.oracles.segment_intervals import Span, disc_span


def rows_of_end(end: End, p: complex, which: int, window_mm: float) -> list[Row]:
    """The conditions that keep an end point in its end."""
    return [_hold(which, out, room) for out, room in _bounds(end, p) if room < window_mm]


def _bounds(end: End, p: complex) -> list[tuple[complex, float]]:
    """Ways out of an end, and how far it is to each."""
    found: list[tuple[complex, float]] = []
    if not end.shape.is_disc():
        corners = polygon_corners(end)
        for i, a in enumerate(corners):
            side = corners[(i + 1) % len(corners)] - a
            ways = (-1j * side, -side) if len(corners) == 2 else (-1j * side,)  # one of two corners ends at both
            found += [(out / abs(side), dot(a - p, out / abs(side))) for out in ways if abs(side) > 0]
        return found
    away, radius = p - complex(*end.shape.points[0]), end.shape.radius_mm
    if radius <= 0:
        return [(out, 0.0) for out in (1 + 0j, -1 + 0j, 1j, -1j)]
    if abs(away) > 0:
        found.append((away / abs(away), radius - abs(away)))
    if end.normal is not None:
        n = complex(*end.normal)
        found.append((-n, dot(p, n) - end.offset_mm))
        height = end.offset_mm - dot(p - away, n)
        half = math.sqrt(max(0.0, (radius - height) * (radius + height)))
        if height > 0:  # no farther aside than the corners
            found += [(side * 1j * n, half - side * dot(away, 1j * n)) for side in (-1, 1)]
    return found


def _hold(which: int, out: complex, room: float) -> Row:
    way = (-out.real, -out.imag)
    return Row(max(room, 0.0), (*way, 0.0, 0.0) if which == 0 else (0.0, 0.0, *way))


def rim_outward(piece: Piece, at: complex) -> complex:
    return -1j * piece.along if piece.radius_mm == 0 else (at - piece.centre) / piece.radius_mm


def end_span(end: End, p: complex, q: complex, slack_mm: float) -> Span | None:
    """The stretch of a segment that lies within `slack_mm` of the end (a little more at its corners)."""
    first, last, planes = 0.0, 1.0, [(-out, room) for out, room in _bounds(end, p)]
    if end.shape.is_disc():
        within = disc_span(p, q, complex(*end.shape.points[0]), end.shape.radius_mm + slack_mm)
        if within is None:
            return None
        first, last = within
        n = 0j if end.normal is None else complex(*end.normal)
        planes = [] if end.normal is None else [(n, dot(p, n) - end.offset_mm)]
    elif len(polygon_corners(end)) == 1:
        return disc_span(p, q, polygon_corners(end)[0], slack_mm)
    for inward, room in planes:
        at_p, rise = room + slack_mm, dot(q - p, inward)
        if at_p < 0 and at_p + rise < 0:
            return None
        if at_p < 0:
            first = max(first, -at_p / rise)
        elif at_p + rise < 0:
            last = min(last, -at_p / rise)
    return (first, last) if first <= last else None
