"""The measurement: a base of known size, fitted to the colour steps along its outline."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lens import project_jacobian
from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.words import Point
from vision import compiled, fitting
from vision.candidates import Ground, Opinion
from vision.outline import PROFILES, RimProfile
from vision.traits import NOT_LOOKED_AT, Traits

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

_RIM_STEP_MM = 0.8  # one outline point for about each pixel of rim
_FEWEST_POINTS, _MOST_POINTS = 72, 240
# Where a pixel covers more than this, the doubt grows with it: rims are blurred into what lies beside them. Chosen on
# own drawn tables of 0.6 to 2 pixels a millimetre (`python -m benchmarks.drawn`): coarse ellipses held 76 to 92 %.
_COARSE_MM, _COARSE_POWER, _OVAL_COARSE_POWER = 1.0, 2.0, 3.5


@dataclass(frozen=True)
class RimFit:
    """A base placed on the table. `support` is the share of its rim that the picture confirms."""

    base: RoundBase | OvalBase | RectBase
    at_mm: Point
    profile: RimProfile
    ground: Ground
    covariance_mm2: Floats
    support: float
    strength: float
    bias_mm: float
    lip_mm: float
    traits: Traits = NOT_LOOKED_AT  # by which it is told from what is no base
    turn_rad: float = 0.0  # where its depth runs; which end is its front is not known
    turn_sigma_rad: float = 0.0
    scatter_mm: float = 0.0  # of the steps that were found round the rim, about both its edges
    opinion: Opinion | None = None  # of the place where it was looked for
    resemblance: float = 0.0  # log odds that it is a base, by how it looks beside the others

    @property
    def size_mm(self) -> float:
        """Its diameter, or that of a disc with as long a rim."""
        return size_mm(self.base)

    @property
    def small_mm(self) -> float:
        """Half of its shorter side."""
        return small_mm(self.base)

    def covers(self, at_mm: Point) -> bool:
        """Whether a base centred there would stand on most of this one."""
        return bool(np.hypot(*np.subtract(at_mm, self.at_mm)) < 0.7 * self.small_mm)


def size_mm(base: RoundBase | OvalBase | RectBase) -> float:
    """The diameter of a round base, or about that of a disc with as long a rim."""
    if isinstance(base, RoundBase):
        return base.diameter_mm
    return (base.width_mm + base.depth_mm) / 2


def small_mm(base: RoundBase | OvalBase | RectBase) -> float:
    """Half of its shorter side, or its radius."""
    return base.radius_mm if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm) / 2


def fit_rim(
    image: Picture,
    *,
    start_mm: Point,
    base: RoundBase | OvalBase,
    ground: Ground,
    camera: Camera,
    pose: CameraPose,
    turn_rad: float = 0.0,
    least: float = fitting.LEAST,
    makes: tuple[RimProfile, ...] = PROFILES,
) -> RimFit | None:
    """The base near `start_mm` (within about 3.5 mm, and 6 degrees of `turn_rad`), in whichever of these makes explains
    its rim better; None if none does, or a first search finds less than `least` of it (1 = a whole clear rim)."""
    fitted = fitting.fitted if compiled.KERNEL is None else compiled.fitted
    points = min(_MOST_POINTS, max(_FEWEST_POINTS, int(np.pi * size_mm(base) / _RIM_STEP_MM)))
    start = fitting.Start(base, start_mm, turn_rad, ground.surface_mm, points, least, makes)
    found = fitted(image, start, camera=camera, pose=pose)
    if found is None:
        return None
    larger = _doubt_of(base, found.at_mm, ground, camera=camera, pose=pose)
    return RimFit(
        base=base, ground=ground, at_mm=found.at_mm, profile=found.profile,
        covariance_mm2=larger * found.covariance_mm2,
        support=found.support, strength=found.strength, bias_mm=found.bias_mm, lip_mm=found.lip_mm, traits=found.traits,
        turn_rad=found.turn_rad, turn_sigma_rad=math.sqrt(larger) * found.turn_sigma_rad, scatter_mm=found.scatter_mm,
    )  # fmt: skip


def _doubt_of(base: RoundBase | OvalBase, at_mm: Point, ground: Ground, *, camera: Camera, pose: CameraPose) -> float:
    """How many times larger the covariance is where the picture is coarse."""
    (px_per_mm,) = project_jacobian(np.array([[*at_mm, ground.surface_mm]]), camera=camera, pose=pose)
    mm_per_px = 1 / math.sqrt(max(1e-12, abs(float(np.linalg.det(px_per_mm)))))
    power = _COARSE_POWER if isinstance(base, RoundBase) else _OVAL_COARSE_POWER
    return float(max(1.0, mm_per_px / _COARSE_MM) ** power)
