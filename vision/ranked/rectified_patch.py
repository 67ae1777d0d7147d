"""Rectified patch: a turned window of the table, so that the sides of a block run along rows and columns."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats


@dataclass(frozen=True)
class Patch:
    """A turned window: columns run along `turn_rad` (u), rows to the left of it (v); integer pixels lie at pixel
    centres."""

    turn_rad: float
    u0_mm: float
    v0_mm: float
    u1_mm: float
    v1_mm: float
    px_per_mm: float

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return tuple(  # type: ignore[return-value]
            max(2, round((far - near) * self.px_per_mm))
            for near, far in ((self.u0_mm, self.u1_mm), (self.v0_mm, self.v1_mm))
        )

    def to_mm(self, at_px: Floats) -> Floats:
        """(N, 2) px to (N, 2) table mm."""
        along = (at_px + 0.5) / self.px_per_mm + (self.u0_mm, self.v0_mm)
        return np.asarray(along @ axes_of(self.turn_rad))

    def to_px(self, at_mm: Floats) -> Floats:
        """(N, 2) table mm to (N, 2) px."""
        return np.asarray((at_mm @ axes_of(self.turn_rad).T - (self.u0_mm, self.v0_mm)) * self.px_per_mm - 0.5)


def patch_around(points_mm: Floats, *, turn_rad: float, margin_mm: float, px_per_mm: float) -> Patch:
    """The smallest patch of this turn with all points at least `margin_mm` inside."""
    along = points_mm @ axes_of(turn_rad).T
    (u0, v0), (u1, v1) = along.min(axis=0) - margin_mm, along.max(axis=0) + margin_mm
    return Patch(turn_rad, float(u0), float(v0), float(u1), float(v1), px_per_mm)


def axes_of(turn_rad: float) -> Floats:
    """Rotation matrix: its rows are the unit vectors of u and v in the table's frame."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    return np.array([[cos, sin], [-sin, cos]])
