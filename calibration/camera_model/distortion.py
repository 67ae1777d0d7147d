"""Lens distortion under either model: points before the lens to the plane of focal length one, and back.

A point behind a lens that is no fisheye, and a place of the image that no ray reaches, give NaN.
"""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Floats
from calibration.camera_model import brown_conrady
from calibration.camera_model import fisheye as equidistant


def distort(points: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """Distorted image points (N, 2) of points of the camera's frame (N, 3)."""
    if fisheye:
        return equidistant.distort(points, dist)
    return brown_conrady.distort(perspective_divide(points), dist)


def distort_jacobian(points: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """d distorted / d point, (N, 2, 3)."""
    if fisheye:
        return equidistant.distort_jacobian(points, dist)
    flat = perspective_divide(points)
    out = np.empty((len(points), 2, 3))
    out[:, :, :2] = brown_conrady.distort_jacobian(flat, dist) / points[:, 2, None, None]
    out[:, :, 2] = -np.einsum("nij,nj->ni", out[:, :, :2], flat)
    return out


def distort_terms_jacobian(points: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """d distorted / d dist, (N, 2, len(dist))."""
    if fisheye:
        return equidistant.distort_terms_jacobian(points, len(dist))
    return brown_conrady.distort_terms_jacobian(perspective_divide(points), dist)


def undistort(distorted: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """Unit rays (N, 3) that appear at these distorted image points."""
    if fisheye:
        return equidistant.undistort(distorted, dist)
    flat = brown_conrady.undistort(distorted, dist)
    rays = np.concatenate([flat, np.ones((len(flat), 1))], axis=1)
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def perspective_divide(points: Floats) -> Floats:
    """(x, y) at depth one; NaN for what is not ahead."""
    ahead = np.where(points[:, 2] > 0, points[:, 2], np.nan)
    return np.asarray(points[:, :2] / ahead[:, None])
