"""How deep segments run inside an outline that is not convex, on the plain path."""

import numpy as np

from referee.gaps import inside_mm
from referee.shapes import Area
from referee.sight.clearance import Complexes, Floats, to_convex
from referee.sight.woods import shares_deeper

_HALVINGS = 50


def area_gaps(p: Complexes, q: Complexes, area: Area) -> Floats:
    """Signed distance from every segment (N,) to an area; negative by how deep a segment runs inside."""
    near = np.asarray(np.min([to_convex(p, q, part) for part in area.parts], axis=0))
    if area.is_convex() or not area.outline:
        return near
    for k in np.flatnonzero(near < 0):
        near[k] = -_depth(p[k : k + 1], q[k : k + 1], area)
    return near


def _depth(p: Complexes, q: Complexes, area: Area) -> float:
    """The deepest point of one segment: how far the outline may shrink and still be met."""
    ends = [inside_mm((float(end[0].real), float(end[0].imag)), area.outline) for end in (p, q)]
    low = max(0.0, *ends)
    high = low + 1.0
    while shares_deeper(p, q, area, high) > 1e-13:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if shares_deeper(p, q, area, middle) > 1e-13 else (low, middle)
    return low
