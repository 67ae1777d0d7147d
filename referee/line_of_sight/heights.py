"""Heights: which stretch of a line passes below the top of a solid, and how much height is to spare above it."""

import math

from referee.geometry.shapes import Area
from referee.line_of_sight.native import KERNEL, native_height_to_spare
from referee.line_of_sight.obstacles import of_solid
from referee.line_of_sight.scene import End
from referee.line_of_sight.widest_lane import best_by

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
    if KERNEL is None:
        return plain_height_to_spare_mm(start, stop, tops_mm, solids)
    spare_mm = native_height_to_spare(start, stop, tops_mm, solids)
    return spare_mm if math.isfinite(spare_mm) else None


def plain_height_to_spare_mm(
    start: End, stop: End, tops_mm: tuple[float, float], solids: tuple[tuple[Area, float], ...]
) -> float | None:
    """The same height without the compiled kernel."""
    spare_mm = best_by(start, stop, tuple(of_solid(area, height, tops_mm) for area, height in solids)).value
    return spare_mm if math.isfinite(spare_mm) else None
