"""Set-up solve on other people's photographs: the focal length, not told, beside the published one.

python -m benchmarks.calibration.setup_published FOLDER [--views 5] [--draws 20]

A chessboard stands for the pages. Random sets of `--views` pictures of each series are solved as `tableside setup`
does, without EXIF and without any other prior on the camera than a usual one; `off` is the median of the focal
length's relative error, `/sigma` the RMS of that error over what was stated, `/sigma all` the same beside what every
picture together says, and `all` how far that is from the published one, in per cent and in its own sigmas.
FOLDER holds the series `boofcv-chess` and `opencv-left` with their published intrinsics.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.harness import run
from calibration.arrays import Image
from calibration.intrinsics.board_detection import detect_board
from calibration.setup.lens_solve import Known, solve_lens
from calibration.setup.pages import PageView
from models.board import ChessBoard
from models.errors import BadInput

_SQUARE_MM = 30.0


@dataclass(frozen=True)
class Series:
    """Pictures of one camera, and where its published focal length stands."""

    folder: str
    corners: tuple[int, int]
    published: str
    pattern: str


SERIES = (
    Series("boofcv-chess", (6, 4), "intrinsic.yaml", r"fx: ([\d.]+)"),
    Series("opencv-left", (9, 6), "left_intrinsics.yml", r"data: \[ ([\d.e+]+)"),
)


def read_views(folder: Path, corners: tuple[int, int]) -> tuple[list[PageView], tuple[int, int]]:
    """The board in each picture that shows it."""
    board = ChessBoard(type="chessboard", corners_x=corners[0], corners_y=corners[1], square_mm=_SQUARE_MM)
    views: list[PageView] = []
    size = (0, 0)
    for path in sorted(folder.glob("*.jpg")):
        gray: Image = np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8)
        size = (gray.shape[1], gray.shape[0])
        view = detect_board(path.name, gray, board)
        if view is not None:
            middle = np.append(view.points_mm[:, :2].mean(axis=0), 0.0)
            views.append(PageView(len(views), 0, view.points_mm - middle, view.seen_px))
    return views, size


def measure(series: Series, folder: Path, views: int, draws: int) -> str:
    """One line of the table."""
    there, size = read_views(folder / series.folder, series.corners)
    text = (folder / series.folder / series.published).read_text(encoding="utf-8")
    match = re.search(series.pattern, text)
    assert match is not None
    true, r = float(match[1]), np.random.default_rng(7)
    every, doubt = _solve(there, size)
    off, ratios, others, refused = [], [], [], 0
    for _ in range(draws):
        picked = r.permutation(len(there))[:views]
        try:
            focal, sigma = _solve([there[k] for k in picked], size)
        except BadInput:
            refused += 1
            continue
        off.append(abs(focal / true - 1))
        ratios.append((focal - true) / sigma)
        others.append((focal - every) / sigma)
    rms, own = (float(np.sqrt(np.mean(np.square(some)))) for some in (ratios, others))
    few, whole = 100 * float(np.median(off)), 100 * abs(every / true - 1)
    row = f"{series.folder:14} {true:9.1f} {len(there):5} {few:7.2f} % {rms:8.2f} {own:11.2f} {refused:5}/{draws}"
    return f"{row} {whole:7.2f} % {abs(every - true) / doubt:5.1f}"


def _solve(views: list[PageView], size: tuple[int, int]) -> tuple[float, float]:
    """Focal length and its sigma, px. Raises: BadInput."""
    numbered = [replace(view, picture=k) for k, view in enumerate(views)]
    solution = solve_lens(numbered, size, Known(), len(numbered))
    return float(solution.state.lens.values[0]), float(np.sqrt(solution.covariance[0, 0]))


def main(folder: Path, views: int = 5, draws: int = 20) -> None:
    print(f"{'series':14} {'published':>9} {'views':>5} {'off':>9} {'/sigma':>8} {'/sigma all':>11} refused       all")
    for series in SERIES:
        print(measure(series, folder, views, draws))


if __name__ == "__main__":
    run(main)
