"""Blocks: rectangles side by side, before they are measured, and the rectified patch along whose rows they lie."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from models.base import RectBase
from models.vocabulary import Point
from vision.candidates import NetworkScore, Surface

Cell = tuple[int, int]

STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))  # to the neighbours at each side, anticlockwise


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


@dataclass(frozen=True)
class PlacedRect:
    """A rectangle that may be a base; its depth runs along `turn_rad`, either way."""

    base: RectBase
    at_mm: Point
    turn_rad: float
    ground: Surface
    network_score: NetworkScore | None = None  # None: nobody was asked

    @property
    def corners_mm(self) -> Floats:
        return corners_of(self.base, self.at_mm, self.turn_rad)


@dataclass(frozen=True)
class Block:
    """Bases of one size, side by side; `cells` counts columns along `turn_rad` and rows to the left of it."""

    members: tuple[PlacedRect, ...]
    cells: tuple[Cell, ...]
    turn_rad: float
    log_prior: float = 0.0  # of rectangles on such a table
    rivals: "tuple[Block, ...]" = ()  # in other sizes, where the networks leave them open: the fit decides

    @property
    def network_score(self) -> NetworkScore | None:
        """Mean score of its members; None where the network was not asked."""
        asked = [
            (member.network_score.p_base, member.network_score.p_other)
            for member in self.members
            if member.network_score is not None
        ]
        return NetworkScore(*np.mean(asked, axis=0).tolist()) if asked else None

    @property
    def corners_mm(self) -> Floats:
        """Corners of the rectangle round all of its members, (4, 2), anticlockwise."""
        axes = axes_of(self.turn_rad)
        along = np.concatenate([member.corners_mm for member in self.members]) @ axes.T
        (left, near), (right, far) = along.min(axis=0), along.max(axis=0)
        return np.asarray(np.array([[right, far], [left, far], [left, near], [right, near]]) @ axes)

    def subset(self, chosen: Sequence[int]) -> "Block":
        """The block of these members alone."""
        members, cells = tuple(self.members[k] for k in chosen), tuple(self.cells[k] for k in chosen)
        return replace(self, members=members, cells=cells)


def corners_of(base: RectBase, at_mm: Point, turn_rad: float, *, grown_mm: float = 0.0) -> Floats:
    """Corners of a rectangle, (4, 2) mm, anticlockwise."""
    half = np.array([base.depth_mm / 2 + grown_mm, base.width_mm / 2 + grown_mm])
    return np.asarray(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * half @ axes_of(turn_rad) + at_mm)
