"""Boundary curve: the rim of an end as arcs and straight pieces that a point can slide along or is clamped to."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from referee.arrays import Complexes, Floats
from referee.line_of_sight.plane import dot, foot_on
from referee.line_of_sight.scene import End

_TINY_MM = 1e-12
_SLIVER_MM = 1e-8


@dataclass(frozen=True)
class Piece:
    """An arc about `centre` (radius over zero) or a straight piece from `start` along `along`, `length_mm` long."""

    start: complex
    along: complex
    length_mm: float
    centre: complex = 0j
    radius_mm: float = 0.0

    def point_at(self, s_mm: float) -> complex:
        """The point this far along the piece."""
        if self.radius_mm == 0:
            return self.start + self.along * s_mm
        angle = s_mm / self.radius_mm
        return self.centre + (self.start - self.centre) * complex(math.cos(angle), math.sin(angle))

    def outward_at(self, p: complex) -> complex:
        """Which way leads out of the shape at a point of the piece, anticlockwise about the shape."""
        return -1j * self.along if self.radius_mm == 0 else (p - self.centre) / self.radius_mm

    def passed_mm(self, p: complex) -> float:
        """How far along it a point lies; beyond its length where that is only on the same line or circle."""
        if self.radius_mm == 0:
            return ((p - self.start) * self.along.conjugate()).real
        ratio = (p - self.centre) / (self.start - self.centre)
        return math.atan2(ratio.imag, ratio.real) % math.tau * self.radius_mm

    def nearest_mm(self, p: complex) -> float:
        """Where on the piece the point closest to p lies."""
        s = self.passed_mm(p)
        if self.radius_mm == 0:
            return min(self.length_mm, max(0.0, s))
        if s <= self.length_mm:
            return s
        return self.length_mm if s - self.length_mm < math.tau * self.radius_mm - s else 0.0


def pieces_of(end: End) -> tuple[Piece, ...]:
    """The rim of what is left of the end, anticlockwise. Empty when nothing is left."""
    if end.shape.is_disc():
        return _disc_pieces(end)
    corners = _clip([complex(*p) for p in end.shape.points], end)
    return _straight_pieces(corners)


def corners_of(end: End) -> list[complex]:
    """The sharp corners of what is left of the end."""
    return [piece.start for piece in pieces_of(end)] if has_corners(end) else []


def has_corners(end: End) -> bool:
    """Whether it is anything but a whole disc."""
    return not end.shape.is_disc() or (end.normal is not None and end.depth_mm() < 2 * end.shape.radius_mm)


def _disc_pieces(end: End) -> tuple[Piece, ...]:
    c, r = complex(*end.shape.points[0]), end.shape.radius_mm
    if end.normal is None or end.depth_mm() >= 2 * r > 0:
        return (Piece(c + r, 1j, math.tau * r, c, r),) if r > 0 else (Piece(c, 1 + 0j, 0.0),)
    depth = end.depth_mm()
    if depth < 0:
        return ()
    n = complex(*end.normal)
    height = r - depth  # from the centre to the cut, along the normal
    half = math.sqrt(max(0.0, r * r - height * height))
    if half <= _TINY_MM:
        return (Piece(c + n * height, 1 + 0j, 0.0),)
    right, left = c + n * height - 1j * n * half, c + n * height + 1j * n * half
    angle = 2 * math.atan2(half, height)
    return (Piece(right, 1j * n, angle * r, c, r), Piece(left, -1j * n, 2 * half))


def _clip(corners: list[complex], end: End) -> list[complex]:
    if end.normal is None:
        return corners
    n, kept = complex(*end.normal), []
    height = [(p * n.conjugate()).real - end.offset_mm for p in corners]
    for i, p in enumerate(corners):
        before, h0, h1 = corners[i - 1], height[i - 1], height[i]
        if h0 * h1 < 0:
            kept.append(before + (p - before) * (h0 / (h0 - h1)))
        if h1 >= 0:
            kept.append(p)
    return kept


def _straight_pieces(corners: list[complex]) -> tuple[Piece, ...]:
    if not corners:
        return ()
    n = len(corners)
    made = []
    for i in range(n):
        a, b = corners[i], corners[(i + 1) % n]
        length = abs(b - a)
        if length > _TINY_MM:
            made.append(Piece(a, (b - a) / length, length))
    return tuple(made) or (Piece(corners[0], 1 + 0j, 0.0),)


@lru_cache(maxsize=4096)  # the ends of one table, many times over
def polygon_corners(end: End) -> tuple[complex, ...]:
    """The corners of a polygon, already cut; of a disc none."""
    return () if end.shape.is_disc() else tuple(piece.start for piece in pieces_of(end))


def centre_of(end: End) -> complex:
    return complex(*end.shape.centre)


@lru_cache(maxsize=4096)
def reach_mm(end: End) -> float:
    """How far what is left of it lies from its centre at most."""
    if end.shape.is_disc():
        return end.shape.radius_mm
    return max(abs(c - centre_of(end)) for c in polygon_corners(end))


def clamp_to_end(end: End, p: complex) -> complex:
    """The point itself where it lies in the end, else one of the end close to it."""
    return _clamp_to_disc(end, p) if end.shape.is_disc() else _clamp_to_polygon(polygon_corners(end), p)


def _clamp_to_polygon(corners: tuple[complex, ...], p: complex) -> complex:
    sides = [(a, corners[(i + 1) % len(corners)]) for i, a in enumerate(corners)]
    if len(corners) > 2 and all(((b - a).conjugate() * (p - a)).imag >= 0 for a, b in sides):
        return p
    return min((foot_on(p, a, b) for a, b in sides), key=lambda foot: abs(p - foot))


def _clamp_to_disc(end: End, p: complex) -> complex:
    centre, radius = complex(*end.shape.points[0]), end.shape.radius_mm
    if abs(p - centre) > radius:
        p = centre + (p - centre) * (radius / abs(p - centre))
    if end.normal is None:
        return p
    n = complex(*end.normal)
    height = end.offset_mm - dot(centre, n)
    depth = radius - height
    if depth > _SLIVER_MM and dot(p, n) >= end.offset_mm:
        return p
    half = math.sqrt(max(0.0, depth) * (radius + height))  # of a sliver only the cut is left
    middle = centre + height * n
    return middle + 1j * n * min(half, max(-half, dot(p - middle, 1j * n)))


def chords(end: End, normal: Complexes, offset: Floats) -> tuple[Floats, Floats]:
    """Where lines `normal . x = offset` run inside the end: first and last coordinate along the line.

    `normal` is (N,) complex; the line runs along `-1j * normal`. First exceeds last where the line misses the end.
    """
    along = -1j * normal
    if end.shape.is_disc():
        c, r = complex(*end.shape.points[0]), end.shape.radius_mm
        away = offset - (c * normal.conjugate()).real
        reach2 = r * r - away * away
        half = np.sqrt(np.maximum(reach2, 0.0))
        middle = (c * along.conjugate()).real
        missed = np.abs(away) > r + 1e-9
        first = np.where(missed, np.inf, middle - half)
        last = np.where(missed, -np.inf, middle + half)
    else:
        first, last = _polygon_chords(end, normal, offset, along)
    return _cut_chords(end, normal, offset, along, first, last)


def _polygon_chords(end: End, normal: Complexes, offset: Floats, along: Complexes) -> tuple[Floats, Floats]:
    first = np.full(offset.shape, -np.inf)
    last = np.full(offset.shape, np.inf)
    corners = [complex(*p) for p in end.shape.points]
    foot = normal * offset
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        if a == b:
            continue
        inward = 1j * (b - a) / abs(b - a)
        first, last = _half_plane(first, last, foot, along, inward, (a * inward.conjugate()).real)
    return first, last


def _cut_chords(
    end: End, normal: Complexes, offset: Floats, along: Complexes, first: Floats, last: Floats
) -> tuple[Floats, Floats]:
    if end.normal is None:
        return first, last
    return _half_plane(first, last, normal * offset, along, complex(*end.normal), end.offset_mm)


def _half_plane(
    first: Floats, last: Floats, foot: Complexes, along: Complexes, inward: complex, offset: float
) -> tuple[Floats, Floats]:
    """Keep the stretch of each line where `inward . x >= offset`, a hair's breadth of rounding allowed."""
    depth = (foot * inward.conjugate()).real - offset
    slope = (along * inward.conjugate()).real
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a line along the cut is looked at below
        crossing = -depth / slope
    steep = np.abs(slope) > 1e-14
    first = np.where(steep & (slope > 0), np.maximum(first, crossing), first)
    last = np.where(steep & (slope < 0), np.minimum(last, crossing), last)
    gone = ~steep & (depth < -1e-9)
    return np.where(gone, np.inf, first), np.where(gone, -np.inf, last)
