"""Bases that touch, for the self-check: their centres are as far apart as their radii together."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.ruler import Length
from calibration.selfcheck import compared, self_check
from calibration.table import locate_table
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.check import Compared, SelfCheck
from models.layout import Layout
from vision.doubt import own_covariance
from vision.fit import RimFit
from vision.gap import gap_mm
from vision.locating import bases_of
from vision.rings import RingFinder

Picture = NDArray[np.uint8]

_TAKEN_TO_TOUCH_MM = 1.5  # players who check lay them together; a wider gap is meant


def checked(
    image: Picture,
    *,
    camera: Camera,
    layout: Layout,
    catalogue: Catalogue,
    card_mm: float | None = None,
    lengths: Sequence[Length] = (),
) -> SelfCheck:
    """The whole self-check of a picture: cards, fiducials, light, and bases that touch. Raises: as `self_check`."""
    pose = locate_table(image, camera=camera, layout=layout)
    others = touching(image, camera=camera, pose=pose, layout=layout, catalogue=catalogue)
    return self_check(image, camera=camera, layout=layout, card_mm=card_mm, lengths=lengths, others=others)


def touching(
    image: Picture, *, camera: Camera, pose: CameraPose, layout: Layout, catalogue: Catalogue
) -> tuple[Compared, ...]:
    """The distance of the centres of every two bases that seem to touch."""
    proposed = RingFinder(catalogue, layout).find(image, camera=camera, pose=pose)
    fits = bases_of(image, proposed, camera=camera, pose=pose, layout=layout)
    return tuple(_pair(a, b, pose) for a, b in combinations(fits, 2) if abs(gap_mm(a, b)[0]) < _TAKEN_TO_TOUCH_MM)


def _pair(a: RimFit, b: RimFit, pose: CameraPose) -> Compared:
    apart = np.subtract(b.at_mm, a.at_mm)
    along = apart / np.linalg.norm(apart)
    doubt = own_covariance(a, pose=pose) + own_covariance(b, pose=pose)
    return compared(
        f"touching bases of {a.size_mm:g} and {b.size_mm:g} mm at {a.at_mm[0]:.0f}, {a.at_mm[1]:.0f}",
        known_mm=_apart_mm(a, b) - gap_mm(a, b)[0],
        measured_mm=_apart_mm(a, b),
        sigma_mm=float(np.sqrt(along @ doubt @ along)),
    )


def _apart_mm(a: RimFit, b: RimFit) -> float:
    return float(np.hypot(*np.subtract(b.at_mm, a.at_mm)))
