"""Outlier fiducial: the one that does not lie where the layout says, by leaving each out in turn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Image
from calibration.pose.covariance_propagation import covariance_mm2, pose_shifts
from calibration.pose.fiducial_residuals import FiducialEdges, measure_fiducial
from calibration.pose.pose_fit import fit_pose
from calibration.self_check.printed_card import measure_card
from calibration.view import View

_LEAST_MM = 0.5
_SIGMAS = 4.0
_CLEARLY = 0.7  # of the residual that any other explanation leaves
_FEWEST = 3


@dataclass(frozen=True)
class OutlierFiducial:
    """Fiducial and how far it lies off its written place; `is_sure`: the others agree once it is left out."""

    id: int
    off_mm: float
    is_sure: bool


def find_outlier_fiducial(image: Image, *, view: View) -> OutlierFiducial | None:
    """The fiducial that is off its place; None when all agree, or when there are too few to say."""
    fiducials = view.layout.fiducials
    looks = (
        measure_fiducial(image, marker, fiducials=fiducials, camera=view.camera, pose=view.pose)
        for marker in fiducials.markers
    )
    seen = [edges for edges in looks if edges is not None]
    if len(seen) < _FEWEST:
        return None
    offs = [_leave_one_out(image, i, seen, view=view) for i in range(len(seen))]
    if not any(off_mm > limit_mm for off_mm, limit_mm, _ in offs):
        return None
    order = sorted(range(len(offs)), key=lambda i: offs[i][2])
    best, next_ = order[0], order[1]
    return OutlierFiducial(seen[best].marker.id, offs[best][0], is_sure=offs[best][2] < _CLEARLY * offs[next_][2])


def _leave_one_out(image: Image, i: int, seen: Sequence[FiducialEdges], *, view: View) -> tuple[float, float, float]:
    """How far this fiducial is from where the others put it, how far chance may, and what misfit the others keep."""
    fiducials = view.layout.fiducials
    rest = fit_pose([edges for k, edges in enumerate(seen) if k != i], pose=view.pose, fiducials=fiducials)
    marker = seen[i].marker
    corners = np.array(marker.corners_mm)
    by_rest = view.with_pose(rest.pose)
    card = measure_card(image, marker.id, corners, view=by_rest, size_mm=fiducials.marker_mm)
    if card is None:
        return 0.0, np.inf, np.inf
    middle = corners.mean(axis=0)
    off_mm = float(np.linalg.norm((card.tag.middle_mm - middle)[:2]))
    doubt = covariance_mm2(pose_shifts(middle[None], view=by_rest))[0]
    sigma_mm = float(np.sqrt(np.trace(doubt) / 2 + fiducials.sigma_mm**2))
    return off_mm, max(_LEAST_MM, _SIGMAS * sigma_mm), rest.pose.rms_mm
