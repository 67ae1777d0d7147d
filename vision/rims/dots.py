"""Whether there is a dot between two ticks, and at which side: that side is the front."""

import math

import numpy as np
from numpy.typing import NDArray

from vision.rims.changes import Rim
from vision.rims.ticks import KINDS, paint_apart, places_of

Floats = NDArray[np.float64]

# Log odds of a dot: the constant, and a weight for each trait below (`python -m benchmarks.facings --weigh`).
WEIGHTS: tuple[float, ...] = (2.341, -0.079, 1.001, 1.427, -2.187, -0.346, -0.161, -0.216, -0.255)
_LEAST = 1e-3  # however clear a dot looks, now and then something else does


def share_ahead(rim: Rim, front: int) -> float:
    """The probability that a base with ticks at both sides of this front looks there, and not the opposite way."""
    ahead, behind = (_probability(traits_of_dot(rim, front, at)) for at in (front, front + rim.count // 2))
    toward, away, neither = ahead * (1 - behind), behind * (1 - ahead), (1 - ahead) * (1 - behind)
    return (toward + neither / 2) / (toward + away + neither)


def traits_of_dot(rim: Rim, front: int, at: int) -> tuple[float, ...]:
    """Of the bump near a place between the ticks of this front: how large it is, also beside the ticks; how unlike
    them, in the colour itself too; whether basing or ground shows it too; how far from its place it is."""
    bumps, ticks = rim.bumps, places_of(rim, KINDS["ticks"], front)
    usual = bumps.shift[ticks].mean(axis=0)
    length = float(np.linalg.norm(usual)) + 1e-9
    spot = int(bumps.near[at % rim.count])
    off = abs((spot - at + rim.count // 2) % rim.count - rim.count // 2) * rim.strip.step_mm
    unlike = float(np.linalg.norm(bumps.shift[spot] - usual)) / length
    size = float(bumps.size[spot])
    return (
        math.log(size + 2), math.log(size / bumps.noise + 0.5), math.log(min(size / length, 4.0) + 0.1),
        min(unlike, 2.0), min(float(bumps.beyond[spot]), 1.2), off, *paint_apart(rim, [*ticks, spot]),
    )  # fmt: skip


def _probability(traits: tuple[float, ...]) -> float:
    odds = WEIGHTS[0] + float(np.dot(WEIGHTS[1:], traits))
    return float(np.clip(1 / (1 + np.exp(-np.clip(odds, -40.0, 40.0))), _LEAST, 1 - _LEAST))
