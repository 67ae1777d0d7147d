"""Camera calibration from pictures of a known board: lens model, covariance, and the views that were left out.

Of dots the middle of the image is not the image of the middle: that bias is corrected once a first lens is known.

View quality: whether a view of a board is sharp, and of a print at all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Image
from calibration.blas_threads import with_one_blas_thread
from calibration.image import edge_widths, to_gray
from calibration.intrinsics.board_detection import Board, BoardView, detect_board, is_mirrored
from calibration.intrinsics.bundle_adjustment import Solution
from calibration.intrinsics.model_selection import ModelFit, fit_models
from calibration.intrinsics.reprojection import BoardPoses
from models.board import CharucoBoard, CircleBoard
from models.camera import Camera
from models.errors import BadBoard, BadInput

Progress = Callable[[str], None]
"""Called with what has just been done, once a step."""

_FEWEST_VIEWS = 4
_NOT_SEEN = "the board is not seen in it"
_ROUNDS = 2
_LEAST_TILT_DEG = 5.0
_MOST_FOCAL_SIGMA = 0.01
_WORSE, _BAD_PX, _BELIEVED = 4.0, 0.3, 0.5
_BETTER = 0.98  # a richer lens must be this much better on views it has not seen
_RIM = 32  # points of a dot's rim


@dataclass(frozen=True)
class RejectedView:
    """View that was not used, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class Calibration:
    """Camera, rejected views, and every lens model's error on views that it was not fitted to."""

    camera: Camera
    rejected: tuple[RejectedView, ...]
    heldout_px: dict[str, float]


