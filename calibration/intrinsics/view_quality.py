"""View quality: whether a view of a board is sharp, and of a print at all."""

import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import edge_widths
from calibration.intrinsics.board_detection import Board, BoardView
from models.board import CharucoBoard, CircleBoard

_REACH = 0.35  # of a square's side, to either side of the middle of an edge
_BLURRED = 0.12  # of a square's side; an edge that soft reaches into the corners at its ends
_PATCH_PX = 16
_FEWEST_PATCHES = 12
_GRID, _GRID_BESIDE_MARKERS = 25.0, 60.0  # how many times its surroundings a frequency must stand out, in power


def blur_px(gray: Image, view: BoardView, board: Board) -> tuple[float, float]:
    """Edge blur between the board's squares, and a square's side, px; NaN for dots."""
    if isinstance(board, CircleBoard):
        return float("nan"), float("nan")
    starts, ends = _square_sides(view, board.square_mm)
    if not len(starts):
        return float("nan"), float("nan")
    along = ends - starts
    length = np.linalg.norm(along, axis=1)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None]
    side = float(np.median(length))
    soft = edge_widths(gray, (starts + ends) / 2, across, reach_px=max(_REACH * side, 2.0))
    return (float(np.nanmedian(soft)) if np.isfinite(soft).any() else float("nan")), side


def find_fault(gray: Image, view: BoardView, board: Board) -> str | None:
    """Why this view should not be used; None when nothing speaks against it."""
    soft, side = blur_px(gray, view, board)
    if soft > _BLURRED * side:
        return f"it is blurred: edges are {soft:.1f} px soft, in squares of {side:.0f} px"
    if shows_pixels(gray, view, board):
        return "the board is on a screen: a grid of pixels shows in its squares; print it"
    return None


def shows_pixels(gray: Image, view: BoardView, board: Board) -> bool:
    """Whether the bright squares hold a regular grid, as a screen's do: a board shown there has not the size said.

    A screen seen from too far away to show its pixels cannot be told from paper, nor a faint grid beside markers.
    """
    if isinstance(board, CircleBoard):
        return False
    power = [_power_spectrum(gray, spot) for spot in _bright_squares(gray, view, board.square_mm)]
    if len(power) < _FEWEST_PATCHES:
        return False
    most = _GRID_BESIDE_MARKERS if isinstance(board, CharucoBoard) else _GRID
    return _peak_ratio(np.mean(power, axis=0)) > most


def _square_sides(view: BoardView, square_mm: float) -> tuple[Floats, Floats]:
    """Neighbouring corners: the ends of the squares' sides, (N, 2) px each."""
    cells = {tuple(np.round(place / square_mm).astype(int)): i for i, place in enumerate(view.points_mm[:, :2])}
    pairs = [(i, cells[other]) for (x, y), i in cells.items() for other in ((x + 1, y), (x, y + 1)) if other in cells]
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    return view.seen_px[ends[:, 0]], view.seen_px[ends[:, 1]]


def _bright_squares(gray: Image, view: BoardView, square_mm: float) -> list[Floats]:
    """The middles of squares with a patch's room around them, the brighter half."""
    cells = {tuple(np.round(place / square_mm).astype(int)): i for i, place in enumerate(view.points_mm[:, :2])}
    spots = []
    for x, y in cells:
        around = [(x + a, y + b) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        if all(corner in cells for corner in around):
            quad = view.seen_px[[cells[corner] for corner in around]]
            if np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).min() > 1.9 * _PATCH_PX:
                spots.append(quad.mean(axis=0))
    light = [float(gray[int(spot[1]), int(spot[0])]) for spot in spots]
    return [spot for spot, value in zip(spots, light, strict=True) if value > np.median(light)]


def _power_spectrum(gray: Image, spot: Floats) -> Floats:
    """The power at each frequency of a patch, its mean and slopes taken out."""
    left, top = (np.round(spot).astype(int) - _PATCH_PX // 2).tolist()
    patch = gray[top : top + _PATCH_PX, left : left + _PATCH_PX].astype(np.float64)
    if patch.shape != (_PATCH_PX, _PATCH_PX):
        return np.zeros((_PATCH_PX, _PATCH_PX // 2 + 1))
    y, x = np.mgrid[:_PATCH_PX, :_PATCH_PX] - (_PATCH_PX - 1) / 2
    rows = np.stack([np.ones(x.size), x.ravel(), y.ravel(), (x * x).ravel(), (y * y).ravel(), (x * y).ravel()], axis=1)
    flat = patch.ravel() - rows @ np.linalg.lstsq(rows, patch.ravel(), rcond=None)[0]
    window = np.outer(np.hanning(_PATCH_PX), np.hanning(_PATCH_PX))
    return np.asarray(np.abs(np.fft.rfft2(flat.reshape(patch.shape) * window)) ** 2)


def _peak_ratio(power: Floats) -> float:
    """How many times the strongest frequency is its neighbourhood's usual power, compression's own rhythm left out."""
    fy, fx = np.meshgrid(np.fft.fftfreq(_PATCH_PX), np.fft.rfftfreq(_PATCH_PX), indexing="ij")
    radius = np.hypot(fx, fy)
    blocks = (np.minimum(np.abs(fx), np.abs(fy)) < 1.5 / _PATCH_PX) & (radius > 0)  # JPEG writes in blocks of eight
    fine = (radius > 0.15) & ~blocks
    ratios = [
        float(power[i, j] / max(np.median(power[fine & (np.abs(radius - radius[i, j]) < 0.08)]), 1e-9))
        for i, j in np.argwhere(fine)
    ]
    return max(ratios, default=0.0)
