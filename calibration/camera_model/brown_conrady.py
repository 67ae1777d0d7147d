"""Brown-Conrady distortion, with OpenCV's terms: its derivatives and its inverse.

Points are (N, 2): (x, y) of a ray at depth one in the camera's frame.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from calibration.arrays import Floats

_TERMS = 12  # k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4, OpenCV's order; the tilted sensor is not modelled
_ROUNDS = 30
_CLOSE = 1e-12  # of the depth-one plane: below 1e-8 px for any camera


def distort(points: Floats, dist: Sequence[float]) -> Floats:
    """Distorted image points of the rays through `points`, on the depth-one plane."""
    c = _pad_terms(dist)
    x, y = points.T
    r2 = x * x + y * y
    radial, _ = _radial_factor(r2, c)
    xd = x * radial + 2 * c[2] * x * y + c[3] * (r2 + 2 * x * x) + c[8] * r2 + c[9] * r2 * r2
    yd = y * radial + c[2] * (r2 + 2 * y * y) + 2 * c[3] * x * y + c[10] * r2 + c[11] * r2 * r2
    return np.stack([xd, yd], axis=1)


def distort_jacobian(points: Floats, dist: Sequence[float]) -> Floats:
    """d distorted / d point, (N, 2, 2)."""
    c = _pad_terms(dist)
    x, y = points.T
    r2 = x * x + y * y
    radial, slope = _radial_factor(r2, c)
    cross = 2 * x * y * slope + 2 * c[2] * x + 2 * c[3] * y
    prism_x, prism_y = c[8] + 2 * c[9] * r2, c[10] + 2 * c[11] * r2
    out = np.empty((len(points), 2, 2))
    out[:, 0, 0] = radial + 2 * x * x * slope + 2 * c[2] * y + 6 * c[3] * x + 2 * x * prism_x
    out[:, 0, 1] = cross + 2 * y * prism_x
    out[:, 1, 0] = cross + 2 * x * prism_y
    out[:, 1, 1] = radial + 2 * y * y * slope + 6 * c[2] * y + 2 * c[3] * x + 2 * y * prism_y
    return out


def distort_terms_jacobian(points: Floats, dist: Sequence[float]) -> Floats:
    """d distorted / d dist, (N, 2, len(dist))."""
    c = _pad_terms(dist)
    x, y = points.T
    r2 = x * x + y * y
    above = 1 + c[0] * r2 + c[1] * r2**2 + c[4] * r2**3
    below = 1 + c[5] * r2 + c[6] * r2**2 + c[7] * r2**3
    powers = points[:, :, None] * np.stack([r2, r2**2, r2**3], axis=1)[:, None, :]  # (N, 2, 3)
    out = np.zeros((len(points), 2, _TERMS))
    out[:, :, [0, 1, 4]] = powers / below[:, None, None]
    out[:, :, 5:8] = -powers * (above / below**2)[:, None, None]
    out[:, :, 2] = np.stack([2 * x * y, r2 + 2 * y * y], axis=1)
    out[:, :, 3] = np.stack([r2 + 2 * x * x, 2 * x * y], axis=1)
    out[:, 0, 8], out[:, 0, 9] = r2, r2**2
    out[:, 1, 10], out[:, 1, 11] = r2, r2**2
    return out[:, :, : len(dist)]


def undistort(points: ArrayLike, dist: Sequence[float]) -> Floats:
    """Undistorted rays that appear at these `points`; NaN where no ray does (outside of the lens model)."""
    goal = np.asarray(points, np.float64)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return _solve_undistortion(goal, dist)


def _solve_undistortion(goal: Floats, dist: Sequence[float]) -> Floats:
    """Newton's method; a point that diverges overflows on the way."""
    undistorted = goal.copy()
    for _ in range(_ROUNDS):
        miss = goal - distort(undistorted, dist)
        if not np.any(np.abs(miss) > _CLOSE):
            return undistorted
        undistorted = undistorted + _solve2(distort_jacobian(undistorted, dist), miss)
    undistorted[np.any(~(np.abs(miss) < 1e-9), axis=1)] = np.nan
    return undistorted


def _solve2(matrix: Floats, right: Floats) -> Floats:
    """Solve N systems of two; by Cramer's rule, since a general solver costs ten times as much."""
    (a, b), (c, d) = matrix[:, 0].T, matrix[:, 1].T
    u = (d * right[:, 0] - b * right[:, 1]) / (a * d - b * c)
    v = (a * right[:, 1] - c * right[:, 0]) / (a * d - b * c)
    return np.stack([u, v], axis=1)


def _pad_terms(dist: Sequence[float]) -> Floats:
    out = np.zeros(_TERMS)
    out[: len(dist)] = dist
    return out


def _radial_factor(r2: Floats, c: Floats) -> tuple[Floats, Floats]:
    """The radial factor and its derivative by r squared."""
    above = 1 + r2 * (c[0] + r2 * (c[1] + r2 * c[4]))
    below = 1 + r2 * (c[5] + r2 * (c[6] + r2 * c[7]))
    above_slope = c[0] + r2 * (2 * c[1] + r2 * 3 * c[4])
    below_slope = c[5] + r2 * (2 * c[6] + r2 * 3 * c[7])
    return above / below, (above_slope * below - above * below_slope) / below**2