@with_one_blas_thread
def calibrate_camera(
    views: Iterable[tuple[str, Image]],
    board: Board,
    *,
    image_size: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """Calibrate the camera that took these named pictures of the board.

    Raises: BadInput, BadBoard naming the field and the value: pictures of different sizes, too few that show the board,
    a board that fits none of them, views that cannot tell the focal length.
    """
    tell = progress or (lambda _: None)
    seen, size, rejected = _detect_views(views, board, size=image_size, tell=tell)
    _check_views(seen, rejected)
    best, kept, bad, errors = _select_model(seen, size, tell)
    if isinstance(board, CircleBoard) and board.diameter_mm:
        best, errors = _refit_circle_centres(best, kept, size, board.diameter_mm, errors)
    _check_focal(best.whole)
    return Calibration(_make_camera(best, kept, size), (*rejected, *bad), errors)


def _detect_views(
    views: Iterable[tuple[str, Image]], board: Board, *, size: tuple[int, int] | None, tell: Progress
) -> tuple[list[BoardView], tuple[int, int], list[RejectedView]]:
    seen: list[BoardView] = []
    rejected: list[RejectedView] = []
    mirrored = False
    for name, image in views:
        size = _check_size(name, image, size)
        gray = to_gray(image)
        view = detect_board(name, gray, board)
        if view is None:
            rejected.append(RejectedView(name, _NOT_SEEN))
            mirrored = mirrored or (not seen and is_mirrored(gray, board))
        elif (why := find_fault(gray, view, board)) is not None:
            rejected.append(RejectedView(name, why))
        else:
            seen.append(view)
        tell(name)
    if mirrored and not seen:
        raise BadBoard("the board is seen only in a mirror: is the print or the picture flipped?", field="images")
    if size is None:
        raise BadInput("no picture was given", field="images", value=0)
    return seen, size, rejected


def _check_size(name: str, image: Image, size: tuple[int, int] | None) -> tuple[int, int]:
    height, width = image.shape[:2]
    if size is not None and size != (width, height):
        raise BadInput(
            f"{name} is {width}x{height}, not {size[0]}x{size[1]}: a camera is calibrated at one size",
            field="images",
            value=name,
            image_size=[width, height],
            expected=list(size),
        )
    return width, height


def _check_views(seen: Sequence[BoardView], rejected: Sequence[RejectedView]) -> None:
    if not seen:
        faults = sorted({view.why for view in rejected} - {_NOT_SEEN})
        raise BadBoard(
            f"no picture of the board can be used: {faults[0]}"
            if faults
            else "no picture shows this board: is its description (type, size, dictionary) that of the print?",
            field="board",
            value=[view.name for view in rejected],
            rejected={view.name: view.why for view in rejected},
        )
    if len(seen) < _FEWEST_VIEWS:
        raise BadInput(
            f"at least {_FEWEST_VIEWS} pictures must show the board, better 15; {len(seen)} of"
            f" {len(seen) + len(rejected)} do. If more should, the board's description may be wrong",
            field="images",
            value=len(seen),
            rejected={view.name: view.why for view in rejected},
        )


def _select_model(
    views: list[BoardView], size: tuple[int, int], tell: Progress
) -> tuple[ModelFit, list[BoardView], list[RejectedView], dict[str, float]]:
    """The lens model that does best on unseen views, fitted to the views that it explains."""
    bad: list[RejectedView] = []
    while True:
        fits = fit_models(views, size, tell)
        if not fits:
            raise BadBoard("no lens makes this board of the pictures: is its description right?", field="board")
        best = select_simplest(fits)
        stray = _find_outlier_views(best.whole, views)
        if not stray:
            return best, views, bad, {fit.model: fit.heldout_px for fit in fits}
        bad += stray
        names = {view.name for view in stray}
        views = [view for view in views if view.name not in names]
        _check_views(views, bad)


def _refit_circle_centres(
    best: ModelFit, views: Sequence[BoardView], size: tuple[int, int], diameter_mm: float, errors: dict[str, float]
) -> tuple[ModelFit, dict[str, float]]:
    """The same from the dots' middles, which the first lens and places tell from the middles of their pictures."""
    for _ in range(_ROUNDS):
        fits = fit_models(correct_centre_bias(views, best.whole, diameter_mm=diameter_mm), size, lambda _: None)
        if not fits:
            break
        best, errors = select_simplest(fits), {fit.model: fit.heldout_px for fit in fits}
    return best, errors


def select_simplest(fits: Sequence[ModelFit]) -> ModelFit:
    """The simplest lens model that does nearly as well as the best on held-out views."""
    best = fits[0]
    for fit in fits[1:]:
        if fit.heldout_px < _BETTER * best.heldout_px:
            best = fit
    return best


def _find_outlier_views(whole: Solution, views: Sequence[BoardView]) -> list[RejectedView]:
    """Views that the lens does not explain though it explains the others."""
    usual = float(np.median([_rms(miss) for miss in whole.misses_px]))
    outliers = []
    for view, miss, trust in zip(views, whole.misses_px, whole.trust, strict=True):
        typical = float(np.median(np.linalg.norm(miss, axis=1)))
        if typical > max(_WORSE * usual, _BAD_PX):
            outliers.append(
                RejectedView(view.name, f"its points miss by {typical:.2f} px, in other views by {usual:.2f} px")
            )
        elif np.mean(trust > 0.1) < _BELIEVED:
            outliers.append(RejectedView(view.name, f"{np.mean(trust <= 0.1):.0%} of its points are off"))
    return outliers


def _check_focal(whole: Solution) -> None:
    """Raises: BadInput when the views cannot tell a longer lens from a greater distance."""
    tilt_deg = _widest_tilt_deg(whole.places)
    sigma = float(np.sqrt(np.diag(whole.covariance)[:2]).max() / whole.lens.values[:2].min())
    if tilt_deg < _LEAST_TILT_DEG or sigma > _MOST_FOCAL_SIGMA:
        raise BadInput(
            f"the views cannot tell the focal length (known to {sigma:.1%}): between the two most different ones the "
            f"board is tilted by {tilt_deg:.1f} degrees; tilt it by 30 in several directions",
            field="images",
            value=round(tilt_deg, 1),
            focal_sigma=sigma,
        )


def _widest_tilt_deg(places: BoardPoses) -> float:
    normals = places.rotations[:, :, 2]
    return float(np.degrees(np.arccos(np.clip((normals @ normals.T).min(), -1, 1))))


def _make_camera(best: ModelFit, views: Sequence[BoardView], size: tuple[int, int]) -> Camera:
    fx, fy, cx, cy, *dist = best.whole.lens.values.tolist()
    return Camera(
        image_size=size,
        model=best.model,
        K=((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0)),
        dist=tuple(dist),
        covariance=tuple(tuple(map(float, row)) for row in best.covariance),
        rms_px=_rms(np.concatenate(best.whole.misses_px)),
        heldout_px=best.heldout_px,
        heldout_mm=best.heldout_mm,
        views=tuple(view.name for view in views),
    )


def _rms(miss: Floats) -> float:
    return float(np.sqrt(np.mean(np.sum(miss**2, axis=1))))


def correct_centre_bias(views: Sequence[BoardView], solution: Solution, *, diameter_mm: float) -> list[BoardView]:
    """The views as if the dots' middles had been seen: under a slant a dot's nearer half is seen larger.

    `views` are those that `found` explains, in its order.
    """
    return [
        replace(view, seen_px=view.seen_px - _centre_bias_px(view, solution, number, diameter_mm / 2))
        for number, view in enumerate(views)
    ]


def _centre_bias_px(view: BoardView, solution: Solution, number: int, radius_mm: float) -> Floats:
    """From the picture of each dot's middle to the middle of its picture, (N, 2) px."""
    rotation, translation = solution.places.rotations[number], solution.places.translations_mm[number]
    angle = np.arange(_RIM) * 2 * np.pi / _RIM
    rim = radius_mm * np.stack([np.cos(angle), np.sin(angle), np.zeros(_RIM)], axis=1)
    on_board = view.points_mm[:, None, :] + rim
    seen = solution.lens.project(on_board.reshape(-1, 3) @ rotation.T + translation).reshape(-1, _RIM, 2)
    return _centroids(seen) - solution.lens.project(view.points_mm @ rotation.T + translation)


def _centroids(outlines: Floats) -> Floats:
    """The centroids of the areas within outlines (N, K, 2)."""
    start = outlines.mean(axis=1, keepdims=True)
    here = outlines - start
    after = np.roll(here, -1, axis=1)
    twice = here[:, :, 0] * after[:, :, 1] - here[:, :, 1] * after[:, :, 0]
    moment = np.sum((here + after) * twice[:, :, None], axis=1)
    return np.asarray(start[:, 0] + moment / (3 * twice.sum(axis=1, keepdims=True)))


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
