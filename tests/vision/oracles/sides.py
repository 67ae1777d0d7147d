"""Layers and shifts of a block's sides in NumPy, which the compiled fits must agree with."""

import math

import numpy as np

from calibration.arrays import Floats
from vision.ranked.block_pose import REWEIGHTINGS, SideClass
from vision.ranked.side_layers import (
    FIRM,
    LEAST_NOISE,
    NOISE,
    ROUGH,
    SHARED,
    SHIFTS_MM,
    WIDTHS_MM,
    LayerEvidence,
    LayerFit,
    SideKind,
    layer_plan,
)


def fit_layers_numpy(kind: SideKind, seen: Floats) -> LayerFit:
    """As `fit_layers`."""
    plan = layer_plan(kind)
    known = (seen / NOISE).astype(np.float32)
    places = plan.gram.shape[:-2]
    taken = np.moveaxis(known.T @ plan.take, 0, 2)  # (rows, 3, chunks, places of each)
    taken = taken.reshape(*taken.shape[:2], -1)[..., : math.prod(places)].reshape(*taken.shape[:2], *places)
    left = plan.counts @ (known**2).sum(axis=1) - (taken[SHARED:-SHARED] ** 2).sum(axis=(0, 1), dtype=np.float64)
    alone = left - (taken[-SHARED:] ** 2).sum(axis=(0, 1))
    noise = _noise_level(seen, float(alone.min()) / known.size)
    weight = (NOISE / noise) ** 2
    cost = weight * alone + plan.price[:, None, None]
    best = cost.argmin(axis=0)
    w, s = np.ogrid[: best.shape[0], : best.shape[1]]
    projection = np.moveaxis(taken[:SHARED], (0, 1), (-2, -1))[best, w, s].astype(np.float64)
    chosen = _scale(LayerEvidence(left[best, w, s], projection, plan.gram[best, w, s]), weight)
    weighed = LayerEvidence(chosen.residual + plan.price[best], chosen.projection, chosen.gram)
    return LayerFit(weighed, best, np.broadcast_to(np.arange(len(best))[:, None], best.shape), cost[best, w, s], noise)


def _noise_level(seen: Floats, left: float) -> float:
    """Grey levels: what the best place leaves of each, and no less than pixels and the layers' own roughness."""
    return max(NOISE * float(np.sqrt(max(left, 0.0))), float(np.hypot(LEAST_NOISE, ROUGH * seen.std())))


def align_sides_numpy(sides: list[tuple[SideClass, LayerEvidence]], prior: Floats) -> tuple[Floats, Floats]:
    """As `align_sides`."""
    sums = [_zero_evidence(), _zero_evidence()]
    for side, evidence in sides:
        sums[side.axis] = _add(sums[side.axis], _scale(evidence, side.weight))
    both = _add(_broadcast_along(sums[0], 0), _broadcast_along(sums[1], 1))
    left = misfit(both) + prior
    colours = shared_colours(both.at(*_argmin(left)))
    for _ in range(REWEIGHTINGS):
        rows = [np.zeros((1, 1)), np.zeros((1, 1))]
        for side, evidence in sides:
            rows[side.axis] = rows[side.axis] + side.weight * _robust_cost(side, evidence.misfit_of(colours))
        left = rows[0][:, :, None] + rows[1][:, None] + prior
        colours = _reweighted_colours(sides, colours, _argmin(left))
    return left, colours


def misfit(evidence: LayerEvidence) -> Floats:
    """Residual with the best shared colours."""
    return np.asarray(evidence.residual - _explained_energy(evidence.gram + FIRM * np.eye(SHARED), evidence.projection))


def shared_colours(evidence: LayerEvidence) -> Floats:
    """The best shared colours (3, 3), at a single place."""
    return np.asarray(np.linalg.solve(evidence.gram + FIRM * np.eye(SHARED), evidence.projection))


def _reweighted_colours(
    sides: list[tuple[SideClass, LayerEvidence]], colours: Floats, at: tuple[int, int, int]
) -> Floats:
    """The shared colours that suit the sides best that they suit already."""
    here = [(side, evidence.at(min(at[0], len(evidence.residual) - 1), at[1 + side.axis])) for side, evidence in sides]
    total = LayerEvidence(np.zeros(()), np.zeros((3, 3)), np.zeros((3, 3)))
    for side, evidence in here:
        weight = side.weight / (1 + float(evidence.misfit_of(colours)) / side.strange)
        total = _add(total, _scale(evidence, weight))
    return shared_colours(total)


def _robust_cost(side: SideClass, left: Floats) -> Floats:
    """The misfit, which counts the less the more a side shows something else."""
    return np.asarray(side.strange * np.log1p(left / side.strange))


def _add(a: LayerEvidence, b: LayerEvidence) -> LayerEvidence:
    return LayerEvidence(a.residual + b.residual, a.projection + b.projection, a.gram + b.gram)


def _scale(evidence: LayerEvidence, weight: float) -> LayerEvidence:
    return LayerEvidence(weight * evidence.residual, weight * evidence.projection, weight * evidence.gram)


def _broadcast_along(evidence: LayerEvidence, axis: int) -> LayerEvidence:
    """(widths, shifts ahead, shifts left), the same for all shifts across this axis, 0 or 1."""
    arrays = (evidence.residual, evidence.projection, evidence.gram)
    return LayerEvidence(*(np.expand_dims(array, 2 - axis) for array in arrays))


def _zero_evidence() -> LayerEvidence:
    shape = len(WIDTHS_MM), len(SHIFTS_MM)
    return LayerEvidence(np.zeros(shape), np.zeros((*shape, 3, 3)), np.zeros((*shape, 3, 3)))


def _argmin(left: Floats) -> tuple[int, int, int]:
    a, b, c = np.unravel_index(int(left.argmin()), left.shape)
    return int(a), int(b), int(c)


def _explained_energy(gram: Floats, projection: Floats) -> Floats:
    """What the best shared colours explain: the projection over the root of the gram matrix, squared."""
    root = np.linalg.cholesky(gram)
    return np.asarray((np.linalg.solve(root, projection) ** 2).sum(axis=(-2, -1)))
