"""Picture crop: the part of a picture that shows a place of the table, and the homography from it to the ground."""

import numpy as np
from cv2 import getPerspectiveTransform

from calibration.view import View
from models.tap import PictureCrop
from models.vocabulary import Point


def crop_around(at_mm: Point, reach_mm: float, *, ground_mm: float, view: View) -> PictureCrop:
    """The part of the picture that shows this square of the ground, as far as the picture goes."""
    corners_mm = np.asarray(at_mm) + reach_mm * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners_px = view.project(np.column_stack([corners_mm, np.full(4, ground_mm)]))
    seen = corners_px[np.isfinite(corners_px).all(axis=1)]
    width, height = view.camera.image_size
    left, top = np.floor(seen.min(axis=0)).clip(0, (width - 1, height - 1)).astype(int).tolist()
    right, low = np.ceil(seen.max(axis=0)).clip((left + 1, top + 1), (width, height)).astype(int).tolist()
    box_px = np.array([(left, top), (right - 1, top), (right - 1, low - 1), (left, low - 1)], np.float64)
    on_ground_mm = view.intersect_plane(box_px, z_mm=ground_mm)[:, :2]
    (a, b, c), (d, e, f), (g, h, _) = getPerspectiveTransform(
        box_px.astype(np.float32), on_ground_mm.astype(np.float32)
    ).tolist()
    return PictureCrop(
        left_px=left, top_px=top, width_px=right - left, height_px=low - top,
        mm_from_px=((a, b, c), (d, e, f), (g, h, 1.0)),
    )  # fmt: skip
