"""Set-up pages: what is printed on each, in millimetres of the sheet; one for each corner of the table.

Page detection: which set-up pages a picture shows, and where each of their corners is, to hundredths of a pixel.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.intrinsics.board_detection import refine_corners
from calibration.pose.fiducial_residuals import find_dictionary

DICTIONARY = "DICT_5X5_100"
SQUARES_X, SQUARES_Y = 7, 5
SQUARE_MM, MARKER_MM = 36.0, 27.0
PAGES = 4
MARKERS_A_PAGE = SQUARES_X * SQUARES_Y // 2  # 17: the four pages share one dictionary, and no id twice
WIDTH_MM, DEPTH_MM = SQUARES_X * SQUARE_MM, SQUARES_Y * SQUARE_MM  # 252 x 180: fits A4 and Letter, lying


@dataclass(frozen=True)
class SetupPage:
    """One printed page. Its frame: origin at the pattern's middle, x right, y up the sheet, z out of it."""

    number: int
    corners_mm: Floats
    """Inner chessboard corners (24, 3), by their id."""
    markers_mm: Floats
    """Corners of its markers (17, 4, 3) in printed order, by id less the first."""

    @property
    def first_id(self) -> int:
        return self.number * MARKERS_A_PAGE

    @property
    def marker_ids(self) -> range:
        return range(self.first_id, self.first_id + MARKERS_A_PAGE)


@cache
def setup_pages() -> tuple[SetupPage, ...]:
    """The four pages, numbered from 0."""
    return tuple(_page(number) for number in range(PAGES))


@cache
def opencv_page(number: int) -> cv2.aruco.CharucoBoard:
    """The page's pattern as OpenCV knows it."""
    ids = np.arange(number * MARKERS_A_PAGE, (number + 1) * MARKERS_A_PAGE)
    size = (SQUARES_X, SQUARES_Y)
    return cv2.aruco.CharucoBoard(size, SQUARE_MM, MARKER_MM, find_dictionary(DICTIONARY), ids)


def _page(number: int) -> SetupPage:
    board = opencv_page(number)
    corners = np.asarray(board.getChessboardCorners(), np.float64)
    markers = np.array([np.asarray(quad, np.float64) for quad in board.getObjPoints()])
    return SetupPage(number, _upright(corners), _upright(markers))


def _upright(points_mm: Floats) -> Floats:
    """From OpenCV's frame of the board (y down the sheet) to the page's."""
    centred = points_mm - [WIDTH_MM / 2, DEPTH_MM / 2, 0.0]
    return np.asarray(centred * [1.0, -1.0, 1.0])


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


@dataclass(frozen=True)
class Glimpse:
    """What a picture hints at where pages are not read: pages that its edge cuts, and squares without a number."""

    cut: frozenset[int]
    squares: int


def glimpse_pages(gray: Image) -> Glimpse:
    """Single markers and unread squares; a page is cut when a marker is in sight and an end of the page is not."""
    seen, ids, unread = cv2.aruco.ArucoDetector(find_dictionary(DICTIONARY)).detectMarkers(gray)
    numbers = [] if ids is None else [int(id_) for id_ in np.ravel(ids)]
    by_id = {
        number: np.reshape(np.asarray(quad, np.float64), (4, 2)) for number, quad in zip(numbers, seen, strict=True)
    }
    size = (gray.shape[1], gray.shape[0])
    return Glimpse(frozenset(page.number for page in setup_pages() if _is_cut(page, by_id, size)), len(unread))


def _is_cut(page: SetupPage, seen_px: dict[int, Floats], size: tuple[int, int]) -> bool:
    """Whether the pattern, as its markers in sight have it lie, ends outside a picture of this size."""
    known = [k for k, id_ in enumerate(page.marker_ids) if id_ in seen_px]
    if not known:
        return False
    places = np.concatenate([page.markers_mm[k][:, :2] for k in known])
    seen = np.concatenate([seen_px[page.first_id + k] for k in known])
    picture_from_page, _ = cv2.findHomography(places, seen)
    if picture_from_page is None:
        return False
    outline = np.array([[x, y, 1.0] for x in (-WIDTH_MM / 2, WIDTH_MM / 2) for y in (-DEPTH_MM / 2, DEPTH_MM / 2)])
    ends = outline @ np.asarray(picture_from_page, np.float64).T
    at_px = ends[:, :2] / ends[:, 2:]
    return bool(np.any(ends[:, 2] <= 0) or np.any(at_px < 0) or np.any(at_px > np.array(size) - 1))


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
