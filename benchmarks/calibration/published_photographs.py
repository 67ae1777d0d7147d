"""Photographs that other people took, with the answers that they published."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.calibration import published_boards
from calibration.arrays import Floats, Image
from calibration.intrinsics.board_detection import Board, BoardView, detect_board
from calibration.intrinsics.bundle_adjustment import Solution, adjust_bundle, estimate_poses
from calibration.intrinsics.reprojection import Lens, Points, reprojection_jacobian, reprojection_residuals
from models.board import CharucoBoard, ChessBoard, CircleBoard

Finder = Callable[[str, Image], BoardView | None]

CHARUCO = CharucoBoard(squares_x=5, squares_y=7, square_mm=40, marker_mm=20, dictionary="DICT_6X6_250")


@dataclass(frozen=True)
class Album:
    """What pictures show of a board; the published lens, where it is one of our models, or its focal length."""

    name: str
    size: tuple[int, int]
    pictures: int
    views: list[BoardView]
    published: Lens | None = None
    published_focal: tuple[float, float] | None = None
    dot_mm: float | None = None


def read_albums(folder: Path) -> Iterator[Album]:
    home = folder / "calibration"
    nine = ChessBoard(type="chessboard", corners_x=9, corners_y=6, square_mm=25)
    chess = ChessBoard(type="chessboard", corners_x=4, corners_y=6, square_mm=30)
    dots = CircleBoard(type="circles", circles_x=10, circles_y=8, spacing_mm=25, diameter_mm=15)
    yield _album(home / "opencv-left", _finder_of(nine), read_opencv_lens(home / "opencv-left" / "left_intrinsics.yml"))
    yield _album(home / "boofcv-chess", _finder_of(chess), read_boofcv_lens(home / "boofcv-chess" / "intrinsic.yaml"))
    yield _album(
        home / "boofcv-zhang", published_boards.find_squares, read_boofcv_lens(home / "boofcv-zhang" / "intrinsic.yaml")
    )
    yield _album(
        home / "boofcv-fisheye", _finder_of(chess), None, _axis_focal(home / "boofcv-fisheye" / "fisheye.yaml")
    )
    yield replace(_album(home / "boofcv-circle-grid", _finder_of(dots), None), dot_mm=dots.diameter_mm)
    yield _album(home / "carnd", _finder_of(nine), None)
    still = folder / "pose" / "boofcv-chess"
    yield _album(still, _finder_of(chess), read_boofcv_lens(still / "intrinsic.yaml"), name="pose/boofcv-chess")
    yield _film(folder / "pose" / "boofcv-circle-hex")


def _finder_of(board: Board) -> Finder:
    return lambda name, gray: detect_board(name, gray, board)


def _film(folder: Path, *, every: int = 12) -> Album:
    """Views of the moving board of dots in hexagons."""
    film = cv2.VideoCapture(str(folder / "movie.mp4"))
    frames = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
    views, sizes, asked = [], [], 0
    for number in range(frames):
        seen, image = film.read()
        if seen and number % every == 0:
            asked += 1
            gray = to_grey(np.asarray(image, np.uint8))
            view = published_boards.find_dots(f"frame {number}", gray)
            if view is not None:
                views.append(view)
                sizes.append(published_boards.measure_dot_mm(gray, view))
    lens = read_boofcv_lens(folder / "intrinsic.yaml")
    return Album("pose/boofcv-circle-hex", (640, 480), asked, views, lens, _focal(lens), float(np.median(sizes)))


def opencv_heldout_px(album: Album, *, fisheye: bool) -> float:
    """What `cv2.calibrateCamera` leaves on views that it has not seen: the same views and points as ours."""
    misses = []
    folds = min(6, len(album.views))
    for fold in range(folds):
        rest = [view for i, view in enumerate(album.views) if i % folds != fold]
        lens = _opencv_fit(rest, album.size, fisheye=fisheye)
        unseen = album.views[fold::folds]
        places = None if lens is None else estimate_poses(unseen, lens)
        if lens is None or places is None:
            return float("nan")
        misses.append(reprojection_residuals(Points.of(unseen), lens, places))
    return float(np.sqrt(np.mean(np.sum(np.concatenate(misses) ** 2, axis=1))))


def _opencv_fit(views: list[BoardView], size: tuple[int, int], *, fisheye: bool) -> Lens | None:
    if fisheye:
        places = [view.points_mm[None] for view in views]
        seen = [view.seen_px[None] for view in views]
        k: Any = np.eye(3)
        dist: Any = np.zeros((4, 1))
        flags = cv2.CALIB_RECOMPUTE_EXTRINSIC | cv2.CALIB_FIX_SKEW
        try:
            _, k, dist, _, _ = cv2.fisheye.calibrate(places, seen, size, k, dist, flags=flags)
        except cv2.error:
            return None
        return replace(_lens([k[0, 0], k[1, 1], k[0, 2], k[1, 2], *np.ravel(dist)]), fisheye=True)
    flat = [view.points_mm.astype(np.float32) for view in views]
    _, k, dist, _, _ = cv2.calibrateCamera(flat, [v.seen_px.astype(np.float32) for v in views], size, None, None)
    return _lens([k[0, 0], k[1, 1], k[0, 2], k[1, 2], *np.ravel(dist)[:5]])


def fit_bowed_sheets(album: Album, whole: Solution) -> tuple[float, float]:
    """RMS miss when each sheet may bow anew in each view, lens and places following; and how far they bow, in mm.

    What a bent sheet explains no lens does. Heights are cubic over the sheet and weakly held to nothing.
    """
    views, now = list(album.views), whole
    for _ in range(_BENDINGS):
        points = Points.of(views)
        _, by_place = reprojection_jacobian(points, now.lens, now.places)
        by_height = np.einsum("nij,nj->ni", by_place[:, :, 3:], now.places.rotations[points.owner][:, :, 2])
        views = [
            _bend_sheet(view, by_height[points.owner == i], off)
            for i, (view, off) in enumerate(zip(views, now.misses_px, strict=True))
        ]
        then = adjust_bundle(views, now.lens, places=now.places, rounds=1)
        if then is None:
            break
        now = then
    heights = [float(np.ptp(view.points_mm[:, 2])) for view in views]
    return float(np.sqrt(np.mean(np.sum(np.concatenate(now.misses_px) ** 2, axis=1)))), float(np.median(heights))


_BENDINGS = 20


def _bend_sheet(view: BoardView, by_height: Floats, off_px: Floats) -> BoardView:
    """The view with its sheet bowed some way towards what its misses ask for."""
    flat = view.points_mm[:, :2] - view.points_mm[:, :2].mean(axis=0)
    x, y = (flat / np.abs(flat).max()).T
    shapes = np.stack([x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=1)
    rows = np.concatenate([(by_height[:, :, None] * shapes[:, None, :]).reshape(-1, 7), 0.05 * np.eye(7)])
    heights = np.linalg.lstsq(rows, np.concatenate([off_px.ravel(), np.zeros(7)]), rcond=None)[0]
    lift = np.zeros_like(view.points_mm)
    lift[:, 2] = 0.7 * shapes @ heights
    return replace(view, points_mm=view.points_mm + lift)


def reprojection_rms_px(lens: Lens, views: list[BoardView]) -> float:
    """RMS miss of these views under this lens, each board where it fits best."""
    places = estimate_poses(views, lens)
    if places is None:
        return float("nan")
    off = reprojection_residuals(Points.of(views), lens, places)
    return float(np.sqrt(np.mean(np.sum(off**2, axis=1))))


def check_charuco(folder: Path) -> tuple[int, float]:
    """How many corners of the published ChArUco photograph are found, and their RMS under the published lens."""
    home = folder / "calibration" / "opencv-charuco"
    view = detect_board(
        "", np.asarray(cv2.imread(str(home / "choriginal.jpg"), cv2.IMREAD_GRAYSCALE), np.uint8), CHARUCO
    )
    if view is None:
        return 0, float("nan")
    return len(view.points_mm), reprojection_rms_px(read_opencv_lens(home / "tutorial_camera_charuco.yml"), [view])


def _album(
    folder: Path, finder: Finder, lens: Lens | None, focal: tuple[float, float] | None = None, *, name: str = ""
) -> Album:
    pictures = [
        (path.name, to_grey(np.asarray(cv2.imread(str(path)), np.uint8))) for path in sorted(folder.glob("*.jpg"))
    ]
    (height, width), _ = Counter(image.shape for _, image in pictures).most_common(1)[0]
    seen = [finder(file, image) for file, image in pictures if image.shape == (height, width)]
    views = [view for view in seen if view is not None]
    return Album(name or folder.name, (width, height), len(pictures), views, lens, focal or _focal(lens))


def _focal(lens: Lens | None) -> tuple[float, float] | None:
    return None if lens is None else (float(lens.values[0]), float(lens.values[1]))


def read_opencv_lens(path: Path) -> Lens:
    """A camera as OpenCV's storage holds it."""
    file = cv2.FileStorage(str(path), cv2.FILE_STORAGE_READ)
    k = file.getNode("camera_matrix").mat()
    dist = np.ravel(file.getNode("distortion_coefficients").mat())
    return _lens([k[0, 0], k[1, 1], k[0, 2], k[1, 2], *dist])


def read_boofcv_lens(path: Path) -> Lens:
    """BoofCV's pinhole with radial terms, as written in its YAML."""
    text = path.read_text()
    radial = [float(value) for value in re.findall(r"^\s*- (\S+)", text, re.MULTILINE)]
    return _lens([*(_number(text, name) for name in ("fx", "fy", "cx", "cy")), *radial, 0, 0])


def _axis_focal(path: Path) -> tuple[float, float]:
    """The focal length on the axis of an omnidirectional model: its mirror's offset divides it."""
    text = path.read_text()
    shrink = 1 + _number(text, "mirror_offset")
    return _number(text, "fx") / shrink, _number(text, "fy") / shrink


def _number(text: str, name: str) -> float:
    match = re.search(rf"^\s*{name}:\s*(\S+)", text, re.MULTILINE)
    assert match is not None, name
    return float(match[1])


def _lens(values: list[float]) -> Lens:
    return Lens(np.array(values, np.float64), np.zeros(len(values), np.bool_))


def to_grey(image: Image) -> Image:
    """One value a pixel."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
