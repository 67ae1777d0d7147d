"""Page detection: which set-up pages a picture shows, and where each of their corners is, to hundredths of a pixel."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.intrinsics.board_detection import refine_corners
from calibration.setup.pages import MARKER_MM, PAGES, SQUARE_MM, opencv_page, setup_pages

_FEWEST = 8  # corners of a page below which it says too little
_CLEAR_MM = (SQUARE_MM - MARKER_MM) / 2  # from a corner to the nearest other edge


@dataclass(frozen=True)
class PageView:
    """One page in one picture: points on the page (N, 3) mm, and where they are seen (N, 2) px."""

    picture: int
    page: int
    points_mm: Floats
    seen_px: Floats


def detect_pages(picture: int, gray: Image) -> tuple[PageView, ...]:
    """Every page of which enough is in sight."""
    views = (_detect_page(picture, number, gray) for number in range(PAGES))
    return tuple(view for view in views if view is not None)


def is_mirrored(gray: Image) -> bool:
    """Whether the picture shows pages only once it is flipped."""
    return not detect_pages(0, gray) and bool(detect_pages(0, np.asarray(cv2.flip(gray, 1), np.uint8)))


def _detect_page(picture: int, number: int, gray: Image) -> PageView | None:
    corners, ids, _, _ = cv2.aruco.CharucoDetector(opencv_page(number)).detectBoard(gray)
    if ids is None or len(ids) < _FEWEST:
        return None
    points = setup_pages()[number].corners_mm[np.ravel(ids)]
    if np.linalg.matrix_rank(points[:, :2] - points[0, :2], tol=1e-6) < 2:
        return None
    seen = np.asarray(corners, np.float64).reshape(-1, 2)
    return PageView(picture, number, points, refine_corners(gray, points, seen, clear_mm=_CLEAR_MM))
