"""Camera calibration from pictures of a known board: lens model, covariance, and the views that were left out.

Of dots the middle of the image is not the image of the middle: that bias is corrected once a first lens is known.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Image
from calibration.blas_threads import with_one_blas_thread
from calibration.image import to_gray
from calibration.intrinsics.board_detection import Board, BoardView, detect_board, is_mirrored
from calibration.intrinsics.bundle_adjustment import Solution
from calibration.intrinsics.model_selection import ModelFit, fit_models
from calibration.intrinsics.reprojection import BoardPoses
from calibration.intrinsics.view_quality import find_fault
from models.board import CircleBoard
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
