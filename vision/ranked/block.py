"""Blocks: rectangles side by side, before they are measured."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from models.base import RectBase
from models.vocabulary import Point
from vision.candidates import NetworkScore, Surface
from vision.ranked.rectified_patch import axes_of

Cell = tuple[int, int]

STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))  # to the neighbours at each side, anticlockwise


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
    worth_mm: float
    log_prior: float = 0.0  # of rectangles on such a table

    @property
    def network_score(self) -> NetworkScore | None:
        """Mean score of its members; None where the network was not asked."""
        asked = [
            (one.network_score.p_base, one.network_score.p_other)
            for one in self.members
            if one.network_score is not None
        ]
        return NetworkScore(*np.mean(asked, axis=0).tolist()) if asked else None

    @property
    def corners_mm(self) -> Floats:
        """Corners of the rectangle round all of its members, (4, 2), anticlockwise."""
        axes = axes_of(self.turn_rad)
        along = np.concatenate([one.corners_mm for one in self.members]) @ axes.T
        (left, near), (right, far) = along.min(axis=0), along.max(axis=0)
        return np.asarray(np.array([[right, far], [left, far], [left, near], [right, near]]) @ axes)

    def subset(self, chosen: Sequence[int]) -> "Block":
        """The block of these members alone."""
        members, cells = tuple(self.members[k] for k in chosen), tuple(self.cells[k] for k in chosen)
        return replace(self, members=members, cells=cells, worth_mm=self.worth_mm * len(chosen) / len(self.members))


def corners_of(base: RectBase, at_mm: Point, turn_rad: float, *, grown_mm: float = 0.0) -> Floats:
    """Corners of a rectangle, (4, 2) mm, anticlockwise."""
    half = np.array([base.depth_mm / 2 + grown_mm, base.width_mm / 2 + grown_mm])
    return np.asarray(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * half @ axes_of(turn_rad) + at_mm)
