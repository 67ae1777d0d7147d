"""Known lengths between places on tags, measured by hand to set the scale or to check a survey."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from calibration.survey.tag import Tag, corner_jacobian
from models.errors import BadInput

CORNERS = ("top-left", "top-right", "bottom-right", "bottom-left")
"""In the print's own order."""


@dataclass(frozen=True)
class TagPoint:
    """Point of a tag: its middle, or one of its printed corners."""

    tag: int
    corner: int | None = None

    def __str__(self) -> str:
        return f"{self.tag}" if self.corner is None else f"{self.tag}:{CORNERS[self.corner]}"

    def shares(self) -> Floats:
        """Weight of each corner in the point, (4,)."""
        return np.full(4, 0.25) if self.corner is None else np.eye(4)[self.corner]


@dataclass(frozen=True)
class Length:
    """Length between two points, as a hand measured it."""

    a: TagPoint
    b: TagPoint
    measured_mm: float
    sigma_mm: float


def parse_point(written: str, *, field: str) -> TagPoint:
    """The point written as `3` or `3:top-left`. Raises: BadInput."""
    number, _, corner = written.partition(":")
    if not number.isdecimal() or (corner and corner not in CORNERS):
        raise BadInput(
            f"{written!r} is no place on a tag: write its id, or 3:top-left for a corner ({', '.join(CORNERS)})",
            field=field,
            value=written,
        )
    return TagPoint(int(number), CORNERS.index(corner) if corner else None)


def point_mm(spot: TagPoint, tags: Sequence[Tag]) -> Floats:
    """Where the point is, (3,)."""
    return np.asarray(spot.shares() @ tags[_index(spot, tags)].corners_mm)


def distance_between(a: TagPoint, b: TagPoint, tags: Sequence[Tag]) -> tuple[float, Floats]:
    """Distance of two points, and its derivative by the tags' unknowns, (9 T,)."""
    apart = point_mm(b, tags) - point_mm(a, tags)
    length = float(np.linalg.norm(apart))
    by_corner = np.zeros(12 * len(tags))
    for spot, sign in ((a, -1.0), (b, 1.0)):
        first = 12 * _index(spot, tags)
        by_corner[first : first + 12] += sign * np.outer(spot.shares(), apart / length).ravel()
    return length, np.asarray(by_corner @ corner_jacobian(tags))


def _index(spot: TagPoint, tags: Sequence[Tag]) -> int:
    return next(i for i, tag in enumerate(tags) if tag.id == spot.tag)
