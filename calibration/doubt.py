"""How the doubt about camera and pose moves places on the table: errors that all of a picture's places share."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import camera_jacobian, pose_jacobian, project_jacobian
from models.camera import Camera, CameraPose
from models.layout import Marker

Floats = NDArray[np.float64]

_TINY_MM = 1e-4


def pose_shifts(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """How one sigma of each independent mode of the pose moves places measured at these heights, (N, 2, modes) mm."""
    by_pose = pose_jacobian(points_mm, camera=camera, pose=pose)
    return _kept(-_on_table(points_mm, by_pose @ modes(pose.covariance), camera=camera, pose=pose))


def lens_shifts(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose, markers: Sequence[Marker]) -> Floats:
    """The same for the lens, (N, 2, modes) mm: the pose was found through this lens and took up most of its error.

    Only what the pose could not take up while it kept the markers that it was found by in their places is left.
    """
    by_sigma = modes(camera.covariance)
    known = [np.array(marker.corners_mm) for marker in markers if marker.id in pose.markers]
    seen = np.concatenate([*known, np.reshape(np.array(pose.held_mm, np.float64), (-1, 3))])
    by_pose = pose_jacobian(seen, camera=camera, pose=pose).reshape(-1, 6)
    by_lens = camera_jacobian(seen, camera=camera, pose=pose).reshape(-1, len(by_sigma))
    scale = np.linalg.norm(by_pose, axis=0)
    response = -np.linalg.lstsq(by_pose / scale, by_lens @ by_sigma, rcond=None)[0] / scale[:, None]
    there = camera_jacobian(points_mm, camera=camera, pose=pose) @ by_sigma
    there += pose_jacobian(points_mm, camera=camera, pose=pose) @ response
    return _kept(-_on_table(points_mm, there, camera=camera, pose=pose))


def sigma_mm(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose, markers: Sequence[Marker]) -> Floats:
    """How far pose and lens may put a place off, both axes together: the root of the expected square, (N,)."""
    by_pose = pose_shifts(points_mm, camera=camera, pose=pose)
    by_lens = lens_shifts(points_mm, camera=camera, pose=pose, markers=markers)
    return np.asarray(np.sqrt(np.sum(by_pose**2, axis=(1, 2)) + np.sum(by_lens**2, axis=(1, 2))))


def covariance_mm2(shifts: Floats) -> Floats:
    """(N, 2, 2): the doubt about each place alone."""
    return np.asarray(shifts @ shifts.transpose(0, 2, 1))


def _on_table(points_mm: ArrayLike, moved_px: Floats, *, camera: Camera, pose: CameraPose) -> Floats:
    return np.asarray(np.linalg.solve(project_jacobian(points_mm, camera=camera, pose=pose), moved_px))


def modes(covariance: Sequence[Sequence[float]]) -> Floats:
    """Independent modes of one sigma, as columns; scaled first, since pixels and distortion terms differ a million."""
    matrix = np.array(covariance)
    sigma = np.sqrt(np.maximum(np.diag(matrix), 0))
    safe = np.where(sigma > 0, sigma, 1)
    values, vectors = np.linalg.eigh(matrix / np.outer(safe, safe))
    return np.asarray(sigma[:, None] * vectors * np.sqrt(np.maximum(values, 0)))


def _kept(shifts: Floats) -> Floats:
    """Without the modes that move no place."""
    return shifts[:, :, np.abs(shifts).max(axis=(0, 1), initial=0) > _TINY_MM]
