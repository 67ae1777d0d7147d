"""The critical lines: those that touch two rims at once.

If any line at all keeps clear of everything by `growth_mm`, one of these does: slide and turn it until it is held by
two of the rims of ends, grown obstacles, or corners where a grown obstacle cuts the rim of an end.
"""

import math

import numpy as np

from models.words import Point
from referee.shapes import Area, Rounded
from referee.sight.boundary import chords, corners_of, pieces_of
from referee.sight.clearance import Complexes, Floats
from referee.sight.erosion import eroded
from referee.sight.scene import End

_ROUNDING_MM = 1e-9


def critical_segments(start: End, stop: End, areas: list[Area], growth_mm: float) -> tuple[Complexes, Complexes]:
    """Segments (p, q) from `start` to `stop` on every critical line, shortest first choice, then to the far rims."""
    grown = [part for area in areas for part in grown_parts(area, growth_mm)]
    at, rim = _rims(start, stop, grown)
    normal, offset = _held_by_two(at, rim)
    return _segments(start, stop, normal, offset)


def grown_parts(area: Area, growth_mm: float) -> list[Rounded]:
    """The convex parts of an area grown by `growth_mm`, or shrunk when it is negative; none when nothing is left."""
    if area.is_convex() and area.parts[0].radius_mm + growth_mm >= 0 and area.parts[0].radius_mm > 0:
        return [area.parts[0].grown(growth_mm)]
    if growth_mm >= 0:
        return [part.grown(growth_mm) for part in area.parts]
    return eroded(area, -growth_mm)


def _rims(start: End, stop: End, grown: list[Rounded]) -> tuple[Complexes, Floats]:
    at: list[complex] = []
    rim: list[float] = []
    for end in (start, stop):
        if end.shape.is_disc():
            at += [complex(*end.shape.points[0])] * 2
            rim += [end.shape.radius_mm, -end.shape.radius_mm]
        corners = corners_of(end)
        at += corners
        rim += [0.0] * len(corners)
    for part in grown:
        for c in part.points:
            at += [complex(*c)] * 2
            rim += [part.radius_mm, -part.radius_mm]
    for end in (start, stop):
        cuts = [x for part in grown for x in _cuts(end, part)]
        at += cuts
        rim += [0.0] * len(cuts)
    return np.array(at), np.array(rim)


def _held_by_two(at: Complexes, rim: Floats) -> tuple[Complexes, Floats]:
    """Normals and offsets of all lines `normal . x = offset` at signed distance `rim` from two of the points."""
    i, j = np.triu_indices(len(at), 1)
    between, difference = at[i] - at[j], rim[j] - rim[i]
    apart = np.abs(between)
    held = (apart > _ROUNDING_MM) & (np.abs(difference) <= apart)
    i, between, difference, apart = i[held], between[held], difference[held], apart[held]
    cosine = np.clip(difference / apart, -1.0, 1.0)
    swing = cosine + 1j * np.sqrt(1.0 - cosine * cosine)
    direction = between / apart
    normal = np.concatenate([direction * swing, direction * np.conjugate(swing)])
    through, rims = np.concatenate([at[i], at[i]]), np.concatenate([rim[i], rim[i]])
    return normal, np.real(through * np.conjugate(normal)) + rims


def _segments(start: End, stop: End, normal: Complexes, offset: Floats) -> tuple[Complexes, Complexes]:
    a0, a1 = chords(start, normal, offset)
    b0, b1 = chords(stop, normal, offset)
    met = (a0 <= a1 + _ROUNDING_MM) & (b0 <= b1 + _ROUNDING_MM)
    normal, offset = normal[met], offset[met]
    a0, a1, b0, b1 = a0[met], a1[met], b0[met], b1[met]
    foot, along = normal * offset, -1j * normal
    ahead = b0 + b1 >= a0 + a1
    leave, enter = np.where(ahead, a1, a0), np.where(ahead, b0, b1)
    overlap = (np.minimum(a1, b1) - np.maximum(a0, b0)) > 0
    shared = (np.minimum(a1, b1) + np.maximum(a0, b0)) / 2
    leave, enter = np.where(overlap, shared, leave), np.where(overlap, shared, enter)
    back, far = np.where(ahead, a0, a1), np.where(ahead, b1, b0)
    p = np.concatenate([foot + along * leave, foot + along * leave, foot + along * back])
    q = np.concatenate([foot + along * enter, foot + along * far, foot + along * enter])
    return p, q


