"""Critical lines: those that touch two rims at once.

If any line at all keeps clear of everything by `growth_mm`, one of these does. Lines are points (angle, offset) of a
plane. Those that meet both ends and miss every grown thing make up closed regions of it; each region is bounded by the
lines that are tangent to a disc, or pass through a corner. All of these are curves `offset = c . normal + rim`: graphs
over the angle, so a region cannot end in angle but where two of them meet, and there the line touches two rims. Ends
give their discs and corners; a grown thing gives the circles about its corners; one that shrinks gives the corners that
are left of it; and where a grown rim crosses the rim of an end, the crossing is a corner of what is left of that end.
A line bounds a region only where what it touches lies on one side of it: a line through a corner that runs into its
polygon has others like it on both sides. Of an oval's sixty corners that leaves the few that a line can rest on.

Where lines climb over things, or woods let them pass for a length, further curves bound the regions that are no graphs
and have no closed form: the kernel closes whole cells of lines there (`kernel/blocked_proof.c`).
"""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from referee.arrays import Booleans, Complexes, Floats
from referee.geometry.shapes import Area, RoundedShape
from referee.line_of_sight.boundary_curve import (
    Piece,
    centre_of,
    chords,
    clamp_to_end,
    corners_of,
    has_corners,
    pieces_of,
    reach_mm,
)
from referee.line_of_sight.plane import cross, depth_at, foot_on
from referee.line_of_sight.rim_intersections import arc_of, circle_of, intersect_pieces, side_of
from referee.line_of_sight.scene import End

_ROUNDING_MM = 1e-9
_DUST_MM = 1e-7
_ASIDE_MM = 1e-6  # how far from their own corners two rims are sure to cross where they are smooth
_CROSSING = 1e-4  # and at what angle
_RESTING = 1e-7  # how far a line that rests on a corner may seem to run into its sides: a share of their length


class Rim(NamedTuple):
    """What a line may touch: the circle about a point. `sides` lead on from there to the rest of the shape, if any."""

    at: complex
    radius_mm: float  # signed: on which side of the line the point lies
    sides: tuple[complex, complex] = (0j, 0j)


class Curve(NamedTuple):
    """A piece of the rim of a grown thing; smooth where it can be told on which side of it the thing lies."""

    piece: Piece
    is_smooth: bool = True


def critical_segments(start: End, stop: End, areas: list[Area], growth_mm: float) -> tuple[Complexes, Complexes]:
    """Segments (p, q) from `start` to `stop` on every critical line, shortest first choice, then to the far rims."""
    rims, _ = _gather_curves((start, stop), areas, growth_mm)
    near, far, back = _segments(start, stop, *_tangent_lines(rims, only_resting=False))
    return np.concatenate([near[0], far[0], back[0]]), np.concatenate([near[1], far[1], back[1]])


def resting_segments(start: End, stop: End, areas: list[Area], growth_mm: float) -> tuple[Complexes, Complexes]:
    """The same where nothing can be climbed over or crossed for a length: only lines that rest on what they touch.

    Where both ends overlap a line may be as short as a point: so also the corners of what all leave of what they share.
    """
    rims, curves = _gather_curves((start, stop), areas, growth_mm)
    (p, q), _, _ = _segments(start, stop, *_tangent_lines(rims, only_resting=True))
    points = np.array(_points_shared((start, stop), curves), dtype=np.complex128)
    return np.concatenate([p, points]), np.concatenate([q, points])


def _gather_curves(ends: tuple[End, End], areas: list[Area], growth_mm: float) -> tuple[list[Rim], list[Curve]]:
    rims = [rim for end in ends for rim in _rims_of_end(end)]
    curves: list[Curve] = []
    for area in areas:
        for bound in _rims_of_area(ends, area, growth_mm):
            if isinstance(bound, Rim):
                rims.append(bound)
            else:
                curves.append(bound)
    return rims + [_left_of(rim, curve, at) for rim, curve, at in _cuts(ends, curves)], curves


def _cuts(ends: tuple[End, End], curves: list[Curve]) -> Iterator[tuple[Piece, Curve, complex]]:
    """Where the rims of grown things cross those of the ends."""
    for end in ends:
        for rim in pieces_of(end):
            for curve in curves:
                for at in intersect_pieces(rim, curve.piece):
                    yield rim, curve, at


