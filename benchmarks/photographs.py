"""Photographs that other people took, with the answers that they published."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import marker as markers
from calibration.board import Board, View, find
from calibration.bundle import place
from calibration.held import Lens, Points, miss
from models.board import CharucoBoard, ChessBoard, CircleBoard

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

CHARUCO = CharucoBoard(squares_x=5, squares_y=7, square_mm=40, marker_mm=20, dictionary="DICT_6X6_250")
SICK_SQUARE_MM = 166 / 11
COINS_MM = {"50c": 24.25, "10c": 19.75}


@dataclass(frozen=True)
class Album:
    """Views of a board, and the lens that somebody else found, where it is one of our models."""

    name: str
    board: Board
    views: list[tuple[str, Image]]
    published: Lens | None
    published_focal: tuple[float, float] | None


def albums(folder: Path) -> Iterator[Album]:
    calibration = folder / "calibration"
    left = _opencv_lens(calibration / "opencv-left" / "left_intrinsics.yml")
    yield _album(
        calibration / "opencv-left", ChessBoard(type="chessboard", corners_x=9, corners_y=6, square_mm=25), left
    )
    chess = ChessBoard(type="chessboard", corners_x=4, corners_y=6, square_mm=30)
    yield _album(calibration / "boofcv-chess", chess, _boofcv_lens(calibration / "boofcv-chess" / "intrinsic.yaml"))
    yield _album(
        calibration / "boofcv-fisheye", chess, None, _axis_focal(calibration / "boofcv-fisheye" / "fisheye.yaml")
    )
    dots = CircleBoard(type="circles", circles_x=10, circles_y=8, spacing_mm=25, diameter_mm=15)
    yield _album(calibration / "boofcv-circle-grid", dots, None)
    yield _album(calibration / "carnd", ChessBoard(type="chessboard", corners_x=9, corners_y=6, square_mm=25), None)


def explained_px(lens: Lens, views: list[View]) -> float:
    """RMS miss of these views under this lens, each board where it fits best."""
    places = place(views, lens)
    if places is None:
        return float("nan")
    off = miss(Points.of(views), lens, places)
    return float(np.sqrt(np.mean(np.sum(off**2, axis=1))))


def found(album: Album) -> list[View]:
    seen = [find(name, _grey(image), album.board) for name, image in album.views]
    return [view for view in seen if view is not None]


def charuco(folder: Path) -> tuple[int, float]:
    """How many corners of the published ChArUco photograph are found, and their RMS under the published lens."""
    home = folder / "calibration" / "opencv-charuco"
    view = find("", np.asarray(cv2.imread(str(home / "choriginal.jpg"), cv2.IMREAD_GRAYSCALE), np.uint8), CHARUCO)
    if view is None:
        return 0, float("nan")
    return len(view.points_mm), explained_px(_opencv_lens(home / "tutorial_camera_charuco.yml"), [view])


def apriltags(folder: Path) -> Iterator[tuple[str, int, int, float]]:
    """Of each photograph: published tags, those among them that we find, and the median distance of their corners."""
    for listed in sorted((folder / "calibration" / "apriltag").glob("*.txt")):
        lines = [list(map(float, re.findall(r"[\d.]+", line))) for line in listed.read_text().splitlines() if line]
        published = [np.array(line[1:9]).reshape(4, 2) for line in lines]
        image = _grey(np.asarray(cv2.imread(str(listed.with_suffix(".jpg"))), np.uint8))
        ours = [corners for _, corners in markers.detect(image, name="APRILTAG_36h11")]
        off = [min((_apart(one, theirs) for one in ours), default=np.inf) for theirs in published]
        near = [one for one in off if one < 5]
        yield listed.stem, len(published), len(near), float(np.median(near)) if near else float("nan")


def coins(folder: Path) -> Iterator[tuple[str, float, float]]:
    """Coins on a plane that a board of known squares showed: name, true and measured diameter in mm."""
    home = folder / "coins" / "sick-calibrated"
    board, picture = (
        np.asarray(cv2.imread(str(home / name), cv2.IMREAD_GRAYSCALE), np.uint8) for name in ("pose.bmp", "coins.bmp")
    )
    _, corners, meta = cv2.findChessboardCornersSBWithMeta(
        board, (5, 5), cv2.CALIB_CB_LARGER | cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_ACCURACY
    )
    rows, columns = meta.shape
    y, x = np.divmod(np.arange(rows * columns), columns)
    plane, _ = cv2.findHomography(np.reshape(corners, (-1, 2)), np.stack([x, y], axis=1) * SICK_SQUARE_MM)
    _, dark = cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    rims, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    measured = sorted(size for rim in rims if (size := _coin_mm(np.asarray(rim), np.asarray(plane))) is not None)
    names = ["10c", "10c", "50c"]
    yield from ((name, COINS_MM[name], size) for name, size in zip(names, measured[-3:], strict=False))


def _coin_mm(rim: NDArray[np.int32], plane: Floats) -> float | None:
    """The diameter of the circle on the plane whose picture this rim is; None when it is none."""
    if len(rim) < 100:
        return None
    on_plane = cv2.perspectiveTransform(rim.astype(np.float64), plane).reshape(-1, 2)
    _, (width, height), _ = cv2.fitEllipse(on_plane.astype(np.float32))
    round_enough = max(width, height) < 1.15 * min(width, height) and 15 < width < 30
    return float(np.sqrt(width * height)) if round_enough else None


def _apart(ours: Floats, theirs: Floats) -> float:
    """Mean distance of the corners, in whichever order they were listed."""
    return min(
        float(np.mean(np.linalg.norm(ours - np.roll(order, turn, axis=0), axis=1)))
        for order in (theirs, theirs[::-1])
        for turn in range(4)
    )


def _album(folder: Path, board: Board, lens: Lens | None, focal: tuple[float, float] | None = None) -> Album:
    pictures = [(path.name, np.asarray(cv2.imread(str(path)), np.uint8)) for path in sorted(folder.glob("*.jpg"))]
    usual = Counter(image.shape for _, image in pictures).most_common(1)[0][0]
    if lens is not None:
        focal = (float(lens.values[0]), float(lens.values[1]))
    return Album(folder.name, board, [one for one in pictures if one[1].shape == usual], lens, focal)


def _opencv_lens(path: Path) -> Lens:
    file = cv2.FileStorage(str(path), cv2.FILE_STORAGE_READ)
    k = file.getNode("camera_matrix").mat()
    dist = np.ravel(file.getNode("distortion_coefficients").mat())
    return _lens([k[0, 0], k[1, 1], k[0, 2], k[1, 2], *dist])


def _boofcv_lens(path: Path) -> Lens:
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


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
