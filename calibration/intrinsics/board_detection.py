"""Board detection: which points of a calibration board a picture shows, and where, to hundredths of a pixel."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.pose.fiducial_residuals import find_dictionary
from models.board import CharucoBoard, ChessBoard, CircleBoard
from models.errors import BadBoard

Board = CharucoBoard | ChessBoard | CircleBoard

_LEAST_WINDOW_PX, _MOST_WINDOW_PX = 2, 12
_CLEAR = 0.7  # of the way to the next edge; the rest is its blur
_MISPRINT = 0.06  # of a marker's size; a bright exposure alone makes it look smaller by a third of that
_FEWEST = 8
"""Points below which a view says too little: a plane's place takes four, and something must be left to check it."""


@dataclass(frozen=True)
class BoardView:
    """View of a board: its points that one picture shows, (N, 3) mm on the board and (N, 2) px."""

    name: str
    points_mm: Floats
    seen_px: Floats


def detect_board(name: str, gray: Image, board: Board) -> BoardView | None:
    """The view of the board in this picture; None when too little of it is seen. Raises: BadBoard."""
    if isinstance(board, CharucoBoard):
        view = _detect_charuco(gray, board)
    elif isinstance(board, ChessBoard):
        view = _detect_chessboard(gray, board)
    else:
        view = _detect_circles(gray, board)
    if view is None or len(view[0]) < _FEWEST or _is_line(view[0]):
        return None
    return BoardView(name, *view)


def is_mirrored(gray: Image, board: Board) -> bool:
    """Whether the picture shows the board only once it is flipped."""
    flipped = np.asarray(cv2.flip(gray, 1), np.uint8)
    return isinstance(board, CharucoBoard) and detect_board("", flipped, board) is not None


def _detect_charuco(gray: Image, board: CharucoBoard) -> tuple[Floats, Floats] | None:
    printed = opencv_board(board)
    corners, ids, quads, _ = cv2.aruco.CharucoDetector(printed).detectBoard(gray)
    if ids is None or len(ids) < _FEWEST:
        return None
    points = np.asarray(printed.getChessboardCorners(), np.float64)[np.ravel(ids)]
    seen = np.asarray(corners, np.float64).reshape(-1, 2)
    if not _is_line(points):
        _check_markers(board, points, seen, np.asarray(quads, np.float64).reshape(-1, 4, 2))
    clear_mm = (board.square_mm - board.marker_mm) / 2  # from a corner to the nearest other edge
    return points, refine_corners(gray, points, seen, clear_mm=clear_mm)


def opencv_board(board: CharucoBoard) -> cv2.aruco.CharucoBoard:
    """The board as OpenCV knows it. Raises: BadBoard."""
    if board.marker_mm >= board.square_mm:
        raise BadBoard("a marker is smaller than its square", field="board.marker_mm", value=board.marker_mm)
    known = find_dictionary(board.dictionary)
    if board.squares_x * board.squares_y // 2 > len(known.bytesList):
        raise BadBoard("the dictionary has too few markers", field="board.dictionary", value=board.dictionary)
    printed = cv2.aruco.CharucoBoard((board.squares_x, board.squares_y), board.square_mm, board.marker_mm, known)
    printed.setLegacyPattern(board.legacy_pattern)
    return printed


def _check_markers(board: CharucoBoard, points_mm: Floats, seen_px: Floats, quads_px: Floats) -> None:
    """Raises: BadBoard when the markers are not as large beside their squares as the description says."""
    plane, _ = cv2.findHomography(seen_px, points_mm[:, :2])
    if plane is None or len(quads_px) < _FEWEST:
        return
    on_board = cv2.perspectiveTransform(quads_px.reshape(-1, 1, 2), plane).reshape(-1, 4, 2)
    measured = float(np.median(np.linalg.norm(on_board - np.roll(on_board, 1, axis=1), axis=2)))
    if abs(measured / board.marker_mm - 1) > _MISPRINT:
        raise BadBoard(
            f"the markers measure {measured:.1f} mm beside squares of {board.square_mm} mm, not {board.marker_mm}",
            field="board.marker_mm",
            value=board.marker_mm,
            measured_mm=round(measured, 1),
        )


