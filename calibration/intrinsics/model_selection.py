"""Lens model selection by cross-validation: each is judged by views that it was not fitted to."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.arrays import Floats, Mask
from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.bundle_adjustment import Solution, adjust_bundle, estimate_poses
from calibration.intrinsics.reprojection import BoardPoses, Lens, Points, reprojection_jacobian, reprojection_residuals

Model = Literal["pinhole2", "brown", "rational", "fisheye"]

_TERMS: dict[Model, tuple[bool, ...]] = {
    "pinhole2": (True, True, False, False),  # OpenCV wants four terms at least; its p1 and p2 stay zero
    "brown": (True,) * 5,
    "fisheye": (True,) * 4,
    "rational": (True,) * 8,
}
_FOLDS = 6
_CORRELATED = 2.0  # how many times the points' own scatter the folds' may be before it is believed
_FOCALS = (0.8, 0.5, 1.3, 2.2, 0.32)  # of the picture's width, to start from


@dataclass(frozen=True)
class ModelFit:
    """Lens model fitted to all views, and its error on held-out views, in px and on the board."""

    model: Model
    whole: Solution
    covariance: Floats
    heldout_px: float
    heldout_mm: float


def fit_models(views: Sequence[BoardView], size: tuple[int, int], tell: Callable[[str], None]) -> list[ModelFit]:
    """Fit every lens model that can explain the views, the simplest first."""
    wholes = _fit_all_views(views, size, _TERMS)
    if not wholes:
        return []
    believed = min(wholes.values(), key=lambda whole: float(np.median(whole.noise_px))).trust
    fits = []
    for model, whole in wholes.items():
        fit = _cross_validate(model, whole, views, [trust > 0.1 for trust in believed])
        tell(model)
        if fit is not None:
            fits.append(fit)
    return fits


def fit_model(model: Model, views: Sequence[BoardView], size: tuple[int, int]) -> ModelFit | None:
    """Fit this lens model, whatever the others would do."""
    whole = _fit_all_views(views, size, (model,)).get(model)
    return None if whole is None else _cross_validate(model, whole, views, [trust > 0.1 for trust in whole.trust])


def _fit_all_views(
    views: Sequence[BoardView], size: tuple[int, int], models: Collection[Model]
) -> dict[Model, Solution]:
    """Each of these models fitted to all views, the simplest first."""
    solutions: dict[Model, Solution] = {}
    for family in (("pinhole2", "brown", "rational"), ("fisheye",)):
        if not set(family).isdisjoint(models):
            solutions |= _fit_family(views, size, family)
    return {model: solutions[model] for model in _TERMS if model in models and model in solutions}


def _fit_family(views: Sequence[BoardView], size: tuple[int, int], family: Sequence[Model]) -> dict[Model, Solution]:
    """Each model of the family; the richer starts where the simpler ended."""
    solutions: dict[Model, Solution] = {}
    start = _select_best([adjust_bundle(views, _initial_lens(family[0], size, focal), rounds=1) for focal in _FOCALS])
    for model in family:
        whole = None if start is None else adjust_bundle(views, _extend_lens(start.lens, model), places=start.places)
        if whole is not None:
            start = whole
            if _covers_image(whole.lens, size):
                solutions[model] = whole
    return solutions


def _covers_image(lens: Lens, size: tuple[int, int]) -> bool:
    """Whether every place along the picture's border is seen by one ray: a lens that folds back there is none.

    A fisheye's picture may be a disc, with nothing seen at its corners.
    """
    if lens.fisheye:
        return True
    width, height = size
    along, down = np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 33)
    sides = [np.stack([along, np.full(33, y)], axis=1) for y in (0.0, height - 1.0)]
    sides += [np.stack([np.full(33, x), down], axis=1) for x in (0.0, width - 1.0)]
    border = np.concatenate(sides)
    rays = lens.rays(border)
    return bool(np.all(np.isfinite(rays))) and bool(np.abs(lens.project(rays) - border).max() < 1e-3)


def _initial_lens(model: Model, size: tuple[int, int], focal: float) -> Lens:
    width, height = size
    pinhole = [focal * width, focal * width, (width - 1) / 2, (height - 1) / 2]
    return Lens(np.array(pinhole + [0.0] * len(_TERMS[model])), _free_terms(model), fisheye=model == "fisheye")


def _extend_lens(lens: Lens, model: Model) -> Lens:
    values = np.zeros(4 + len(_TERMS[model]))
    values[: len(lens.values)] = lens.values
    return Lens(values, _free_terms(model), fisheye=lens.fisheye)


def _free_terms(model: Model) -> Mask:
    return np.array((True,) * 4 + _TERMS[model])


def _select_best(tries: Sequence[Solution | None]) -> Solution | None:
    return min(
        (solution for solution in tries if solution is not None),
        key=lambda solution: float(np.median(solution.noise_px)),
        default=None,
    )


def _cross_validate(
    model: Model, whole: Solution, views: Sequence[BoardView], believed: Sequence[Mask]
) -> ModelFit | None:
    folds = min(_FOLDS, len(views))
    lenses, px, mm = [], [], []
    for fold in range(folds):
        rest = [i for i in range(len(views)) if i % folds != fold]
        part = adjust_bundle([views[i] for i in rest], whole.lens, places=whole.places.select(rest), rounds=2)
        unseen = views[fold::folds]
        places = None if part is None else estimate_poses(unseen, part.lens)
        if part is None or places is None:
            return None
        lenses.append(part.lens.values)
        points, good = Points.of(unseen), np.concatenate(believed[fold::folds])
        px.append(reprojection_residuals(points, part.lens, places)[good])
        mm.append(_board_residuals_mm(points, part.lens, places)[good])
    return ModelFit(model, whole, _widen_covariance(whole, np.array(lenses)), _rms(px), _rms(mm))


def _board_residuals_mm(points: Points, lens: Lens, places: BoardPoses) -> Floats:
    """Misses in mm on the board, (N, 2)."""
    _, by_place = reprojection_jacobian(points, lens, places)
    by_board = by_place[:, :, 3:] @ places.rotations[points.owner][:, :, :2]
    off = reprojection_residuals(points, lens, places)
    return np.asarray(np.linalg.solve(by_board, off[:, :, None])[:, :, 0])


def _widen_covariance(whole: Solution, folds: Floats) -> Floats:
    """The lens's covariance; widened when leaving views out moves the lens more than its points' scatter allows.

    A board that is not flat, or a blur that goes one way, moves all points of a view together.
    """
    moved = (len(folds) - 1) / len(folds) * np.sum((folds - folds.mean(axis=0)) ** 2, axis=0)
    stated = np.diag(whole.covariance)
    ratio = float(np.median(moved[stated > 0] / stated[stated > 0]))
    return whole.covariance * (ratio if ratio > _CORRELATED else 1.0)


def _rms(misses: Sequence[Floats]) -> float:
    return float(np.sqrt(np.mean(np.sum(np.concatenate(misses) ** 2, axis=1))))
