"""Measured bases as the fit would give them, for tests of what is made of them."""

import math
from typing import Any

import numpy as np

from models.base import RoundBase
from models.words import Point
from vision.candidates import Ground
from vision.facing import Facing
from vision.fit import RimFit
from vision.locating import SeenBase
from vision.outline import PROFILES
from vision.traits import Traits


def fit(at_mm: Point = (100.0, 100.0), *, diameter_mm: float = 30.0, **other: Any) -> RimFit:
    """A good fit; name what shall be otherwise."""
    values: dict[str, Any] = {
        "profile": PROFILES[0],
        "ground": Ground(0.0, 0.0),
        "covariance_mm2": np.eye(2) * 0.01,
        "support": 0.8,
        "strength": 0.9,
        "bias_mm": 0.0,
        "lip_mm": 2.2,
        "traits": Traits(both=0.4, busy=8.0, grain=3.0, around=1.0),
    }
    return RimFit(base=RoundBase(diameter_mm=diameter_mm), at_mm=at_mm, **(values | other))


def seen(
    at_mm: Point = (100.0, 100.0),
    *,
    diameter_mm: float = 30.0,
    facing_deg: float | None = None,
    is_either_way: bool = False,
) -> SeenBase:
    facing = None
    if facing_deg is not None:
        facing = Facing(math.radians(facing_deg), math.radians(2.0), is_either_way, "front-half")
    return SeenBase(fit(at_mm, diameter_mm=diameter_mm), facing)
