"""Measured bases as the fit would give them, for tests of what is made of them."""

import math
from typing import Any

import numpy as np

from models.base import RoundBase
from models.vocabulary import Point
from vision.facing.facing_estimate import Facing
from vision.measurement.base_fit import BaseFit, RimFeatures
from vision.measurement.silhouette import PROFILES
from vision.rectification.ground_height import Ground
from vision.state_assembly import MeasuredBase


def fit(at_mm: Point = (100.0, 100.0), *, diameter_mm: float = 30.0, **other: Any) -> BaseFit:
    """A good fit; name what shall be otherwise."""
    values: dict[str, Any] = {
        "profile": PROFILES[0],
        "ground": Ground(0.0, 0.0),
        "covariance_mm2": np.eye(2) * 0.01,
        "support": 0.8,
        "strength": 0.9,
        "bias_mm": 0.0,
        "rim_width_mm": 2.2,
        "features": RimFeatures(both=0.4, busy=8.0, grain=3.0, around=1.0),
    }
    return BaseFit(base=RoundBase(diameter_mm=diameter_mm), at_mm=at_mm, **(values | other))


def seen(
    at_mm: Point = (100.0, 100.0),
    *,
    diameter_mm: float = 30.0,
    facing_deg: float | None = None,
    is_either_way: bool = False,
) -> MeasuredBase:
    facing = None
    if facing_deg is not None:
        facing = Facing(math.radians(facing_deg), math.radians(2.0), is_either_way, "front-half")
    return MeasuredBase(fit(at_mm, diameter_mm=diameter_mm), facing)
