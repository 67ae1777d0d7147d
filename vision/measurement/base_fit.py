"""Base fit: a base of known size is fitted to the colour steps along its silhouette, by the compiled kernel."""

import ctypes
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model.projection import is_fisheye, project_jacobian
from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.vocabulary import Point
from vision.candidates import NetworkScore, Surface
from vision.measurement.fit_settings import MIN_SCORE, OVAL_SETTINGS, ROUND_SETTINGS
from vision.measurement.silhouette import PROFILES, RimProfile
from vision.native import library

_RIM_STEP_MM = 0.8  # one outline point for about each pixel of rim
_FEWEST_POINTS, _MOST_POINTS = 72, 240
# Where a pixel covers more than this, the doubt grows with it: rims are blurred into what lies beside them. Chosen on
# own drawn tables of 0.6 to 2 pixels a millimetre (`python -m benchmarks.detection.synthetic_tables`): coarse ellipses
# held 76 to 92 %.
_COARSE_MM, _COARSE_POWER, _OVAL_COARSE_POWER = 1.0, 2.0, 3.5


@dataclass(frozen=True)
class RimFeatures:
    """Features of a rim, which tell a base from a token, a tree or a pattern of the mat that a circle happens to fit.

    Both edges of its rim go most of the way round, something busier than shading stands inside, and the ground around
    is calm enough that this is no chance. `both`: the confidence, 0 to 1, that three quarters of both its edges reach.
    In grey levels: `busy`, what a quarter of the inside changes by along the rim; `grain`, what half of it does across;
    `around`, what half of the ground outside does: a neighbour there is not its pattern.
    """

    both: float
    busy: float
    grain: float
    around: float


NO_FEATURES = RimFeatures(0.0, 0.0, 0.0, 0.0)


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

    Raises: MemoryError.
    """
    is_round, picture, fit = isinstance(base, RoundBase), np.ascontiguousarray(image), library.FitResult()
    sides_mm = (base.depth_mm, base.width_mm) if isinstance(base, OvalBase) else (base.diameter_mm,) * 2
    start = library.Start(*sides_mm, start_mm, turn_rad, ground.surface_mm, min_score, is_round, outline_points(base))
    library.kernel().fit_base(
        _picture(picture), _view(camera, pose), ctypes.byref(start), _profiles(profiles), len(profiles),
        ctypes.byref(ROUND_SETTINGS if is_round else OVAL_SETTINGS), ctypes.byref(fit),
    )  # fmt: skip
    if fit.profile == library.NO_MEMORY:
        raise MemoryError
    if fit.profile < 0:
        return None
    at_mm, (xx, xy, yy) = (fit.at_mm[0], fit.at_mm[1]), fit.covariance_mm2
    larger = coarseness_factor(base, at_mm, ground, camera=camera, pose=pose)
    return BaseFit(
        base=base, ground=ground, at_mm=at_mm, profile=profiles[fit.profile],
        covariance_mm2=larger * np.array([[xx, xy], [xy, yy]]),
        support=fit.support, strength=fit.score, bias_mm=fit.bias_mm, rim_width_mm=fit.rim_width_mm,
        features=RimFeatures(both=fit.both, busy=fit.busy, grain=fit.grain, around=fit.around),
        turn_rad=fit.turn_rad,
        turn_sigma_rad=0.0 if is_round else math.sqrt(larger) * float(fit.turn_variance**0.5),
        scatter_mm=fit.scatter_mm,
    )  # fmt: skip


def outline_points(base: RoundBase | OvalBase) -> int:
    """The number of points on its silhouette at which steps are looked for."""
    return min(_MOST_POINTS, max(_FEWEST_POINTS, int(np.pi * size_mm(base) / _RIM_STEP_MM)))


def coarseness_factor(
    base: RoundBase | OvalBase, at_mm: Point, ground: Surface, *, camera: Camera, pose: CameraPose
) -> float:
    """How many times larger the covariance is where the picture is coarse."""
    (px_per_mm,) = project_jacobian(np.array([[*at_mm, ground.surface_mm]]), camera=camera, pose=pose)
    mm_per_px = 1 / math.sqrt(max(1e-12, abs(float(np.linalg.det(px_per_mm)))))
    power = _COARSE_POWER if isinstance(base, RoundBase) else _OVAL_COARSE_POWER
    return float(max(1.0, mm_per_px / _COARSE_MM) ** power)


def _picture(image: Image) -> Any:
    height, width = image.shape[:2]
    return ctypes.byref(library.Picture(image.ctypes.data, width, height, image.strides[0]))


def _view(camera: Camera, pose: CameraPose) -> Any:
    k, (along, aside, ahead) = camera.K, pose.rotation
    view = library.View(
        (*along, *aside, *ahead), pose.translation_mm, pose.centre_mm, (k[0][0], k[1][1]), (k[0][2], k[1][2]),
        camera.dist, len(camera.dist), is_fisheye(camera),
    )  # fmt: skip
    return ctypes.byref(view)


@lru_cache(64)
def _profiles(profiles: tuple[RimProfile, ...]) -> Any:
    return (library.RimProfile * len(profiles))(*map(_profile, profiles))


def _profile(profile: RimProfile) -> library.RimProfile:
    widths_mm = profile.rim_widths_mm
    return library.RimProfile(profile.top_mm, profile.inset_mm, widths_mm, len(widths_mm))
