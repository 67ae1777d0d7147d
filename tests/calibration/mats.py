"""A mat on a table, as a small camera above it sees it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import projection
from calibration.pose.mat_sides import corners_mm
from tests.calibration import scene

CAMERA = scene.camera()
TABLE = (1200.0, 800.0)
TRUE = scene.pose_at((610.0, 395.0, 960.0))

_FINER = 4


def picture(mat: float, ground: float, *, exposure: float = 1.0) -> NDArray[np.uint8]:
    """A mat on a ground of other reflectance, through the lens, blurred, with a tone curve, texture and noise."""
    share = np.linspace(0, 1, 200)[:, None]
    corners = corners_mm(TABLE)
    outline = np.concatenate([corners[i] + share * (corners[(i + 1) % 4] - corners[i]) for i in range(4)])
    seen = (projection.project(outline, camera=CAMERA, pose=TRUE) + 0.5) * _FINER - 0.5
    light = np.full((720 * _FINER, 1280 * _FINER), ground, np.float32)
    cv2.fillPoly(light, [np.round(seen * 256).astype(np.int32)], mat, shift=8)
    soft = cv2.GaussianBlur(light, (0, 0), 0.7 * _FINER)
    small = cv2.resize(soft, (1280, 720), interpolation=cv2.INTER_AREA)
    draw = np.random.default_rng(7)
    texture = cv2.GaussianBlur(draw.normal(0, 0.15, small.shape), (0, 0), 3)
    shown = 255 * np.clip(exposure * (small + texture), 0, 1) ** (1 / 2.2) + draw.normal(0, 1, small.shape)
    return np.clip(np.round(shown), 0, 255).astype(np.uint8)
