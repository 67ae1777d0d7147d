"""Room mask: what lies beyond the table's edge is black in the camera's picture."""

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.camera_model import projection
from calibration.pose.mat_sides import corners_mm
from models.camera import Camera, CameraPose

MARGIN_MM = 100.0  # a camera that was knocked a little still shows the mat's corners within it
_STEPS = 24  # a lens bends the sides


def mask_room(
    image: Image,
    *,
    camera: Camera,
    pose: CameraPose,
    table_mm: tuple[float, float],
    margin_mm: float = MARGIN_MM,
) -> Image:
    """The same picture, black beyond the table's edge and the margin: as far as the pose knows where that is."""
    outward = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    around = corners_mm(table_mm) + margin_mm * outward
    share = np.arange(_STEPS)[:, None] / _STEPS
    sides = [around[i] + share * (around[(i + 1) % 4] - around[i]) for i in range(4)]
    rim = projection.project(np.concatenate(sides), camera=camera, pose=pose)
    shown = np.zeros(image.shape[:2], np.uint8)
    seen = rim[np.isfinite(rim).all(axis=1)].clip(-30_000, 30_000)
    if len(seen) >= 3:
        cv2.fillPoly(shown, [np.round(seen).astype(np.int32)], 255)
    return np.asarray(cv2.bitwise_and(image, image, mask=shown))
