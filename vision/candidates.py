"""Candidates: the seam between detection and measurement.

A `Finder` proposes, the fit measures. Any finder will do that puts a candidate within about 3 mm of each base; a few
too many do no harm.
"""

from dataclasses import dataclass
from typing import Protocol

from calibration.arrays import Image
from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.vocabulary import Point

Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in table mm


class Surface(Protocol):
    """Surface: the height above the table of what a base stands on, with its standard deviation."""

    @property
    def surface_mm(self) -> float: ...

    @property
    def sigma_mm(self) -> float: ...


@dataclass(frozen=True)
class NetworkScore:
    """Class scores of the network for a place, 0 to 1: this base stands there, or something else does."""

    p_base: float
    p_other: float


SEEN = 0.08  # the least score of a place at which a network thinks that such a base may stand


@dataclass(frozen=True)
class Candidate:
    """A candidate: a base of this size may stand about here, on this ground. `score` orders candidates of one finder.

    `turn_rad` is where its depth runs, within a few degrees; which end is its front is not known.
    """

    base: RoundBase | OvalBase | RectBase
    at_mm: Point
    ground: Surface
    score: float
    turn_rad: float = 0.0
    network_score: NetworkScore | None = None  # None: nobody was asked
    sigma_mm: float = 0.0  # of the place, per axis, where a network tells it
    log_prior: float = 0.0  # of its size, beside a usual one
    size_share: float | None = None  # of this size, of all that a network thinks it may have; None: it does not tell


class Finder(Protocol):
    """A finder proposes candidates in a picture, of the whole table or with their centres in the given boxes."""

    def find(
        self, image: Image, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]: ...
