"""Covariance propagation: how doubt about camera and pose moves places on the table, all of a picture's alike."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from calibration.arrays import Floats
from calibration.view import View

_TINY_MM = 1e-4


def pose_shifts(points_mm: ArrayLike, *, view: View) -> Floats:
    """Shifts (N, 2, modes) mm of places measured at these heights by one sigma of each mode of the pose."""
    by_pose = view.pose_jacobian(points_mm)
    return _drop_zero_modes(-_to_table_mm(points_mm, by_pose @ modes(view.pose.covariance), view=view))


def lens_shifts(points_mm: ArrayLike, *, view: View) -> Floats:
    """The same for the lens: the pose was found through this lens and took up most of its error.

    Only what the pose could not take up while it kept the markers that it was found by in their places is left.
    """
    by_sigma = modes(view.camera.covariance)
    known = [np.array(marker.corners_mm) for marker in view.used_markers()]
    seen = np.concatenate([*known, np.reshape(np.array(view.pose.held_mm, np.float64), (-1, 3))])
    by_pose = view.pose_jacobian(seen).reshape(-1, 6)
    by_lens = view.camera_jacobian(seen).reshape(-1, len(by_sigma))
    scale = np.linalg.norm(by_pose, axis=0)
    response = -np.linalg.lstsq(by_pose / scale, by_lens @ by_sigma, rcond=None)[0] / scale[:, None]
    moved_px = view.camera_jacobian(points_mm) @ by_sigma
    moved_px += view.pose_jacobian(points_mm) @ response
    return _drop_zero_modes(-_to_table_mm(points_mm, moved_px, view=view))


def sigma_mm(points_mm: ArrayLike, *, view: View) -> Floats:
    """Sigma (N,) of a place by pose and lens, both axes together: the root of the expected square."""
    by_pose = pose_shifts(points_mm, view=view)
    by_lens = lens_shifts(points_mm, view=view)
    return np.asarray(np.sqrt(np.sum(by_pose**2, axis=(1, 2)) + np.sum(by_lens**2, axis=(1, 2))))


def covariance_mm2(shifts: Floats) -> Floats:
    """Covariance (N, 2, 2) of each place alone."""
    return np.asarray(shifts @ shifts.transpose(0, 2, 1))


def _to_table_mm(points_mm: ArrayLike, moved_px: Floats, *, view: View) -> Floats:
    return np.asarray(np.linalg.solve(view.project_jacobian(points_mm), moved_px))


def modes(covariance: Sequence[Sequence[float]]) -> Floats:
    """Independent modes of one sigma, as columns; scaled first, since pixels and distortion terms differ a million."""
    matrix = np.array(covariance)
    sigma = np.sqrt(np.maximum(np.diag(matrix), 0))
    safe = np.where(sigma > 0, sigma, 1)
    values, vectors = np.linalg.eigh(matrix / np.outer(safe, safe))
    return np.asarray(sigma[:, None] * vectors * np.sqrt(np.maximum(values, 0)))


def _drop_zero_modes(shifts: Floats) -> Floats:
    """Without the modes that move no place."""
    return shifts[:, :, np.abs(shifts).max(axis=(0, 1), initial=0) > _TINY_MM]
