"""Between table millimetres and pixels, both ways, with derivatives.

All functions take many points at once. Image coordinates are OpenCV's: integers at pixel centres. A point behind the
camera, or a pixel that no ray of the lens model reaches, gives NaN.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.bending import bend, bend_slopes, bend_terms, flat, unbend
from models.camera import Camera, CameraPose

Floats = NDArray[np.float64]


def project(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """Where points of the table frame (N, 3) appear, (N, 2) px."""
    seen = in_camera(points_mm, pose=pose)
    focal, centre = _pinhole(camera)
    return bend(seen, camera.dist, fisheye=is_fisheye(camera)) * focal + centre


def rays(points_px: ArrayLike, *, camera: Camera, pose: CameraPose) -> tuple[Floats, Floats]:
    """The camera's centre (3,) mm and the unit directions (N, 3) that these pixels look along, in the table frame."""
    rotation = np.array(pose.rotation)
    return -rotation.T @ np.array(pose.translation_mm), _unbent(points_px, camera) @ rotation


def on_plane(points_px: ArrayLike, *, camera: Camera, pose: CameraPose, z_mm: ArrayLike) -> Floats:
    """Where these pixels' rays meet the height `z_mm` (one for all, or one each), (N, 2) table mm."""
    origin, directions = rays(points_px, camera=camera, pose=pose)
    with np.errstate(divide="ignore", invalid="ignore"):
        length = (np.asarray(z_mm, np.float64) - origin[2]) / directions[:, 2]
    return origin[:2] + np.where(length > 0, length, np.nan)[:, None] * directions[:, :2]


def project_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (x_mm, y_mm) of a point of the table, (N, 2, 2)."""
    return point_jacobian(points_mm, camera=camera, pose=pose)[:, :, :2]


def point_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (x_mm, y_mm, z_mm) of a point of the table, (N, 2, 3)."""
    return np.asarray(_slopes(in_camera(points_mm, pose=pose), camera) @ np.array(pose.rotation))


def pose_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (small turn on the camera's side, t), (N, 2, 6): the parameters of `CameraPose.covariance`."""
    seen = in_camera(points_mm, pose=pose)
    by_camera = _slopes(seen, camera)
    turned = seen - np.array(pose.translation_mm)
    return np.concatenate([by_camera @ -_cross(turned), by_camera], axis=2)


def camera_jacobian(points_mm: ArrayLike, *, camera: Camera, pose: CameraPose) -> Floats:
    """d px / d (fx, fy, cx, cy, *dist), (N, 2, 4 + terms): the parameters of `Camera.covariance`."""
    seen = in_camera(points_mm, pose=pose)
    fisheye = is_fisheye(camera)
    focal, _ = _pinhole(camera)
    out = np.zeros((len(seen), 2, 4 + len(camera.dist)))
    out[:, 0, 0], out[:, 1, 1] = bend(seen, camera.dist, fisheye=fisheye).T
    out[:, 0, 2] = out[:, 1, 3] = 1
    out[:, :, 4:] = bend_terms(seen, camera.dist, fisheye=fisheye) * focal[:, None]
    return out


def normalise(points_px: ArrayLike, *, camera: Camera) -> Floats:
    """The undistorted rays of these pixels as (x, y) at depth one, (N, 2)."""
    return flat(_unbent(points_px, camera))


def in_camera(points_mm: ArrayLike, *, pose: CameraPose) -> Floats:
    """Points of the table frame in the camera's: x right, y down, z ahead, (N, 3) mm."""
    points = np.asarray(points_mm, np.float64).reshape(-1, 3)
    seen: Floats = points @ np.array(pose.rotation).T + np.array(pose.translation_mm)
    return seen


def is_fisheye(camera: Camera) -> bool:
    return camera.model == "fisheye"


def _pinhole(camera: Camera) -> tuple[Floats, Floats]:
    k = camera.K
    return np.array([k[0][0], k[1][1]]), np.array([k[0][2], k[1][2]])


def _unbent(points_px: ArrayLike, camera: Camera) -> Floats:
    """Unit rays in the camera's frame."""
    focal, centre = _pinhole(camera)
    bent: Floats = (np.asarray(points_px, np.float64).reshape(-1, 2) - centre) / focal
    return unbend(bent, camera.dist, fisheye=is_fisheye(camera))


def _slopes(seen: Floats, camera: Camera) -> Floats:
    """d px / d point in the camera's frame, (N, 2, 3)."""
    focal, _ = _pinhole(camera)
    return bend_slopes(seen, camera.dist, fisheye=is_fisheye(camera)) * focal[:, None]


def _cross(vectors: Floats) -> Floats:
    """The matrices that multiply as the cross product with these vectors, (N, 3, 3)."""
    out = np.zeros((len(vectors), 3, 3))
    x, y, z = vectors.T
    out[:, 0, 1], out[:, 0, 2] = -z, y
    out[:, 1, 0], out[:, 1, 2] = z, -x
    out[:, 2, 0], out[:, 2, 1] = -y, x
    return out