def _cuts(end: End, part: Rounded) -> list[complex]:
    """Where the rim of a grown obstacle crosses the rim of an end."""
    near = math.dist(end.shape.centre, part.centre) - end.shape.reach_mm - part.reach_mm
    if near > 0:
        return []
    found: list[complex] = []
    for piece in pieces_of(end):
        for c in part.points:
            found += _on_circle(piece_line(piece), piece.centre, piece.radius_mm, complex(*c), part.radius_mm)
        for a, b in part.edges():
            found += _on_offset(piece_line(piece), piece.centre, piece.radius_mm, a, b, part.radius_mm)
    return found


def piece_line(piece: object) -> tuple[complex, complex, float] | None:
    """Start, direction and length of a straight piece; None for an arc."""
    from referee.sight.boundary import Piece

    assert isinstance(piece, Piece)
    return None if piece.radius_mm > 0 else (piece.start, piece.along, piece.length_mm)


def _on_circle(
    line: tuple[complex, complex, float] | None, centre: complex, radius: float, c: complex, rho: float
) -> list[complex]:
    if rho <= 0:
        return []
    if line is not None:
        return _line_circle(*line, c, rho)
    apart = abs(c - centre)
    if apart < _ROUNDING_MM or apart > radius + rho or apart < abs(radius - rho):
        return []
    x = (apart * apart + radius * radius - rho * rho) / (2 * apart)
    y = math.sqrt(max(0.0, radius * radius - x * x))
    u = (c - centre) / apart
    return [centre + u * complex(x, y), centre + u * complex(x, -y)]


def _line_circle(start: complex, along: complex, length: float, c: complex, rho: float) -> list[complex]:
    middle = ((c - start) * along.conjugate()).real
    half2 = rho * rho - abs(start + along * middle - c) ** 2
    if half2 < 0:
        return []
    half = math.sqrt(half2)
    return [start + along * s for s in (middle - half, middle + half) if 0 <= s <= length]


def _on_offset(
    line: tuple[complex, complex, float] | None, centre: complex, radius: float, a: Point, b: Point, rho: float
) -> list[complex]:
    """Crossings with the straight rim beside the edge from a to b."""
    pa, pb = complex(*a), complex(*b)
    along = (pb - pa) / abs(pb - pa)
    base, length = pa - 1j * along * rho, abs(pb - pa)
    if line is None:
        return _line_circle(base, along, length, centre, radius)
    start, way, reach = line
    cross = (way.conjugate() * along).imag
    if abs(cross) < 1e-14:
        return []
    s = ((base - start).conjugate() * along).imag / cross
    t = ((base - start).conjugate() * way).imag / cross
    return [start + way * s] if 0 <= s <= reach and 0 <= t <= length else []


def closest_and_central(start: End, stop: End) -> tuple[Complexes, Complexes]:
    """A few plain segments to begin with: centre to centre, and between the points of each rim nearest the other."""
    p0, q0 = complex(*start.shape.centre), complex(*stop.shape.centre)
    points_p, points_q = (
        [piece.at(piece.nearest_mm(q0)) for piece in pieces_of(start)],
        [piece.at(piece.nearest_mm(p0)) for piece in pieces_of(stop)],
    )
    pairs = [(p, q) for p in points_p for q in points_q]
    return np.array([p for p, _ in pairs]), np.array([q for _, q in pairs])
