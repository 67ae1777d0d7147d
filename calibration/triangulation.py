"""Triangulation: where viewing rays of several cameras meet; what is seen twice has a height."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats

_LEAST_SLANT = 0.02  # by which the slants of two rays must differ


@dataclass(frozen=True)
class ViewingRay:
    """Ray from `eye_mm` through `through_mm`, (3,) each; `covariance_mm2` (2, 2) is of its x and y at that height."""

    eye_mm: Floats
    through_mm: Floats
    covariance_mm2: Floats

    @property
    def slant(self) -> Floats:
        """How far the line goes aside for each millimetre that it rises, (2,)."""
        rise = self.eye_mm - self.through_mm
        return np.asarray(rise[:2] / rise[2])


@dataclass(frozen=True)
class Intersection:
    """Point nearest to all rays, (3,), with its covariance; `chi_square` says how nearly they meet."""

    at_mm: Floats
    covariance_mm2: Floats
    chi_square: float

    @property
    def height_sigma_mm(self) -> float:
        return float(np.sqrt(self.covariance_mm2[2, 2]))


def triangulate(rays: Sequence[ViewingRay]) -> Intersection | None:
    """Intersect the rays; None when they look along the same line, which leaves the height open."""
    rows = np.concatenate([np.column_stack([np.eye(2), -ray.slant]) for ray in rays])
    seen = np.concatenate([ray.through_mm[:2] - ray.slant * ray.through_mm[2] for ray in rays])
    weights = np.zeros((len(seen), len(seen)))
    for k, ray in enumerate(rays):
        weights[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = np.linalg.inv(ray.covariance_mm2)
    normal = rows.T @ weights @ rows
    if np.ptp([ray.slant for ray in rays], axis=0).max() < _LEAST_SLANT:
        return None
    at = np.linalg.solve(normal, rows.T @ weights @ seen)
    off = seen - rows @ at
    return Intersection(at, np.asarray(np.linalg.inv(normal)), float(off @ weights @ off))
