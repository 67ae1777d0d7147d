"""Heights: which stretch of a line passes below the top of a solid, and how much height is to spare above it."""

import math

import numpy as np

from referee.shapes import Area
from referee.sight.boundary import pieces_of
from referee.sight.clearance import Complexes, Floats
from referee.sight.compiled import KERNEL, height_to_spare
from referee.sight.critical import closest_and_central, critical_segments
from referee.sight.scene import End
from referee.sight.woods import spans

_DUST_MM = 1e-6  # heights closer than this are the same: inches do not convert exactly


def low_stretch(
    top_start_mm: float, top_stop_mm: float, height_mm: float, *, touch_blocks: bool
) -> tuple[float, float]:
    """The shares of a line from top to top between which it is at or below this height; (1, 0) when it never is."""
    lowest = height_mm + _DUST_MM if touch_blocks else height_mm - _DUST_MM
    low_start, low_stop = top_start_mm < lowest, top_stop_mm < lowest
    if low_start and low_stop:
        return (0.0, 1.0)
    if not low_start and not low_stop:
        return (1.0, 0.0)
    share = (height_mm - top_start_mm) / (top_stop_mm - top_start_mm)
    share = min(1.0, max(0.0, share))
    return (0.0, share) if low_start else (share, 1.0)


def height_to_spare_mm(
    start: End, stop: End, tops_mm: tuple[float, float], solids: tuple[tuple[Area, float], ...]
) -> float | None:
    """By how much the best line from top to top passes over these solids (negative: below); None if none is crossed."""
    if KERNEL is not None:
        spare_mm = height_to_spare(start, stop, tops_mm, solids)
        return spare_mm if math.isfinite(spare_mm) else None
    areas = [area for area, _ in solids]
    plain, critical = closest_and_central(start, stop), critical_segments(start, stop, areas, 0.0)
    far = _far_ends(start, stop)
    p = np.concatenate([plain[0], critical[0], far[0]])
    q = np.concatenate([plain[1], critical[1], far[1]])
    spare = np.min([_over(p, q, tops_mm, area, height) for area, height in solids], axis=0)
    crossed = np.isfinite(spare)
    return float(spare[crossed].max()) if crossed.any() else None


def _over(p: Complexes, q: Complexes, tops: tuple[float, float], area: Area, height: float) -> Floats:
    first, last = spans(p, q, area)
    ends = [tops[0] + share * (tops[1] - tops[0]) - height for share in (first, last)]
    return np.where(first < last, np.minimum(*ends), np.inf)


def _far_ends(start: End, stop: End) -> tuple[Complexes, Complexes]:
    """Segments along the line of centres, from either rim of one end to either rim of the other."""
    a, b = complex(*start.shape.centre), complex(*stop.shape.centre)
    way = (b - a) / (abs(b - a) or 1.0)
    p = [piece.at(piece.nearest_mm(a + way * far)) for piece in pieces_of(start) for far in (1e5, -1e5)]
    q = [piece.at(piece.nearest_mm(b + way * far)) for piece in pieces_of(stop) for far in (1e5, -1e5)]
    return np.array([x for x in p for _ in q]), np.array([y for _ in p for y in q])
