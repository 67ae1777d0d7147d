"""Equidistant fisheye: the angle from the axis, not its tangent, becomes the radius.

OpenCV's equidistant model; unlike OpenCV's, it also holds for points beside and behind the camera's plane.
"""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Floats

_ROUNDS = 30


def distort(seen: Floats, dist: Sequence[float]) -> Floats:
    """Distorted image points (N, 2), on the plane of focal length one, of points of the camera's frame (N, 3)."""
    unit, angle, _, _ = _polar_coordinates(seen)
    return unit * _radius(angle, dist)[:, None]


def distort_jacobian(seen: Floats, dist: Sequence[float]) -> Floats:
    """d bent / d point, (N, 2, 3)."""
    unit, angle, away, squared = _polar_coordinates(seen)
    across = _radius(angle, dist) / away
    along = _radius_slope(angle, dist) / squared
    out = np.empty((len(seen), 2, 3))
    uu = unit[:, :, None] * unit[:, None, :]
    out[:, :, :2] = across[:, None, None] * np.eye(2) + (along * seen[:, 2] - across)[:, None, None] * uu
    out[:, :, 2] = -(along * away)[:, None] * unit
    return out


def distort_terms_jacobian(seen: Floats, count: int) -> Floats:
    """d bent / d dist, (N, 2, count)."""
    unit, angle, _, _ = _polar_coordinates(seen)
    powers = np.stack([angle ** (2 * i + 3) for i in range(count)], axis=1)
    return np.asarray(unit[:, :, None] * powers[:, None, :])


def undistort(bent: Floats, dist: Sequence[float]) -> Floats:
    """Unit rays (N, 3) that appear at these distorted image points; NaN where none does."""
    goal = np.maximum(np.hypot(bent[:, 0], bent[:, 1]), 1e-12)
    angle = np.minimum(goal, np.pi)
    for _ in range(_ROUNDS):
        angle = angle + (goal - _radius(angle, dist)) / _radius_slope(angle, dist)
    lost = (np.abs(_radius(angle, dist) - goal) > 1e-10) | (angle < 0) | (angle > np.pi)
    angle = np.where(lost, np.nan, angle)
    unit = bent / goal[:, None]
    return np.concatenate([unit * np.sin(angle)[:, None], np.cos(angle)[:, None]], axis=1)


def _polar_coordinates(seen: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The direction across the axis, the angle from it, the distance from it, and the squared distance from the eye."""
    away = np.maximum(np.hypot(seen[:, 0], seen[:, 1]), 1e-12)
    return seen[:, :2] / away[:, None], np.arctan2(away, seen[:, 2]), away, np.sum(seen**2, axis=1)


def _radius(angle: Floats, dist: Sequence[float]) -> Floats:
    return np.asarray(angle * (1 + sum(k * angle ** (2 * i + 2) for i, k in enumerate(dist))))


def _radius_slope(angle: Floats, dist: Sequence[float]) -> Floats:
    return np.asarray(1 + sum((2 * i + 3) * k * angle ** (2 * i + 2) for i, k in enumerate(dist)))
