"""The critical lines: those that touch two rims at once.

If any line at all keeps clear of everything by `growth_mm`, one of these does. Lines are points (angle, offset) of a
plane. Those that meet both ends and miss every grown thing make up closed regions of it; each region is bounded by the
lines that are tangent to a disc, or pass through a corner. All of these are curves `offset = c . normal + rim`: graphs
over the angle, so a region cannot end in angle but where two of them meet, and there the line touches two rims. Ends
give their discs and corners; a grown thing gives the circles about its corners; one that shrinks gives the corners that
are left of it; and where a grown rim crosses the rim of an end, the crossing is a corner of what is left of that end.

Where lines climb over things, or woods let them pass for a length, further curves bound the regions that are no graphs
and have no closed form: `excluding` closes whole cells of lines there.
"""

import math
from collections.abc import Iterator

import numpy as np

from referee.shapes import Area, Rounded
from referee.sight.boundary import chords, corners_of, pieces_of
from referee.sight.clearance import Complexes, Floats
from referee.sight.gap import depth_at
from referee.sight.scene import End
from referee.sight.things import cross, foot_on

_ROUNDING_MM = 1e-9
_DUST_MM = 1e-7

Rim = tuple[complex, float]


def critical_segments(start: End, stop: End, areas: list[Area], growth_mm: float) -> tuple[Complexes, Complexes]:
    """Segments (p, q) from `start` to `stop` on every critical line, shortest first choice, then to the far rims."""
    rims = [rim for end in (start, stop) for rim in _rims_of_end(end)]
    for area in areas:
        rims += _rims_of_area((start, stop), area, growth_mm)
    at, rim = np.array([c for c, _ in rims]), np.array([r for _, r in rims])
    normal, offset = _held_by_two(at, rim)
    return _segments(start, stop, normal, offset)


def _rims_of_end(end: End) -> list[Rim]:
    found: list[Rim] = []
    if end.shape.is_disc():
        c, r = complex(*end.shape.points[0]), end.shape.radius_mm
        found += [(c, r), (c, -r)]
    return found + [(corner, 0.0) for corner in corners_of(end)]


def _rims_of_area(ends: tuple[End, End], area: Area, growth_mm: float) -> Iterator[Rim]:
    if area.is_convex() or len(area.outline) < 3:
        for part in area.parts:
            yield from _rims_of_part(ends, part, growth_mm)
    elif growth_mm >= 0:
        yield from _rims_of_grown(ends, tuple(complex(*p) for p in area.outline), growth_mm)
    else:
        yield from _rims_of_shrunk(ends, tuple(complex(*p) for p in area.outline), -growth_mm)


def _rims_of_part(ends: tuple[End, End], part: Rounded, growth_mm: float) -> Iterator[Rim]:
    corners, radius = tuple(complex(*p) for p in part.points), part.radius_mm + growth_mm
    if radius < 0 and len(corners) < 3:
        return
    if radius < 0:
        corners, radius = _moved_in(corners, -radius), 0.0
    for i, c in enumerate(corners):
        yield from _rims_of_corner(ends, c, corners[(i + 1) % len(corners)], radius)


def _rims_of_corner(ends: tuple[End, End], c: complex, after: complex, radius: float) -> Iterator[Rim]:
    if not _reaches(ends, c, after, radius):
        return
    yield c, radius
    if radius > 0:
        yield c, -radius
    for end in ends:
        yield from _cuts(end, c, after, radius, radius)


def _reaches(ends: tuple[End, End], c: complex, after: complex, radius: float) -> bool:
    """Only what reaches the hull of both ends can hold a line."""
    a, b = (complex(*end.shape.centre) for end in ends)
    near = min(abs(c - foot_on(c, a, b)), abs(a - foot_on(a, c, after)), abs(b - foot_on(b, c, after)))
    return near <= max(end.shape.reach_mm for end in ends) + radius + 1e-6


def _moved_in(corners: tuple[complex, ...], by_mm: float) -> tuple[complex, ...]:
    """A convex outline cut by each of its sides moved inward."""
    kept = list(corners)
    for i, a in enumerate(corners):
        side = corners[(i + 1) % len(corners)] - a
        kept = _cut(kept, a, 1j * side / abs(side), by_mm)
    return tuple(kept)


def _cut(corners: list[complex], at: complex, inward: complex, by_mm: float) -> list[complex]:
    kept: list[complex] = []
    heights = [((c - at) * inward.conjugate()).real - by_mm for c in corners]
    for i, b in enumerate(corners):
        a, h0, h1 = corners[i - 1], heights[i - 1], heights[i]
        if h0 * h1 < 0:
            kept.append(a + (b - a) * (h0 / (h0 - h1)))
        if h1 >= 0:
            kept.append(b)
    return kept


def _turns(outline: tuple[complex, ...], i: int) -> float:
    return cross(outline[i] - outline[i - 1], outline[(i + 1) % len(outline)] - outline[i])


