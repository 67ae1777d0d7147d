"""Where a base may lie: the seam between finding and measuring.

A `Finder` proposes, the fit measures. Any finder will do that puts a candidate within about 3 mm of each base, and a
few too many do no harm.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.words import Point

Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in table mm


@dataclass(frozen=True)
class Ground:
    """Height above the table of what a base stands on."""

    surface_mm: float
    sigma_mm: float


@dataclass(frozen=True)
class Opinion:
    """What a trained eye thinks of a place, 0 to 1: that this base stands there, and that another thing does."""

    is_it: float
    is_other: float


@dataclass(frozen=True)
class Candidate:
    """A base of this size may stand about here, on this ground. `score` orders candidates of one finder.

    `turn_rad` is where its depth runs, within a few degrees; which end is its front is not known.
    """

    base: RoundBase | OvalBase | RectBase
    at_mm: Point
    ground: Ground
    score: float
    turn_rad: float = 0.0
    opinion: Opinion | None = None  # None: nobody was asked


class Finder(Protocol):
    """Proposes bases in a picture, of the whole table or only with their centres in the given boxes."""

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]: ...


class AllFinders:
    """What any of its finders proposes."""

    def __init__(self, *finders: Finder) -> None:
        self._finders = finders

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        found = [finder.find(image, camera=camera, pose=pose, boxes=boxes) for finder in self._finders]
        return tuple(candidate for some in found for candidate in some)
