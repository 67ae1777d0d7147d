"""Projection: table millimetres to pixels and back, with derivatives.

All functions take many points at once. Image coordinates are OpenCV's: integers at pixel centres. A point behind the
camera, or a pixel that no ray of the lens model reaches, gives NaN.
"""

import numpy as np
from numpy.typing import ArrayLike

from calibration.arrays import Floats
from calibration.camera_model.distortion import (
    distort,
    distort_jacobian,
    distort_terms_jacobian,
    perspective_divide,
    undistort,
)
from models.camera import Camera, CameraPose


def project(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """Pixels (N, 2) of points of the table frame (N, 3)."""
    seen = to_camera_frame(points_mm, pose=pose)
    focal, centre = _pinhole(camera)
    return distort(seen, camera.dist, fisheye=is_fisheye(camera)) * focal + centre


def rays(points_px: ArrayLike, *, camera: Camera, pose: CameraPose) -> tuple[Floats, Floats]:
    """Camera centre (3,) mm and unit directions (N, 3) of these pixels' rays, in the table frame."""
    rotation = np.array(pose.rotation)
    return -rotation.T @ np.array(pose.translation_mm), _camera_rays(points_px, camera) @ rotation


def intersect_plane(points_px: ArrayLike, *, camera: Camera, pose: CameraPose, z_mm: ArrayLike) -> Floats:
    """Intersections (N, 2) mm of these pixels' rays with the plane at `z_mm` (one for all, or one each)."""
    origin, directions = rays(points_px, camera=camera, pose=pose)
    with np.errstate(divide="ignore", invalid="ignore"):
        length = (np.asarray(z_mm, np.float64) - origin[2]) / directions[:, 2]
    return origin[:2] + np.where(length > 0, length, np.nan)[:, None] * directions[:, :2]


def project_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (x_mm, y_mm) of a point of the table, (N, 2, 2)."""
    return point_jacobian(points_mm, camera=camera, pose=pose)[:, :, :2]


def point_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (x_mm, y_mm, z_mm) of a point of the table, (N, 2, 3)."""
    return np.asarray(_projection_jacobian(to_camera_frame(points_mm, pose=pose), camera) @ np.array(pose.rotation))


def pose_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (small turn on the camera's side, t), (N, 2, 6): the parameters of `CameraPose.covariance`."""
    seen = to_camera_frame(points_mm, pose=pose)
    by_camera = _projection_jacobian(seen, camera)
    turned = seen - np.array(pose.translation_mm)
    return np.concatenate([by_camera @ -_cross_matrices(turned), by_camera], axis=2)


def camera_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (fx, fy, cx, cy, *dist), (N, 2, 4 + terms): the parameters of `Camera.covariance`."""
    seen = to_camera_frame(points_mm, pose=pose)
    fisheye = is_fisheye(camera)
    focal, _ = _pinhole(camera)
    out = np.zeros((len(seen), 2, 4 + len(camera.dist)))
    out[:, 0, 0], out[:, 1, 1] = distort(seen, camera.dist, fisheye=fisheye).T
    out[:, 0, 2] = out[:, 1, 3] = 1
    out[:, :, 4:] = distort_terms_jacobian(seen, camera.dist, fisheye=fisheye) * focal[:, None]
    return out


def normalise(points_px: ArrayLike, *, camera: Camera) -> Floats:
    """Normalised image points of these pixels: undistorted, (x, y) at depth one, (N, 2)."""
    return perspective_divide(_camera_rays(points_px, camera))


def to_camera_frame(points_mm: ArrayLike, *, pose: CameraPose) -> Floats:
    """Points of the table frame in the camera's: x right, y down, z ahead, (N, 3) mm."""
    points = np.asarray(points_mm, np.float64).reshape(-1, 3)
    seen: Floats = points @ np.array(pose.rotation).T + np.array(pose.translation_mm)
    return seen


def is_fisheye(camera: Camera) -> bool:
    """Whether the camera follows the fisheye model."""
    return camera.model == "fisheye"


def _pinhole(camera: Camera) -> tuple[Floats, Floats]:
    k = camera.K
    return np.array([k[0][0], k[1][1]]), np.array([k[0][2], k[1][2]])


def _camera_rays(points_px: ArrayLike, camera: Camera) -> Floats:
    """Unit rays in the camera's frame."""
    focal, centre = _pinhole(camera)
    bent: Floats = (np.asarray(points_px, np.float64).reshape(-1, 2) - centre) / focal
    return undistort(bent, camera.dist, fisheye=is_fisheye(camera))


def _projection_jacobian(seen: Floats, camera: Camera) -> Floats:
    """d px / d point in the camera's frame, (N, 2, 3)."""
    focal, _ = _pinhole(camera)
    return distort_jacobian(seen, camera.dist, fisheye=is_fisheye(camera)) * focal[:, None]


def _cross_matrices(vectors: Floats) -> Floats:
    """The matrices that multiply as the cross product with these vectors, (N, 3, 3)."""
    out = np.zeros((len(vectors), 3, 3))
    x, y, z = vectors.T
    out[:, 0, 1], out[:, 0, 2] = -z, y
    out[:, 1, 0], out[:, 1, 2] = z, -x
    out[:, 2, 0], out[:, 2, 1] = -y, x
    return out
