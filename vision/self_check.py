"""Self-check of touching bases: the distance of their centres must equal the sum of their radii."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from calibration.arrays import Image
from calibration.pose.locate_table import locate_table
from calibration.self_check.run_checks import compare_length, run_self_check
from calibration.survey.known_lengths import Length
from calibration.view import View
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.self_check import LengthComparison, SelfCheck
from vision.detection.network.finder import NetworkFinder
from vision.locate import measure_and_select
from vision.measurement.base_distance import signed_distance_mm
from vision.measurement.base_fit import BaseFit
from vision.measurement.covariance import independent_covariance

_TAKEN_TO_TOUCH_MM = 1.5  # players who check lay them together; a wider gap is meant


def check_picture(
    image: Image,
    *,
    camera: Camera,
    layout: Layout,
    catalogue: Catalogue,
    card_mm: float | None = None,
    lengths: Sequence[Length] = (),
) -> SelfCheck:
    """The whole self-check of a picture: cards, fiducials, light, and touching bases. Raises: as `run_self_check`."""
    pose = locate_table(image, camera=camera, layout=layout)
    others = touching_bases(image, view=View(camera, pose, layout), catalogue=catalogue)
    return run_self_check(image, camera=camera, layout=layout, card_mm=card_mm, lengths=lengths, others=others)


def touching_bases(image: Image, *, view: View, catalogue: Catalogue) -> tuple[LengthComparison, ...]:
    """Known against measured distance of the centres of every two bases that seem to touch."""
    proposed = NetworkFinder(catalogue, view.layout).find(image, camera=view.camera, pose=view.pose)
    fits = measure_and_select(image, proposed, view=view)
    return tuple(
        _compare_pair(a, b, view.pose)
        for a, b in combinations(fits, 2)
        if abs(signed_distance_mm(a, b)[0]) < _TAKEN_TO_TOUCH_MM
    )


def _compare_pair(a: BaseFit, b: BaseFit, pose: CameraPose) -> LengthComparison:
    apart = np.subtract(b.at_mm, a.at_mm)
    along = apart / np.linalg.norm(apart)
    doubt = independent_covariance(a, pose=pose) + independent_covariance(b, pose=pose)
    return compare_length(
        f"touching bases of {a.size_mm:g} and {b.size_mm:g} mm at {a.at_mm[0]:.0f}, {a.at_mm[1]:.0f}",
        known_mm=_centre_distance_mm(a, b) - signed_distance_mm(a, b)[0],
        measured_mm=_centre_distance_mm(a, b),
        sigma_mm=float(np.sqrt(along @ doubt @ along)),
    )


def _centre_distance_mm(a: BaseFit, b: BaseFit) -> float:
    return float(np.hypot(*np.subtract(b.at_mm, a.at_mm)))