def _rims_of_grown(ends: tuple[End, End], outline: tuple[complex, ...], growth_mm: float) -> Iterator[Rim]:
    """An outline that is not convex and grows: only corners that point outward can hold a line."""
    for i, c in enumerate(outline):
        after = outline[(i + 1) % len(outline)]
        if _turns(outline, i) > 0:
            yield from _rims_of_corner(ends, c, after, growth_mm)
        elif _reaches(ends, c, after, growth_mm):
            for end in ends:
                yield from _cuts(end, c, after, growth_mm, growth_mm)


def _rims_of_shrunk(ends: tuple[End, End], outline: tuple[complex, ...], by_mm: float) -> Iterator[Rim]:
    """An outline that is not convex and shrinks.

    It has a corner wherever two sides moved inward, or circles about corners that point inward, meet with nothing of
    the outline nearer.
    """
    n = len(outline)
    sides = [_side(outline, i, by_mm) for i in range(n)]
    for i, (_, _, _, about) in enumerate(sides):
        for end in ends:
            yield from _cuts(end, outline[i], outline[(i + 1) % n], -by_mm, 0.0 if about is None else by_mm)
        for j in range(i + 1, n):
            for corner in _meetings(sides[i], sides[j], by_mm):
                if depth_at(outline, corner) > by_mm - _DUST_MM:
                    yield corner, 0.0


Line = tuple[complex, complex, float]
Side = tuple[complex, complex, float, complex | None]


def _side(outline: tuple[complex, ...], i: int, by_mm: float) -> Side:
    """A side moved inward, and the corner it begins at where that points inward."""
    side = outline[(i + 1) % len(outline)] - outline[i]
    way = side / abs(side)
    return outline[i] + 1j * way * by_mm, way, abs(side), outline[i] if _turns(outline, i) < 0 else None


def _meetings(a: Side, b: Side, by_mm: float) -> list[complex]:
    found = _line_line(a[:3], b[:3])
    found += _line_circle(*a[:3], b[3], by_mm) if b[3] is not None else []
    found += _line_circle(*b[:3], a[3], by_mm) if a[3] is not None else []
    if a[3] is not None and b[3] is not None:
        found += _circle_circle(a[3], by_mm, b[3], by_mm)
    return found


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


def _cuts(end: End, c: complex, after: complex, beside: float, about: float) -> Iterator[Rim]:
    """Where the circle about c, or the side from c moved outward by `beside`, crosses the rim of an end."""
    for piece in pieces_of(end):
        straight = (piece.start, piece.along, piece.length_mm)
        found: list[complex] = []
        if about > 0 and piece.radius_mm > 0:
            found += _circle_circle(piece.centre, piece.radius_mm, c, about)
        elif about > 0:
            found += _line_circle(*straight, c, about)
        if after != c:
            way = (after - c) / abs(after - c)
            side = (c - 1j * way * beside, way, abs(after - c))
            round_ = piece.radius_mm > 0
            found += _line_circle(*side, piece.centre, piece.radius_mm) if round_ else _line_line(straight, side)
        yield from ((corner, 0.0) for corner in found)


def _circle_circle(a: complex, radius: float, b: complex, rho: float) -> list[complex]:
    apart = abs(b - a)
    if apart < _ROUNDING_MM or apart > radius + rho or apart < abs(radius - rho):
        return []
    x = (apart * apart + radius * radius - rho * rho) / (2 * apart)
    y = math.sqrt(max(0.0, radius * radius - x * x))
    u = (b - a) / apart
    return [a + u * complex(x, y), a + u * complex(x, -y)]


def _line_circle(start: complex, along: complex, length: float, c: complex, rho: float) -> list[complex]:
    middle = ((c - start) * along.conjugate()).real
    half2 = rho * rho - abs(start + along * middle - c) ** 2
    if half2 < 0:
        return []
    half = math.sqrt(half2)
    return [start + along * s for s in (middle - half, middle + half) if 0 <= s <= length]


def _line_line(a: Line, b: Line) -> list[complex]:
    across = cross(a[1], b[1])
    if abs(across) < 1e-14:
        return []
    s, t = cross(b[0] - a[0], b[1]) / across, cross(b[0] - a[0], a[1]) / across
    return [a[0] + a[1] * s] if 0 <= s <= a[2] and 0 <= t <= b[2] else []


def closest_and_central(start: End, stop: End) -> tuple[Complexes, Complexes]:
    """A few plain segments to begin with: centre to centre, and between the points of each rim nearest the other."""
    p0, q0 = complex(*start.shape.centre), complex(*stop.shape.centre)
    points_p, points_q = (
        [piece.at(piece.nearest_mm(q0)) for piece in pieces_of(start)],
        [piece.at(piece.nearest_mm(p0)) for piece in pieces_of(stop)],
    )
    pairs = [(p, q) for p in points_p for q in points_q]
    return np.array([p for p, _ in pairs]), np.array([q for _, q in pairs])