def _detect_chessboard(gray: Image, board: ChessBoard) -> tuple[Floats, Floats] | None:
    size = (board.corners_x, board.corners_y)
    is_seen, corners = cv2.findChessboardCornersSB(gray, size, flags=cv2.CALIB_CB_NORMALIZE_IMAGE)
    if not is_seen:
        usual = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
        is_seen, corners = cv2.findChessboardCorners(gray, size, flags=usual)
    if not is_seen:
        return None
    points = _grid_points(board.corners_x, board.corners_y) * board.square_mm
    seen = np.asarray(corners, np.float64).reshape(-1, 2)
    # The edges of a board that is not quite flat are straight near their corner only.
    return points, refine_corners(gray, points, seen, clear_mm=0.3 * board.square_mm)


def _detect_circles(gray: Image, board: CircleBoard) -> tuple[Floats, Floats] | None:
    """The centres of the dots' pictures; under a slant they lie a little off the pictures of the centres."""
    staggered = board.type == "asymmetric-circles"
    flags = cv2.CALIB_CB_ASYMMETRIC_GRID if staggered else cv2.CALIB_CB_SYMMETRIC_GRID
    size = (board.circles_x, board.circles_y)
    is_seen, centres = cv2.findCirclesGrid(gray, size, flags=flags)
    if not is_seen:
        is_seen, centres = cv2.findCirclesGrid(gray, size, flags=flags | cv2.CALIB_CB_CLUSTERING)
    if not is_seen:
        is_seen, centres = cv2.findCirclesGrid(gray, size, flags=flags, blobDetector=_make_blob_detector(gray, board))
    if not is_seen:
        return None
    points = _grid_points(board.circles_x, board.circles_y)
    if staggered:
        points[:, 0] = 2 * points[:, 0] + points[:, 1] % 2
    return points * board.spacing_mm, np.asarray(centres, np.float64).reshape(-1, 2)


def _make_blob_detector(gray: Image, board: CircleBoard) -> cv2.SimpleBlobDetector:
    """Finds dots of any size of which so many fit into the picture; OpenCV's own stops at 80 px across."""
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.maxArea = gray.size / (board.circles_x * board.circles_y)
    wanted.minDistBetweenBlobs = 0.2 * wanted.maxArea**0.5
    return cv2.SimpleBlobDetector.create(wanted)


def _grid_points(columns: int, rows: int) -> Floats:
    y, x = np.divmod(np.arange(columns * rows, dtype=np.float64), columns)
    return np.stack([x, y, np.zeros_like(x)], axis=1)


def refine_corners(gray: Image, points_mm: Floats, seen_px: Floats, *, clear_mm: float) -> Floats:
    """The corners where the gradients around them say they are, looking no farther than `clear_mm` of the board."""
    window = int(np.clip(_CLEAR * clear_mm * _px_per_mm(points_mm, seen_px), _LEAST_WINDOW_PX, _MOST_WINDOW_PX))
    start = seen_px.astype(np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 100, 1e-4)
    return np.asarray(cv2.cornerSubPix(gray, start, (window, window), (-1, -1), stop), np.float64).reshape(-1, 2)


def _px_per_mm(points_mm: Floats, seen_px: Floats) -> float:
    """The smallest scale at which the board is seen, in any direction."""
    ones = np.ones((len(points_mm), 1))
    affine, *_ = np.linalg.lstsq(np.concatenate([points_mm[:, :2], ones], axis=1), seen_px, rcond=None)
    return float(np.linalg.svd(affine[:2], compute_uv=False)[-1])


def _is_line(points_mm: Floats) -> bool:
    spread = np.linalg.svd(points_mm[:, :2] - points_mm[:, :2].mean(axis=0), compute_uv=False)
    return bool(spread[1] < 1e-6 * spread[0])
