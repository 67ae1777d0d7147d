"""Pictures of calibration boards held before a known camera."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.camera_model import projection
from models.board import CharucoBoard, ChessBoard, CircleBoard
from models.camera import Camera
from tests.calibration import scene

Board = CharucoBoard | ChessBoard | CircleBoard
Held = tuple[tuple[float, ...], tuple[float, ...]]

CHARUCO = CharucoBoard(squares_x=8, squares_y=6, square_mm=30, marker_mm=22, dictionary="DICT_5X5_100")
CHESS = ChessBoard(type="chessboard", corners_x=8, corners_y=5, square_mm=28)
DOTS = CircleBoard(type="asymmetric-circles", circles_x=4, circles_y=9, spacing_mm=20)
DOT_MM = 12.0
_PX_PER_MM = 6
_RIM_MM = 30.0

# (turn round x, y, z in rad; centre in mm): tilted every way, near and far, in the middle and at the rims.
HELD = (
    ((0.5, 0.1, 0.0), (0, 0, 330)),
    ((-0.5, 0.2, 0.1), (-40, -20, 350)),
    ((0.1, 0.55, -0.1), (50, 20, 340)),
    ((0.0, -0.5, 0.2), (-60, 30, 360)),
    ((0.35, 0.35, 0.4), (60, -40, 380)),
    ((-0.4, 0.35, -0.3), (-20, 40, 320)),
    ((0.3, -0.4, 1.4), (10, 10, 400)),
    ((0.05, 0.0, 0.0), (0, 0, 300)),
)
FLAT = tuple(((0.0, 0.0, 0.1 * i), (20 * i - 50, 10 * i - 30, 300 + 12 * i)) for i in range(6))


@lru_cache(maxsize=64)
def photograph(board: Board, held: Held, *, camera: Camera, seed: int = 0) -> Image:
    """The board turned and placed like this before the camera; middle grey around it."""
    drawn, middle = _draw_board(board)
    turn, centre = held
    rotation = np.asarray(cv2.Rodrigues(np.array(turn, np.float64))[0], np.float64)
    flat = _rays(camera)
    direction = np.concatenate([flat, np.ones((len(flat), 1))], axis=1)
    depth = (rotation[:, 2] @ np.array(centre, np.float64)) / (direction @ rotation[:, 2])
    on_board = (depth[:, None] * direction - centre) @ rotation[:, :2]
    places = ((on_board + middle) * _PX_PER_MM - 0.5).astype(np.float32).reshape(*_finer(camera), 2)
    seen = cv2.remap(drawn, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderValue=0.45)
    width, height = camera.image_size
    small = cv2.resize(cv2.GaussianBlur(seen, (0, 0), 1.6), (width, height), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 0.7, small.shape)
    light = np.asarray(255 * np.clip(1.1 * small, 0, 1) ** (1 / 2.2) + noise)
    return np.clip(np.round(light), 0, 255).astype(np.uint8)


def views(board: Board, camera: Camera, *, held: Sequence[Held] = HELD) -> list[tuple[str, Image]]:
    return [(f"view{i}.png", photograph(board, one, camera=camera, seed=i)) for i, one in enumerate(held)]


@lru_cache(maxsize=8)
def _rays(camera: Camera) -> Floats:
    height, width = _finer(camera)
    x, y = np.meshgrid((np.arange(width) + 0.5) / 2 - 0.5, (np.arange(height) + 0.5) / 2 - 0.5)
    return projection.normalise(np.stack([x, y], axis=-1).reshape(-1, 2), camera=camera)


def _finer(camera: Camera) -> tuple[int, int]:
    return 2 * camera.image_size[1], 2 * camera.image_size[0]


@lru_cache(maxsize=8)
def _draw_board(board: Board) -> tuple[Floats32, Floats]:
    """Reflectance of the print with a white rim, and the board's middle in mm of the drawing."""
    if isinstance(board, CharucoBoard):
        size = np.array([board.squares_x, board.squares_y]) * board.square_mm
        known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.dictionary))
        print_ = cv2.aruco.CharucoBoard((board.squares_x, board.squares_y), board.square_mm, board.marker_mm, known)
        inside = print_.generateImage(tuple((size * _PX_PER_MM).astype(int).tolist()))
    elif isinstance(board, ChessBoard):
        size = np.array([board.corners_x + 1, board.corners_y + 1]) * board.square_mm
        row, column = np.indices((board.corners_y + 1, board.corners_x + 1))
        cells = ((row + column) % 2 * 255).astype(np.uint8)
        inside = np.kron(cells, np.ones((int(board.square_mm * _PX_PER_MM),) * 2, np.uint8))
    else:
        size, inside = _dots(board)
    rim = int(_RIM_MM * _PX_PER_MM)
    whole = cv2.copyMakeBorder(inside, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=255)
    return (0.04 + 0.8 * (whole > 127)).astype(np.float32), size / 2 + _RIM_MM


def _dots(board: CircleBoard) -> tuple[Floats, Image]:
    size = np.array([2 * board.circles_x + 1, board.circles_y + 1], np.float64) * board.spacing_mm
    picture = np.full((size[::-1] * _PX_PER_MM).astype(int), 255, np.uint8)
    for row in range(board.circles_y):
        for column in range(board.circles_x):
            place = np.array([2 * column + row % 2 + 1, row + 1]) * board.spacing_mm * _PX_PER_MM - 0.5
            cv2.circle(picture, place.round().astype(int).tolist(), int(DOT_MM / 2 * _PX_PER_MM), 0, -1, cv2.LINE_AA)
    return size, picture


def camera() -> Camera:
    return scene.camera(size=(640, 480), focal=580.0, dist=(0.05, -0.08, -0.003, 0.004, 0.0))
