"""Where lines of sight from several eyes meet: what is seen twice has a height."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sight:
    """Something seen from `eye_mm` on the line through `through_mm`, (3,) each; `covariance_mm2` (2, 2) is that of the
    line's x and y at that height."""

    eye_mm: Floats
    through_mm: Floats
    covariance_mm2: Floats

    @property
    def slant(self) -> Floats:
        """How far the line goes aside for each millimetre that it rises, (2,)."""
        rise = self.eye_mm - self.through_mm
        return np.asarray(rise[:2] / rise[2])


@dataclass(frozen=True)
class Meeting:
    """Where the lines meet as nearly as may be, (3,), with its covariance; `chi_square` says how nearly."""

    at_mm: Floats
    covariance_mm2: Floats
    chi_square: float

    @property
    def height_sigma_mm(self) -> float:
        return float(np.sqrt(self.covariance_mm2[2, 2]))


def meeting(sights: Sequence[Sight]) -> Meeting | None:
    """The place that all of them look at; None when they look along the same line, which leaves the height open."""
    rows = np.concatenate([np.column_stack([np.eye(2), -sight.slant]) for sight in sights])
    seen = np.concatenate([sight.through_mm[:2] - sight.slant * sight.through_mm[2] for sight in sights])
    weights = np.zeros((len(seen), len(seen)))
    for k, sight in enumerate(sights):
        weights[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = np.linalg.inv(sight.covariance_mm2)
    normal = rows.T @ weights @ rows
    if np.ptp([sight.slant for sight in sights], axis=0).max() < _LEAST_SLANT:
        return None
    at = np.linalg.solve(normal, rows.T @ weights @ seen)
    off = seen - rows @ at
    return Meeting(at, np.asarray(np.linalg.inv(normal)), float(off @ weights @ off))


_LEAST_SLANT = 0.02
