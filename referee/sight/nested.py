"""How deep segments run inside an outline that is not convex, on the plain path."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.shapes import Area
from referee.sight.clearance import Complexes, Floats, dot, to_convex

_FINE_MM = 1e-10
_SAMPLES = 24


def area_gaps(p: Complexes, q: Complexes, area: Area) -> Floats:
    """Signed distance from every segment (N,) to an area; negative by how deep a segment runs inside."""
    near = np.asarray(np.min([to_convex(p, q, part) for part in area.parts], axis=0))
    if area.is_convex() or not area.outline:
        return near
    corners = np.array([complex(*c) for c in area.outline])
    for k in np.flatnonzero(near < 0):
        near[k] = -_depth(complex(p[k]), complex(q[k]), corners)
    return near


def _depth(p: complex, q: complex, corners: Complexes) -> float:
    """The deepest point of one segment: intervals that cannot beat the best so far are dropped (Lipschitz)."""
    ends = np.linspace(0.0, 1.0, _SAMPLES + 1)
    values = _inside(p + ends * (q - p), corners)
    best = max(0.0, float(values.max()))
    a, b, fa, fb = ends[:-1], ends[1:], values[:-1], values[1:]
    for _ in range(60):
        hope = (fa + fb + abs(q - p) * (b - a)) / 2 > best + _FINE_MM
        if not hope.any():
            break
        a, b, fa, fb = a[hope], b[hope], fa[hope], fb[hope]
        m = (a + b) / 2
        fm = _inside(p + m * (q - p), corners)
        best = max(best, float(fm.max()))
        a, b = np.concatenate([a, m]), np.concatenate([m, b])
        fa, fb = np.concatenate([fa, fm]), np.concatenate([fm, fb])
    return best


def _inside(x: NDArray[np.complexfloating[Any, Any]], corners: Complexes) -> Floats:
    """How deep points (N,) lie inside the outline; negative outside."""
    before = np.roll(corners, 1)
    sides = corners - before
    away = x[:, None] - before[None, :]
    share = np.clip(dot(away, sides[None, :]) / np.abs(sides) ** 2, 0.0, 1.0)
    near = np.abs(away - share * sides).min(axis=1)
    straddles = (before.imag > x.imag[:, None]) != (corners.imag > x.imag[:, None])
    rise = np.where(sides.imag == 0, 1.0, sides.imag)
    left = x.real[:, None] < sides.real * (x.imag[:, None] - before.imag) / rise + before.real
    return np.asarray(np.where((straddles & left).sum(axis=1) % 2 == 1, near, -near))