def _left_of(rim: Piece, curve: Curve, at: complex) -> Rim:
    """The corner of what a thing leaves of an end: its sides run along both rims, where these cross and are smooth."""
    s_mm, passed_mm = rim.passed_mm(at), curve.piece.passed_mm(at)
    outward, along = curve.piece.outward_at(at), 1j * rim.outward_at(at)
    leaving = (along * outward.conjugate()).real
    is_smooth = curve.is_smooth and _ASIDE_MM < s_mm < rim.length_mm - _ASIDE_MM and abs(leaving) > _CROSSING
    if curve.piece.radius_mm == 0:  # it may have a corner there
        is_smooth &= _ASIDE_MM < passed_mm < curve.piece.length_mm - _ASIDE_MM
    if not is_smooth:
        return Rim(at, 0.0)
    ahead = math.copysign(1.0, leaving)
    return Rim(at, 0.0, (ahead * along, ahead * 1j * outward))


def _points_shared(ends: tuple[End, End], curves: list[Curve]) -> list[complex]:
    a, b = ends
    if abs(centre_of(a) - centre_of(b)) > reach_mm(a) + reach_mm(b):
        return []
    pieces = [curve.piece for curve in curves] + [piece for end in ends for piece in pieces_of(end)]
    points = [piece.start for piece in pieces]
    points += [at for piece, other in combinations(pieces, 2) for at in intersect_pieces(piece, other)]
    return [p for p in points if all(abs(clamp_to_end(end, p) - p) < _ROUNDING_MM for end in ends)]


def _rims_of_end(end: End) -> list[Rim]:
    rims: list[Rim] = []
    if end.shape.is_disc():
        c, r = complex(*end.shape.points[0]), end.shape.radius_mm
        rims += [Rim(c, r), Rim(c, -r)]
    pieces = pieces_of(end)
    if not has_corners(end) or len(pieces) == 1:
        return rims + [Rim(corner, 0.0) for corner in corners_of(end)]
    for before, after in zip([pieces[-1], *pieces[:-1]], pieces, strict=True):
        c = after.start
        rims.append(Rim(c, 0.0, (-1j * before.outward_at(c), 1j * after.outward_at(c))))
    return rims


def _rims_of_area(ends: tuple[End, End], area: Area, growth_mm: float) -> Iterator[Rim | Curve]:
    if area.is_convex() or len(area.outline) < 3:
        for part in area.parts:
            yield from _rims_of_part(ends, part, growth_mm)
    elif growth_mm >= 0:
        yield from _rims_of_grown(ends, tuple(complex(*p) for p in area.outline), growth_mm)
    else:
        yield from _rims_of_shrunk(tuple(complex(*p) for p in area.outline), -growth_mm)


def _rims_of_part(ends: tuple[End, End], part: RoundedShape, growth_mm: float) -> Iterator[Rim | Curve]:
    corners, radius = tuple(complex(*p) for p in part.points), part.radius_mm + growth_mm
    if radius < 0 and len(corners) < 3:
        return
    if radius < 0:
        corners, radius = _inset_outline(corners, -radius), 0.0
    for i in range(len(corners)):
        yield from _rims_of_corner(ends, corners, i, radius)


def _rims_of_corner(
    ends: tuple[End, End], corners: tuple[complex, ...], i: int, radius: float
) -> Iterator[Rim | Curve]:
    before, c, after = corners[i - 1], corners[i], corners[(i + 1) % len(corners)]
    if not _reaches(ends, c, after, radius):
        return
    sides = (before - c, after - c)
    yield Rim(c, radius, sides)
    if radius > 0:
        yield Rim(c, -radius, sides)
        yield Curve(arc_of(before, c, after, radius))
    yield from _curve(side_of(c, after, radius))


def _curve(side: Piece | None, *, is_smooth: bool = True) -> Iterator[Curve]:
    if side is not None:
        yield Curve(side, is_smooth)


def _reaches(ends: tuple[End, End], c: complex, after: complex, radius: float) -> bool:
    """Only what reaches the hull of both ends can hold a line."""
    a, b = (complex(*end.shape.centre) for end in ends)
    near = min(abs(c - foot_on(c, a, b)), abs(a - foot_on(a, c, after)), abs(b - foot_on(b, c, after)))
    return near <= max(end.shape.reach_mm for end in ends) + radius + 1e-6


def _inset_outline(corners: tuple[complex, ...], by_mm: float) -> tuple[complex, ...]:
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


def _turning_corners(outline: tuple[complex, ...], i: int) -> float:
    return cross(outline[i] - outline[i - 1], outline[(i + 1) % len(outline)] - outline[i])


def _rims_of_grown(ends: tuple[End, End], outline: tuple[complex, ...], growth_mm: float) -> Iterator[Rim | Curve]:
    """An outline that is not convex and grows: only corners that point outward can hold a line."""
    for i, c in enumerate(outline):
        after = outline[(i + 1) % len(outline)]
        if _turning_corners(outline, i) > 0:
            yield from _rims_of_corner(ends, outline, i, growth_mm)
        elif _reaches(ends, c, after, growth_mm):
            yield from _curve(side_of(c, after, growth_mm))


