"""Which fiducial does not lie where the layout says, by what the others say of its place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import picture
from calibration.card import card_at
from calibration.doubt import covariance_mm2, pose_shifts
from calibration.pose import fit
from calibration.sighting import Sighting, look
from models.camera import Camera, CameraPose
from models.layout import Layout

Floats = NDArray[np.float64]

_LEAST_MM = 0.5
_SIGMAS = 4.0
_CLEARLY = 0.7  # of the residual that any other explanation leaves
_FEWEST = 3


@dataclass(frozen=True)
class Stray:
    """A fiducial and how far it lies off its written place; `is_sure`: the others agree once it is left out."""

    id: int
    off_mm: float
    is_sure: bool


def stray(image: picture.Image, *, layout: Layout, camera: Camera, pose: CameraPose) -> Stray | None:
    """The fiducial that is off its place; None when all agree, or when there are too few to say."""
    fiducials = layout.fiducials
    looks = (look(image, marker, fiducials=fiducials, camera=camera, pose=pose) for marker in fiducials.markers)
    seen = [one for one in looks if one is not None]
    if len(seen) < _FEWEST:
        return None
    offs = [_without(image, i, seen, layout=layout, camera=camera, pose=pose) for i in range(len(seen))]
    if not any(off_mm > limit_mm for off_mm, limit_mm, _ in offs):
        return None
    order = sorted(range(len(offs)), key=lambda i: offs[i][2])
    best, next_ = order[0], order[1]
    return Stray(seen[best].marker.id, offs[best][0], is_sure=offs[best][2] < _CLEARLY * offs[next_][2])


def _without(
    image: picture.Image, i: int, seen: Sequence[Sighting], *, layout: Layout, camera: Camera, pose: CameraPose
) -> tuple[float, float, float]:
    """How far this fiducial is from where the others put it, how far chance may, and what misfit the others keep."""
    fiducials = layout.fiducials
    rest = fit([one for k, one in enumerate(seen) if k != i], pose=pose, fiducials=fiducials)
    marker = seen[i].marker
    corners = np.array(marker.corners_mm)
    card = card_at(
        image, marker.id, corners, fiducials=fiducials, size_mm=fiducials.marker_mm, camera=camera, pose=rest.pose
    )
    if card is None:
        return 0.0, np.inf, np.inf
    middle = corners.mean(axis=0)
    off_mm = float(np.linalg.norm((card.tag.middle_mm - middle)[:2]))
    doubt = covariance_mm2(pose_shifts(middle[None], camera=camera, pose=rest.pose))[0]
    sigma_mm = float(np.sqrt(np.trace(doubt) / 2 + fiducials.sigma_mm**2))
    return off_mm, max(_LEAST_MM, _SIGMAS * sigma_mm), rest.pose.rms_mm
