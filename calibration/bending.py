"""What a lens makes of points before it, whichever model it follows; on the plane of focal length one.

A point behind a lens that is no fisheye, and a place of the picture that no ray reaches, give NaN.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration import fisheye as wide
from calibration.distortion import distort, distort_jacobian, distort_terms_jacobian, undistort

Floats = NDArray[np.float64]


def bend(seen: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """Where points of the camera's frame (N, 3) appear, (N, 2)."""
    return wide.bend(seen, dist) if fisheye else distort(flat(seen), dist)


def bend_slopes(seen: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """d bent / d point, (N, 2, 3)."""
    if fisheye:
        return wide.bend_slopes(seen, dist)
    there = flat(seen)
    out = np.empty((len(seen), 2, 3))
    out[:, :, :2] = distort_jacobian(there, dist) / seen[:, 2, None, None]
    out[:, :, 2] = -np.einsum("nij,nj->ni", out[:, :, :2], there)
    return out


def bend_terms(seen: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """d bent / d dist, (N, 2, len(dist))."""
    return wide.bend_terms(seen, len(dist)) if fisheye else distort_terms_jacobian(flat(seen), dist)


def unbend(bent: Floats, dist: Sequence[float], *, fisheye: bool) -> Floats:
    """Unit rays (N, 3) that appear at these places."""
    if fisheye:
        return wide.unbend(bent, dist)
    there = undistort(bent, dist)
    rays = np.concatenate([there, np.ones((len(there), 1))], axis=1)
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def flat(seen: Floats) -> Floats:
    """(x, y) at depth one; NaN for what is not ahead."""
    ahead = np.where(seen[:, 2] > 0, seen[:, 2], np.nan)
    return np.asarray(seen[:, :2] / ahead[:, None])
