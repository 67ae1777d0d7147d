"""Lengths between places on tags: one that a hand measured, to set the scale or to check a survey."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.tag import Tag, by_corners
from models.errors import BadInput

Floats = NDArray[np.float64]

CORNERS = ("top-left", "top-right", "bottom-right", "bottom-left")
"""In the print's own order."""


@dataclass(frozen=True)
class Place:
    """The middle of a tag, or one of its printed corners."""

    tag: int
    corner: int | None = None

    def __str__(self) -> str:
        return f"{self.tag}" if self.corner is None else f"{self.tag}:{CORNERS[self.corner]}"

    def shares(self) -> Floats:
        """How much of each corner it is, (4,)."""
        return np.full(4, 0.25) if self.corner is None else np.eye(4)[self.corner]


@dataclass(frozen=True)
class Length:
    """A distance between two places, as a hand measured it."""

    a: Place
    b: Place
    measured_mm: float
    sigma_mm: float


def place(written: str, *, field: str) -> Place:
    """The place written as `3` or `3:top-left`. Raises: BadInput."""
    number, _, corner = written.partition(":")
    if not number.isdecimal() or (corner and corner not in CORNERS):
        raise BadInput(
            f"{written!r} is no place on a tag: write its id, or 3:top-left for a corner ({', '.join(CORNERS)})",
            field=field,
            value=written,
        )
    return Place(int(number), CORNERS.index(corner) if corner else None)


def at_mm(spot: Place, tags: Sequence[Tag]) -> Floats:
    """Where the place is, (3,)."""
    return np.asarray(spot.shares() @ tags[_index(spot, tags)].corners_mm)


def between(a: Place, b: Place, tags: Sequence[Tag]) -> tuple[float, Floats]:
    """The distance of two places, and its derivative by the tags' unknowns, (9 T,)."""
    apart = at_mm(b, tags) - at_mm(a, tags)
    length = float(np.linalg.norm(apart))
    by_corner = np.zeros(12 * len(tags))
    for spot, sign in ((a, -1.0), (b, 1.0)):
        first = 12 * _index(spot, tags)
        by_corner[first : first + 12] += sign * np.outer(spot.shares(), apart / length).ravel()
    return length, np.asarray(by_corner @ by_corners(tags))


def _index(spot: Place, tags: Sequence[Tag]) -> int:
    return next(i for i, tag in enumerate(tags) if tag.id == spot.tag)
