"""Picture crop: the part of a picture that shows a place of the table, and the homography from it to the ground."""

import numpy as np

from calibration.arrays import Floats
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
    return PictureCrop(
        left_px=left, top_px=top, width_px=right - left, height_px=low - top,
        mm_from_px=_homography(box_px, view.intersect_plane(box_px, z_mm=ground_mm)[:, :2]),
    )  # fmt: skip


def _homography(
    from_px: Floats, to_mm: Floats
) -> tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]:
    """The projective map of four points onto four others."""
    rows = []
    for (u, v), (x, y) in zip(from_px.tolist(), to_mm.tolist(), strict=True):
        rows += [(u, v, 1, 0, 0, 0, -x * u, -x * v), (0, 0, 0, u, v, 1, -y * u, -y * v)]
    a, b, c, d, e, f, g, h = np.linalg.lstsq(np.array(rows), to_mm.ravel(), rcond=None)[0].tolist()
    return (a, b, c), (d, e, f), (g, h, 1.0)
