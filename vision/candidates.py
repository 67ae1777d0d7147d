"""Where a base may lie: the seam between finding and measuring.

A `Finder` proposes, the fit measures. Any finder will do that puts a candidate within about 3 mm of each base, and a few
too many do no harm.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.base import RoundBase
from models.camera import Camera, CameraPose
from models.words import Point
from vision.ground import Ground

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Candidate:
    """A base of this size may stand about here, on this ground. `score` orders candidates of one finder."""

    base: RoundBase
    at_mm: Point
    ground: Ground
    score: float


class Finder(Protocol):
    """Proposes bases in a picture; `within` limits the search to boxes (x0, y0, x1, y1) in mm when given."""

    def find(self, image: Picture, *, camera: Camera, pose: CameraPose) -> tuple[Candidate, ...]: ...
