"""Rectangles side by side, before they are measured."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.base import RectBase
from models.words import Point
from vision.candidates import Ground, Opinion
from vision.ranked.patch import axes_of

Floats = NDArray[np.float64]
Cell = tuple[int, int]

STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))  # to the neighbours at each side, anticlockwise


@dataclass(frozen=True)
class Placed:
    """A rectangle that may be a base; its depth runs along `turn_rad`, either way."""

    base: RectBase
    at_mm: Point
    turn_rad: float
    ground: Ground
    opinion: Opinion | None = None  # None: nobody was asked

    @property
    def corners_mm(self) -> Floats:
        return corners_of(self.base, self.at_mm, self.turn_rad)


@dataclass(frozen=True)
class Block:
    """Bases of one size, side by side; `cells` counts columns along `turn_rad` and rows to the left of it."""

    members: tuple[Placed, ...]
    cells: tuple[Cell, ...]
    turn_rad: float
    worth_mm: float

    @property
    def opinion(self) -> Opinion | None:
        """Of its members, on the whole; None where nobody was asked."""
        asked = [(one.opinion.is_it, one.opinion.is_other) for one in self.members if one.opinion is not None]
        return Opinion(*np.mean(asked, axis=0).tolist()) if asked else None

    @property
    def corners_mm(self) -> Floats:
        """(4, 2), anticlockwise: of the rectangle round all of its members."""
        axes = axes_of(self.turn_rad)
        along = np.concatenate([one.corners_mm for one in self.members]) @ axes.T
        (left, near), (right, far) = along.min(axis=0), along.max(axis=0)
        return np.asarray(np.array([[right, far], [left, far], [left, near], [right, near]]) @ axes)

    def only(self, chosen: Sequence[int]) -> "Block":
        """The block of these of its members."""
        members, cells = tuple(self.members[k] for k in chosen), tuple(self.cells[k] for k in chosen)
        return Block(members, cells, self.turn_rad, self.worth_mm * len(chosen) / len(self.members))


def corners_of(base: RectBase, at_mm: Point, turn_rad: float, *, grown_mm: float = 0.0) -> Floats:
    """(4, 2) mm, anticlockwise."""
    half = np.array([base.depth_mm / 2 + grown_mm, base.width_mm / 2 + grown_mm])
    return np.asarray(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * half @ axes_of(turn_rad) + at_mm)
