"""Camera pose over a plane: the table frame is laid on it, x to the picture's right, z towards the camera."""

import numpy as np

from calibration.arrays import Floats
from models.camera import Camera, CameraPose
from vision.uncalibrated.plane_solver import SolvedPlane

_MARGIN_MM = 60.0  # around the outermost discs
_FOCAL_SHARE = 0.08  # by which a focal length that nobody told may be off


def camera_over_plane(
    plane: SolvedPlane, at_px: Floats, size_px: tuple[int, int]
) -> tuple[Camera, CameraPose, tuple[float, float]]:
    """Camera, pose, and the sides of a table that holds these places of the picture, its corner at the origin."""
    up = -plane.normal
    right = np.array([1.0, 0.0, 0.0]) - up * up[0]
    right /= np.linalg.norm(right)
    camera_from_table = np.column_stack([right, np.cross(up, right), up])
    points = plane.lens.rays(at_px) * plane.depths(at_px)[:, None]
    flat = points @ camera_from_table[:, :2]
    low, high = flat.min(axis=0) - _MARGIN_MM, flat.max(axis=0) + _MARGIN_MM
    origin = camera_from_table @ np.array([*low, float(plane.distance_mm * plane.normal @ up)])
    wide, deep = (high - low).tolist()
    return _camera(plane, size_px), _pose(camera_from_table, origin), (wide, deep)


def _camera(plane: SolvedPlane, size_px: tuple[int, int]) -> Camera:
    (x, y), f = plane.lens.middle_px, plane.lens.focal_px
    doubt = np.diag([(f * _FOCAL_SHARE) ** 2] * 2 + [0.0] * 7)
    return Camera(
        image_size=size_px, model="brown", K=((f, 0, x), (0, f, y), (0, 0, 1)), dist=(0.0,) * 5,
        covariance=doubt.tolist(), rms_px=0.0,
    )  # fmt: skip


def _pose(rotation: Floats, translation: Floats) -> CameraPose:
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=translation.tolist(), covariance=np.zeros((6, 6)).tolist(),
        rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=(-rotation.T @ translation).tolist(),
    )  # fmt: skip
