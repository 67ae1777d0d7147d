"""Base fit: a base of known size is fitted to the colour steps along its silhouette."""

import math
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model.projection import project_jacobian
from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.vocabulary import Point
from vision.candidates import NetworkScore, Surface
from vision.measurement.base_fit_native import fit_base_native
from vision.measurement.base_fit_numpy import MIN_SCORE, Start, fit_base_numpy
from vision.measurement.rim_features import NO_FEATURES, RimFeatures
from vision.measurement.silhouette import PROFILES, RimProfile
from vision.native import library

_RIM_STEP_MM = 0.8  # one outline point for about each pixel of rim
_FEWEST_POINTS, _MOST_POINTS = 72, 240
# Where a pixel covers more than this, the doubt grows with it: rims are blurred into what lies beside them. Chosen on
# own drawn tables of 0.6 to 2 pixels a millimetre (`python -m benchmarks.detection.synthetic_tables`): coarse ellipses
# held 76 to 92 %.
_COARSE_MM, _COARSE_POWER, _OVAL_COARSE_POWER = 1.0, 2.0, 3.5


@dataclass(frozen=True)
class BaseFit:
    """A fitted base: position, size and covariance. `support` is the share of its rim that the picture confirms."""

    base: RoundBase | OvalBase | RectBase
    at_mm: Point
    profile: RimProfile
    ground: Surface
    covariance_mm2: Floats
    support: float
    strength: float
    bias_mm: float
    rim_width_mm: float
    features: RimFeatures = NO_FEATURES  # by which it is told from what is no base
    turn_rad: float = 0.0  # where its depth runs; which end is its front is not known
    turn_sigma_rad: float = 0.0
    scatter_mm: float = 0.0  # of the steps that were found round the rim, about both its edges
    network_score: NetworkScore | None = None  # of the place where it was looked for
    colour_log_odds: float = 0.0  # log odds that it is a base, by how it looks beside the others
    log_prior: float = 0.0  # of its size, beside a usual one
    size_shares: tuple[tuple[RoundBase | OvalBase | RectBase, float], ...] = ()  # of all sizes that it may be of

    @property
    def size_mm(self) -> float:
        """Its diameter, or that of a disc with as long a rim."""
        return size_mm(self.base)

    @property
    def inradius_mm(self) -> float:
        """Half of its shorter side."""
        return inradius_mm(self.base)

    def covers(self, at_mm: Point) -> bool:
        """Whether a base centred there would stand on most of this one."""
        return math.dist(at_mm, self.at_mm) < 0.7 * self.inradius_mm


def size_mm(base: RoundBase | OvalBase | RectBase) -> float:
    """The diameter of a round base, or about that of a disc with as long a rim."""
    if isinstance(base, RoundBase):
        return base.diameter_mm
    return (base.width_mm + base.depth_mm) / 2


def inradius_mm(base: RoundBase | OvalBase | RectBase) -> float:
    """Half of its shorter side, or its radius."""
    return base.radius_mm if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm) / 2


def fit_base(
    image: Image,
    *,
    start_mm: Point,
    base: RoundBase | OvalBase,
    ground: Surface,
    camera: Camera,
    pose: CameraPose,
    turn_rad: float = 0.0,
    min_score: float = MIN_SCORE,
    profiles: tuple[RimProfile, ...] = PROFILES,
) -> BaseFit | None:
    """Fits the base near `start_mm` (within about 3.5 mm, and 6 degrees of `turn_rad`), under the likeliest of
    `profiles`.

    None if none explains its rim, or a first search finds less than `min_score` of it (1 = a whole clear rim).
    """
    fit = fit_base_numpy if library.KERNEL is None else fit_base_native
    points = min(_MOST_POINTS, max(_FEWEST_POINTS, int(np.pi * size_mm(base) / _RIM_STEP_MM)))
    start = Start(base, start_mm, turn_rad, ground.surface_mm, points, min_score, profiles)
    found = fit(image, start, camera=camera, pose=pose)
    if found is None:
        return None
    larger = _coarseness_factor(base, found.at_mm, ground, camera=camera, pose=pose)
    return BaseFit(
        base=base, ground=ground, at_mm=found.at_mm, profile=found.profile,
        covariance_mm2=larger * found.covariance_mm2,
        support=found.support, strength=found.strength, bias_mm=found.bias_mm,
        rim_width_mm=found.rim_width_mm, features=found.features,
        turn_rad=found.turn_rad, turn_sigma_rad=math.sqrt(larger) * found.turn_sigma_rad, scatter_mm=found.scatter_mm,
    )  # fmt: skip


def _coarseness_factor(
    base: RoundBase | OvalBase, at_mm: Point, ground: Surface, *, camera: Camera, pose: CameraPose
) -> float:
    """How many times larger the covariance is where the picture is coarse."""
    (px_per_mm,) = project_jacobian(np.array([[*at_mm, ground.surface_mm]]), camera=camera, pose=pose)
    mm_per_px = 1 / math.sqrt(max(1e-12, abs(float(np.linalg.det(px_per_mm)))))
    power = _COARSE_POWER if isinstance(base, RoundBase) else _OVAL_COARSE_POWER
    return float(max(1.0, mm_per_px / _COARSE_MM) ** power)
