"""Segment clearance: how far segments stay clear of convex shapes; negative by how deep they pass inside."""

import numpy as np

from referee.arrays import Booleans, Complexes, Floats
from referee.geometry.shapes import RoundedShape


def dot(a: Complexes, b: Complexes | complex) -> Floats:
    """The scalar product of plane vectors written as complex numbers."""
    return np.asarray(np.real(a * np.conjugate(b)), dtype=np.float64)


def to_points(p: Complexes, q: Complexes, points: Complexes) -> Floats:
    """Distances from every segment (N,) to every point (K,): (N, K)."""
    along = (q - p)[:, None]
    length2 = np.abs(along) ** 2
    away = points[None, :] - p[:, None]
    share = np.clip(dot(away, along) / np.where(length2 > 0, length2, 1.0), 0.0, 1.0)
    return np.abs(away - share * along)


def to_convex(p: Complexes, q: Complexes, shape: RoundedShape) -> Floats:
    """Signed distance from every segment (N,) to a convex polygon with a rim."""
    corners = np.array([complex(*c) for c in shape.points])
    if len(corners) == 1:
        return to_points(p, q, corners)[:, 0] - shape.radius_mm
    sides = np.roll(corners, -1) - corners
    apart = np.minimum(to_points(p, q, corners).min(axis=1), _ends_to_sides(p, q, corners, sides))
    if len(corners) > 2:
        depth = depth_in_convex(p, q, corners)
        apart = np.where(depth >= 0, -depth, apart)
    else:
        apart = np.where(_crosses(p, q, corners[0], corners[1]), 0.0, apart)
    return apart - shape.radius_mm


def depth_in_convex(p: Complexes, q: Complexes, corners: Complexes) -> Floats:
    """How deep each segment gets inside a convex polygon; negative where it stays outside.

    The depth along a segment is the least of linear functions, one an edge: concave, so its top is found by
    intersecting the rising line with the falling one until no edge lies below.
    """
    sides = np.roll(corners, -1) - corners
    inward = 1j * sides / np.abs(sides)
    at_p = dot(p[:, None] - corners[None, :], inward[None, :])
    rise = dot(q[:, None] - corners[None, :], inward[None, :]) - at_p
    rows = np.arange(len(p))
    low, high = np.zeros(len(p)), np.ones(len(p))
    first, last = at_p.argmin(axis=1), (at_p + rise).argmin(axis=1)
    best: Floats = np.maximum(at_p[rows, first], (at_p + rise)[rows, last])
    for _ in range(2 * len(corners)):
        gap = rise[rows, first] - rise[rows, last]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(gap > 0, (at_p[rows, last] - at_p[rows, first]) / gap, 0.0)
        share = np.clip(share, low, high)
        depths = at_p + share[:, None] * rise
        lowest = depths.argmin(axis=1)
        value = depths[rows, lowest]
        best = np.maximum(best, value)
        settled = value >= (at_p[rows, first] + share * rise[rows, first]) - 1e-12
        up = rise[rows, lowest] > 0
        first, low = np.where(~settled & up, lowest, first), np.where(~settled & up, share, low)
        last, high = np.where(~settled & ~up, lowest, last), np.where(~settled & ~up, share, high)
        if settled.all():
            break
    return np.asarray(best, dtype=np.float64)


def _ends_to_sides(p: Complexes, q: Complexes, corners: Complexes, sides: Complexes) -> Floats:
    length2 = np.abs(sides) ** 2
    length2 = np.where(length2 > 0, length2, 1.0)
    nearest = np.full(len(p), np.inf)
    for end in (p, q):
        away = end[:, None] - corners[None, :]
        share = np.clip(dot(away, sides[None, :]) / length2, 0.0, 1.0)
        nearest = np.minimum(nearest, np.abs(away - share * sides).min(axis=1))
    return nearest


def _crosses(p: Complexes, q: Complexes, a: complex, b: complex) -> Booleans:
    def side(u: Complexes | complex, v: Complexes | complex, w: Complexes | complex) -> Floats:
        return np.imag(np.conjugate(v - u) * (w - u))

    return (side(a, b, p) * side(a, b, q) <= 0) & (side(p, q, a) * side(p, q, b) <= 0)
