"""A camera's lens from pictures of a known board: how surely, by which model, and without which views."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import picture
from calibration.board import Board, View, find, is_mirrored
from calibration.bundle import Solution
from calibration.dots import centred
from calibration.held import Places
from calibration.lens_model import Fitted, fitted
from calibration.print_quality import fault
from models.board import CircleBoard
from models.camera import Camera
from models.errors import BadBoard, BadInput

Floats = NDArray[np.float64]
Progress = Callable[[str], None]
"""Called with what has just been done, once a step."""

_FEWEST_VIEWS = 4
_NOT_SEEN = "the board is not seen in it"
_ROUNDS = 2
_LEAST_TILT_DEG = 5.0
_MOST_FOCAL_SIGMA = 0.01
_WORSE, _BAD_PX, _BELIEVED = 4.0, 0.3, 0.5
_BETTER = 0.98  # a richer lens must be this much better on views it has not seen


@dataclass(frozen=True)
class Rejected:
    """A view that was not used, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class Calibration:
    """The camera, the views that were left out, and every lens model's error on views that it had not seen."""

    camera: Camera
    rejected: tuple[Rejected, ...]
    heldout_px: dict[str, float]


def calibrate_camera(
    views: Iterable[tuple[str, picture.Image]],
    board: Board,
    *,
    image_size: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """The camera that took these pictures of the board, each with its name.

    Raises: BadInput, BadBoard naming the field and the value: pictures of different sizes, too few that show the board,
    a board that fits none of them, views that cannot tell the focal length.
    """
    tell = progress or (lambda _: None)
    seen, size, rejected = _seen(views, board, size=image_size, tell=tell)
    _check_views(seen, rejected)
    best, kept, bad, errors = _best(seen, size, tell)
    if isinstance(board, CircleBoard) and board.diameter_mm:
        best, errors = _with_middles(best, kept, size, board.diameter_mm, errors)
    _check_focal(best.whole)
    return Calibration(_camera(best, kept, size), (*rejected, *bad), errors)


def _seen(
    views: Iterable[tuple[str, picture.Image]], board: Board, *, size: tuple[int, int] | None, tell: Progress
) -> tuple[list[View], tuple[int, int], list[Rejected]]:
    found: list[View] = []
    rejected: list[Rejected] = []
    mirrored = False
    for name, image in views:
        size = _same_size(name, image, size)
        gray = picture.gray(image)
        view = find(name, gray, board)
        if view is None:
            rejected.append(Rejected(name, _NOT_SEEN))
            mirrored = mirrored or (not found and is_mirrored(gray, board))
        elif (why := fault(gray, view, board)) is not None:
            rejected.append(Rejected(name, why))
        else:
            found.append(view)
        tell(name)
    if mirrored and not found:
        raise BadBoard("the board is seen only in a mirror: is the print or the picture flipped?", field="images")
    if size is None:
        raise BadInput("no picture was given", field="images", value=0)
    return found, size, rejected


def _same_size(name: str, image: picture.Image, size: tuple[int, int] | None) -> tuple[int, int]:
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


def _check_views(seen: Sequence[View], rejected: Sequence[Rejected]) -> None:
    if not seen:
        faults = sorted({one.why for one in rejected} - {_NOT_SEEN})
        raise BadBoard(
            f"no picture of the board can be used: {faults[0]}"
            if faults
            else "no picture shows this board: is its description (type, size, dictionary) that of the print?",
            field="board",
            value=[one.name for one in rejected],
            rejected={one.name: one.why for one in rejected},
        )
    if len(seen) < _FEWEST_VIEWS:
        raise BadInput(
            f"at least {_FEWEST_VIEWS} pictures must show the board, better 15; {len(seen)} of"
            f" {len(seen) + len(rejected)} do. If more should, the board's description may be wrong",
            field="images",
            value=len(seen),
            rejected={one.name: one.why for one in rejected},
        )


def _best(
    views: list[View], size: tuple[int, int], tell: Progress
) -> tuple[Fitted, list[View], list[Rejected], dict[str, float]]:
    """The lens model that does best on unseen views, fitted to the views that it explains."""
    bad: list[Rejected] = []
    while True:
        fits = fitted(views, size, tell)
        if not fits:
            raise BadBoard("no lens makes this board of the pictures: is its description right?", field="board")
        best = simplest(fits)
        stray = _strays(best.whole, views)
        if not stray:
            return best, views, bad, {fit.model: fit.heldout_px for fit in fits}
        bad += stray
        names = {one.name for one in stray}
        views = [view for view in views if view.name not in names]
        _check_views(views, bad)


def _with_middles(
    best: Fitted, views: Sequence[View], size: tuple[int, int], diameter_mm: float, errors: dict[str, float]
) -> tuple[Fitted, dict[str, float]]:
    """The same from the dots' middles, which the first lens and places tell from the middles of their pictures."""
    for _ in range(_ROUNDS):
        fits = fitted(centred(views, best.whole, diameter_mm=diameter_mm), size, lambda _: None)
        if not fits:
            break
        best, errors = simplest(fits), {fit.model: fit.heldout_px for fit in fits}
    return best, errors


def simplest(fits: Sequence[Fitted]) -> Fitted:
    """The simplest lens that does nearly as well as the best on views that it was not fitted to."""
    best = fits[0]
    for fit in fits[1:]:
        if fit.heldout_px < _BETTER * best.heldout_px:
            best = fit
    return best


def _strays(whole: Solution, views: Sequence[View]) -> list[Rejected]:
    """Views that the lens does not explain though it explains the others."""
    usual = float(np.median([_rms(miss) for miss in whole.misses_px]))
    found = []
    for view, miss, trust in zip(views, whole.misses_px, whole.trust, strict=True):
        typical = float(np.median(np.linalg.norm(miss, axis=1)))
        if typical > max(_WORSE * usual, _BAD_PX):
            found.append(Rejected(view.name, f"its points miss by {typical:.2f} px, in other views by {usual:.2f} px"))
        elif np.mean(trust > 0.1) < _BELIEVED:
            found.append(Rejected(view.name, f"{np.mean(trust <= 0.1):.0%} of its points are off"))
    return found


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


def _widest_tilt_deg(places: Places) -> float:
    normals = places.rotations[:, :, 2]
    return float(np.degrees(np.arccos(np.clip((normals @ normals.T).min(), -1, 1))))


def _camera(best: Fitted, views: Sequence[View], size: tuple[int, int]) -> Camera:
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
