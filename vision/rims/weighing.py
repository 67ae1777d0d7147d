"""What speaks for a reading of a rim, weighed: log odds by logistic regression on drawn rims.

The weights are of such as `python -m benchmarks.facings --weigh` prints.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """One way in which a rim may be marked: the place of its front, and what speaks for it.

    `weighed`: its log odds once other rims were looked at.
    """

    marking: str
    front: int
    traits: tuple[float, ...]
    weighed: float | None = None

    @property
    def log_odds(self) -> float:
        """That the rim is marked so, and faces there."""
        if self.weighed is not None:
            return self.weighed
        weights = WEIGHTS[self.marking]
        return weights[0] + float(np.dot(weights[1:], self.traits))

    @property
    def probability(self) -> float:
        return float(1 / (1 + np.exp(-np.clip(self.log_odds, -40.0, 40.0))))


def tops(values: Floats, count: int, *, away: int) -> list[int]:
    """The places of the highest values, each so far from the others; the ends are joined."""
    left, found = values.copy(), []
    for _ in range(count):
        best = int(left.argmax())
        found.append(best)
        left[(np.arange(-away, away + 1) + best) % len(left)] = -np.inf
    return found


def lead(values: Floats, at: int, *, away: int) -> float:
    """By how much this place leads all that are not near it; the ends are joined."""
    off = np.abs((np.arange(len(values)) - at + len(values) // 2) % len(values) - len(values) // 2)
    return float(values[at] - values[off > away].max())


def signed_log(value: float) -> float:
    return float(np.sign(value) * np.log1p(abs(value)))


# The constant, and a weight for each trait.
WEIGHTS: dict[str, tuple[float, ...]] = {
    "front-half": (
        -9.145,
        1.26,
        0.256,
        0.808,
        0.198,
        -0.391,
        1.213,
        0.723,
        -1.626,
        -1.404,
        0.164,
        0.534,
        0.342,
        0.256,
        0.074,
    ),
    "left tick+dot": (2.404, -0.753, -0.104, 0.537, -0.362, -0.213, 0.004, -1.75, -1.368, -1.364, 1.537, 0.161, -0.112),
    "notch": (-5.03, 0.284, 0.284, 0.083, 0, 0, 0, -0.571, -1.081, -1.104, 0, -0.025, 0.025),
    "right tick+dot": (1.94, -0.567, -0.03, 0.411, -0.538, -0.228, 0.028, -1.821, -1.224, -1.499, 1.513, 0.149, -0.087),
    "ticks": (-3.644, -0.692, 1.572, 1.524, -1.376, -0.372, 0.063, -0.122, -0.942, -2.034, 0, -0.162, 0.195),
    "ticks+dot": (-0.107, -0.358, 0.519, 1.232, -1.804, -0.087, -0.017, -1.322, -0.656, -1.56, 0, -0.012, 0.112),
}
