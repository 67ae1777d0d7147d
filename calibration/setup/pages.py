"""Set-up pages: what is printed on each, in millimetres of the sheet; one for each corner of the table."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.pose.fiducial_pattern import find_dictionary

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