def _rims_of_shrunk(outline: tuple[complex, ...], by_mm: float) -> Iterator[Rim | Curve]:
    """An outline that is not convex and shrinks.

    It has a corner wherever two sides moved inward, or circles about corners that point inward, meet with nothing of
    the outline nearer.
    """
    pieces: list[Piece] = []
    for i, c in enumerate(outline):
        side = side_of(c, outline[(i + 1) % len(outline)], -by_mm)
        pieces += [side] if side is not None else []
        pieces += [circle_of(c, by_mm)] if _turning_corners(outline, i) < 0 else []
    yield from (Curve(piece, is_smooth=False) for piece in pieces)
    for first, other in combinations(pieces, 2):
        for corner in intersect_pieces(first, other):
            if depth_at(outline, corner) > by_mm - _DUST_MM:
                yield Rim(corner, 0.0)


def _tangent_lines(rims: list[Rim], *, only_resting: bool) -> tuple[Complexes, Floats]:
    """Normals and offsets of all lines `normal . x = offset` that touch two of the rims."""
    at, rim = np.array([rim.at for rim in rims]), np.array([rim.radius_mm for rim in rims])
    i, j = np.triu_indices(len(at), 1)
    between, difference = at[i] - at[j], rim[j] - rim[i]
    apart = np.abs(between)
    held = (apart > _ROUNDING_MM) & (np.abs(difference) <= apart)
    i, j, between, difference, apart = i[held], j[held], between[held], difference[held], apart[held]
    cosine = np.clip(difference / apart, -1.0, 1.0)
    swing = cosine + 1j * np.sqrt(1.0 - cosine * cosine)
    direction = between / apart
    normal = np.concatenate([direction * swing, direction * np.conjugate(swing)])
    i, j = np.concatenate([i, i]), np.concatenate([j, j])
    if only_resting:
        sides = np.array([rim.sides for rim in rims])
        rests = _rests(normal, sides[i], rim[i]) & _rests(normal, sides[j], rim[j])
        normal, i = normal[rests], i[rests]
    return normal, np.real(at[i] * np.conjugate(normal)) + rim[i]


def _rests(normal: Complexes, sides: Complexes, rim: Floats) -> Booleans:
    """Whether both sides (N, 2) of what a line touches lie on the one side of it that its rim tells, or on either."""
    heights, hair = np.real(sides * np.conjugate(normal)[:, None]), _RESTING * np.abs(sides)
    is_below, is_above = (heights <= hair).all(axis=1), (heights >= -hair).all(axis=1)
    rests: Booleans = is_below & (rim >= 0) | is_above & (rim <= 0)
    return rests


def _segments(start: End, stop: End, normal: Complexes, offset: Floats) -> tuple[tuple[Complexes, Complexes], ...]:
    """On each line that meets both: the shortest, and those from and to the far rims."""
    a0, a1 = chords(start, normal, offset)
    b0, b1 = chords(stop, normal, offset)
    met = (a0 <= a1 + _ROUNDING_MM) & (b0 <= b1 + _ROUNDING_MM) & np.isfinite(a0) & np.isfinite(b0)
    normal, offset = normal[met], offset[met]
    a0, a1, b0, b1 = a0[met], a1[met], b0[met], b1[met]
    foot, along = normal * offset, -1j * normal
    ahead = b0 + b1 >= a0 + a1
    leave, enter = np.where(ahead, a1, a0), np.where(ahead, b0, b1)
    overlap = (np.minimum(a1, b1) - np.maximum(a0, b0)) > 0
    shared = (np.minimum(a1, b1) + np.maximum(a0, b0)) / 2
    leave, enter = np.where(overlap, shared, leave), np.where(overlap, shared, enter)
    back, far = np.where(ahead, a0, a1), np.where(ahead, b1, b0)
    near = foot + along * leave, foot + along * enter
    return near, (near[0], foot + along * far), (foot + along * back, near[1])


def closest_and_central(start: End, stop: End) -> tuple[Complexes, Complexes]:
    """A few plain segments to begin with: centre to centre, and between the points of each rim nearest the other."""
    p0, q0 = complex(*start.shape.centre), complex(*stop.shape.centre)
    points_p, points_q = (
        [piece.point_at(piece.nearest_mm(q0)) for piece in pieces_of(start)],
        [piece.point_at(piece.nearest_mm(p0)) for piece in pieces_of(stop)],
    )
    pairs = [(p, q) for p in points_p for q in points_q]
    return np.array([p for p, _ in pairs]), np.array([q for _, q in pairs])
