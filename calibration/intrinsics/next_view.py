"""Next view: which view of the board is missed most. Pure, so that it can be asked at any time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.intrinsics.board_detection import BoardView

Kind = Literal["place", "tilt", "nearer", "farther", "more"]

FEWEST_VIEWS = 8
_CELLS = 3
_POINTS_A_CELL = 8
_TILT_RAD = 0.3
_GUESSED_FOCAL = 0.9  # of the picture's width: near enough to tell which way a board leans
_DEPTHS = 1.4  # between the nearest and the farthest view
_LARGE = 0.35  # of the picture's width; a board seen larger can only go farther

_ROWS, _COLUMNS = ("top", "middle", "bottom"), ("left", "middle", "right")
_LEANS = {
    (0, 1): "its left side nearer to the camera",
    (0, -1): "its right side nearer to the camera",
    (1, 1): "its top nearer to the camera",
    (1, -1): "its bottom nearer to the camera",
}


@dataclass(frozen=True)
class Hint:
    """Hint of what to do next, in words for the one who holds the board."""

    kind: Kind
    says: str


@dataclass(frozen=True)
class ViewCoverage:
    """Coverage of the views: share of the picture, sides it leaned to (of four), farthest by nearest."""

    views: int
    covered: float
    leans: int
    depths: float


def measure_coverage(views: Sequence[BoardView], size: tuple[int, int]) -> ViewCoverage:
    """Coverage of the views so far, to be shown while they are taken."""
    if not views:
        return ViewCoverage(0, 0.0, 0, 1.0)
    scales = [_px_per_mm(view) for view in views]
    covered = float((_count_points(views, size) >= _POINTS_A_CELL).mean())
    return ViewCoverage(len(views), covered, 4 - len(_missing_tilts(views, size)), max(scales) / min(scales))


def next_view(
    views: Sequence[BoardView], size: tuple[int, int], *, doubt_mm: Floats | None = None, limit_mm: float | None = None
) -> Hint | None:
    """The view that is missed most; None when nothing is.

    `doubt_mm` (3, 3) is what these views leave in doubt over the table, row by row from the top of the picture; where
    it is above `limit_mm` more views are wanted.
    """
    counts = _count_points(views, size)
    empty = np.argwhere(counts < _POINTS_A_CELL)
    if len(empty):
        row, column = min(empty.tolist(), key=lambda cell: (counts[cell[0], cell[1]], -_off_centre(cell)))
        return Hint("place", f"hold the board at the {_cell_name(row, column)} of the picture")
    leans = _missing_tilts(views, size)
    if leans:
        place = _cell_name(*_sparsest_cell(counts))
        return Hint("tilt", f"tilt the board at the {place} of the picture, {_LEANS[leans[0]]}")
    depth = _depth_ratio(views, size)
    if depth is not None:
        return depth
    if len(views) < FEWEST_VIEWS:
        return Hint("more", f"another tilted view at the {_cell_name(*_sparsest_cell(counts))} of the picture")
    if doubt_mm is not None and limit_mm is not None and doubt_mm.max() > limit_mm:
        place = _cell_name(*divmod(int(np.argmax(doubt_mm)), _CELLS))
        return Hint("more", f"another tilted view at the {place} of the picture: {doubt_mm.max():.2f} mm unsure there")
    return None


def _count_points(views: Sequence[BoardView], size: tuple[int, int]) -> NDArray[np.int64]:
    """How many points were seen in each ninth of the picture."""
    counts = np.zeros((_CELLS, _CELLS), np.int64)
    for view in views:
        column, row = (np.clip(view.seen_px / size, 0, 0.999) * _CELLS).astype(int).T
        np.add.at(counts, (row, column), 1)
    return counts


def _off_centre(cell: Sequence[int]) -> int:
    """Corners before sides before the middle: there the lens bends most."""
    return sum(side != 1 for side in cell)


def _sparsest_cell(counts: NDArray[np.int64]) -> tuple[int, int]:
    return divmod(int(np.argmin(counts)), _CELLS)


def _cell_name(row: int, column: int) -> str:
    if row == column == 1:
        return "middle"
    return " ".join(word for word in (_ROWS[row], _COLUMNS[column]) if word != "middle") + (
        "" if row != 1 and column != 1 else " edge"
    )


def _missing_tilts(views: Sequence[BoardView], size: tuple[int, int]) -> list[tuple[int, int]]:
    """The sides that no view leans to yet: (axis of the picture, sign)."""
    normals = [normal for view in views if (normal := _board_normal(view, size)) is not None]
    limit = float(np.sin(_TILT_RAD))
    return [lean for lean in _LEANS if not any(lean[1] * normal[lean[0]] > limit for normal in normals)]


def _board_normal(view: BoardView, size: tuple[int, int]) -> Floats | None:
    """Which way the board looks, (x, y) of its unit normal towards the camera, through a lens that is guessed.

    Positive x: its left side is nearer. Positive y: its top is nearer.
    """
    plane, _ = cv2.findHomography(view.points_mm[:, :2], view.seen_px)
    if plane is None:
        return None
    focal = _GUESSED_FOCAL * size[0]
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    across, down, _ = (np.linalg.inv(lens) @ plane).T
    if (np.linalg.inv(lens) @ plane)[2, 2] < 0:
        across, down = -across, -down
    normal = np.cross(across, down)
    length = float(np.linalg.norm(normal))
    if length < 1e-12:
        return None
    normal /= length
    return np.asarray(-normal[:2] * np.sign(normal[2]))


def _depth_ratio(views: Sequence[BoardView], size: tuple[int, int]) -> Hint | None:
    scales = [_px_per_mm(view) for view in views]
    if max(scales) / min(scales) >= _DEPTHS:
        return None
    widest = max(float(np.ptp(view.seen_px[:, 0])) for view in views) / size[0]
    if widest > _LARGE:
        return Hint("farther", "hold the board farther from the camera, tilted")
    return Hint("nearer", "hold the board nearer to the camera, tilted")


def _px_per_mm(view: BoardView) -> float:
    """How large the board is seen, whichever way it is tilted: by its less foreshortened direction."""
    on_board, seen = (points - points.mean(axis=0) for points in (view.points_mm[:, :2], view.seen_px))
    affine, *_ = np.linalg.lstsq(on_board, seen, rcond=None)
    return float(np.linalg.svd(affine, compute_uv=False)[0])
