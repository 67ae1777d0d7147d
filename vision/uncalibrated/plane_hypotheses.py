"""Plane hypotheses: a slant, a scale and a size for each disc, with the probability of each hypothesis.

Every disc is of one of the catalogue's sizes or of none. Slant, scale, how discs swell towards the border and how well
they were measured are fitted together from many starts, each disc counting for every size by its probability
(as in expectation maximisation). The starts end in few hypotheses; where these differ, the result is in doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from calibration.arrays import Floats, Indices

_STEEPEST = 0.85  # sine of the largest slant
_SLANTS = (-0.12, -0.05, 0.0, 0.05, 0.12)  # parts of it, tried around what the shapes say
_SCALE_STEP = 0.012  # between starts
_KEPT = 5  # slants at each scale that are followed to their end
_COOLING = (0.03, 0.02, 0.014, 0.01, 0.007)  # least spread of the sizes, step after step
_STEPS = 14
_SIZE_SIGMA, _SIZE_SIGMA_COUNTS = 0.008, 6.0  # of a measured radius, as a share, and how many discs outweigh that
_SHAPE_SIGMA = 0.035  # of what the axes of an ellipse differ by, as a share
_SWELLING_SIGMA = 0.05
_BAD, _WORSE = 0.12, 4.0  # share of discs of which a shadow or a ring was taken for the edge, and how much worse it is
_STRANGE = 0.05  # share of discs that are of no size
_STRANGE_DENSITY = _STRANGE / 3.0  # those are of any size over about three units of its logarithm
_STRANGE_SHAPE = 0.02  # likelihood of a shape that is none of a circle's, beside one that is
_TOGETHER = 0.5  # what a disc's word counts: shadows and rims mislead neighbours alike
_LEAST_WEIGHT = 1e-4


class DiscArrays(NamedTuple):
    """Discs as arrays: rays with third part 1, logarithms of radii over the focal length, shapes, trust in each."""

    rays: Floats  # (N, 3)
    log_sizes: Floats  # (N,)
    sigma: Floats  # (N,), of the latter
    stretch: Floats  # (N, 2): log of the ratio of the axes, along twice the longer one's angle
    trust: Floats  # (N,), 0 to 1

    @property
    def far(self) -> Floats:
        """Square of the rays' slope."""
        return np.asarray((self.rays[:, :2] ** 2).sum(axis=1))


@dataclass(frozen=True)
class PlaneHypothesis:
    """One hypothesis; `shares` (discs, sizes) are the probabilities of the sizes under it, what is missing to 1 is of
    none."""

    normal: Floats
    log_distance: float
    swelling: float
    scale_sigma: float
    weight: float
    shares: Floats


class _Fits(NamedTuple):
    """Several fits at once. `at` (M, 4): two parts of the slant, log distance, swelling."""

    at: Floats
    spread: Floats  # (M,)

    def subset(self, chosen: Indices) -> "_Fits":
        return _Fits(self.at[chosen], self.spread[chosen])


def find_hypotheses(sight: DiscArrays, sizes_mm: Sequence[float]) -> tuple[PlaneHypothesis, ...]:
    """The hypotheses of this picture, likeliest first; their weights add up to 1."""
    wanted = np.log(np.array(sorted(sizes_mm)) / 2)
    fits, scales = _initial_fits(sight, wanted)
    for step in range(_STEPS):
        fits = _gauss_newton_step(sight, wanted, fits, _COOLING[min(step, len(_COOLING) - 1)])
        if step == 2:
            fits = fits.subset(_best_per_scale(_log_posterior(sight, wanted, fits), scales))
    worth = _log_posterior(sight, wanted, fits) - 0.5 * np.linalg.slogdet(_normal_equations(sight, wanted, fits)[0])[1]
    return _distinct_hypotheses(sight, wanted, fits, worth)


def _initial_fits(sight: DiscArrays, wanted: Floats) -> tuple[_Fits, int]:
    """Fits to begin with, and at how many scales: those of one slant stand together."""
    slant = _slant_from_shapes(sight)
    tries = np.array([slant + np.array((a, b)) for a in _SLANTS for b in _SLANTS])
    tries = tries[np.hypot(tries[:, 0], tries[:, 1]) < _STEEPEST]
    logs = sight.log_sizes - 1.5 * np.log(np.maximum(sight.rays @ _normals(slant[None])[0], 0.05))
    scales = np.arange(wanted[0] - np.median(logs) - 0.1, wanted[-1] - np.median(logs) + 0.1, _SCALE_STEP)
    at = np.array([(*slant, scale, 0.0) for slant in tries for scale in scales])
    return _Fits(at, np.full(len(at), _COOLING[0])), len(scales)


def _best_per_scale(worth: Floats, scales: int) -> Indices:
    """The best slants of every scale: which scale is best shows only at the end."""
    order = np.argsort(-worth.reshape(-1, scales), axis=0)[:_KEPT]
    return np.asarray(order * scales + np.arange(scales)).ravel()


def _slant_from_shapes(sight: DiscArrays) -> Floats:
    """The slant that most ellipses ask for."""
    steps = np.arange(-_STEEPEST, _STEEPEST, 0.05)
    slants = np.array([(a, b) for a in steps for b in steps if np.hypot(a, b) < _STEEPEST])
    return np.asarray(slants[_shape_log_likelihood(sight, slants).argmax()])


def _gauss_newton_step(sight: DiscArrays, wanted: Floats, fits: _Fits, least: float) -> _Fits:
    """One step of every fit towards the nearest reading."""
    curves, slopes, spread = _normal_equations(sight, wanted, fits)
    step = np.linalg.solve(curves, slopes[..., None])[..., 0]
    at = fits.at + np.clip(step, -0.1, 0.1)
    steep = np.hypot(at[:, 0], at[:, 1]) / _STEEPEST
    at[:, :2] /= np.maximum(steep, 1.0)[:, None]
    return _Fits(at, np.maximum(spread, least))


def _normal_equations(sight: DiscArrays, wanted: Floats, fits: _Fits) -> tuple[Floats, Floats, Floats]:
    """Normal matrices (M, 4, 4), right sides (M, 4) and the spread of the sizes (M,), each disc by its shares."""
    off, slopes = _residuals_and_jacobian(sight, wanted, fits)
    shares, well = _size_posterior(sight, off, fits)
    variance = fits.spread[:, None] ** 2 + sight.sigma**2
    weight = _TOGETHER * sight.trust / variance
    pulling = well + (shares - well) / _WORSE**2
    pull = -(pulling * off).sum(axis=2) * weight
    held, counted = pulling.sum(axis=2), well.sum(axis=2) @ sight.trust
    curves = np.einsum("mn,mni,mnj->mij", held * weight, slopes, slopes)
    right = np.einsum("mn,mni->mi", pull, slopes)
    shape_curves, shape_right = _shape_normal_equations(sight, fits.at[:, :2])
    curves[:, :2, :2] += shape_curves
    right[:, :2] += shape_right
    curves += np.diag([1e-3, 1e-3, 1e-3, _SWELLING_SIGMA**-2])
    right[:, 3] -= fits.at[:, 3] / _SWELLING_SIGMA**2
    square = (well * np.maximum(off**2 - sight.sigma[:, None] ** 2, 0)).sum(axis=2) @ sight.trust
    spread = (square + _SIZE_SIGMA_COUNTS * _SIZE_SIGMA**2) / (counted + _SIZE_SIGMA_COUNTS)
    return curves, right, np.sqrt(spread)


def _residuals_and_jacobian(sight: DiscArrays, wanted: Floats, fits: _Fits) -> tuple[Floats, Floats]:
    """How far each disc's log size is off each wanted one (M, N, S), and its slope (M, N, 4)."""
    normals = _normals(fits.at[:, :2])
    along = np.maximum(normals @ sight.rays.T, 0.05)
    logs = sight.log_sizes - 1.5 * np.log(along) + fits.at[:, 2:3] + fits.at[:, 3:] * sight.far
    lean = fits.at[:, None, :2] / normals[:, None, 2:]
    by_slant = -1.5 * (sight.rays[None, :, :2] - lean) / along[..., None]
    rest = np.broadcast_to(np.stack([np.ones_like(sight.far), sight.far], axis=1), by_slant.shape)
    return logs[..., None] - wanted, np.concatenate([by_slant, rest], axis=2)


def _densities(sight: DiscArrays, off: Floats, fits: _Fits) -> tuple[Floats, Floats]:
    """(M, N, S) each: of each disc being of each size, and measured well or badly."""
    sigma = np.sqrt(fits.spread[:, None] ** 2 + sight.sigma**2)[..., None]
    each = (1 - _STRANGE) / off.shape[2] / (sigma * np.sqrt(2 * np.pi))
    square = (off / sigma) ** 2 / 2
    return (1 - _BAD) * each * np.exp(-square), _BAD / _WORSE * each * np.exp(-square / _WORSE**2)


def _size_posterior(sight: DiscArrays, off: Floats, fits: _Fits) -> tuple[Floats, Floats]:
    """Probabilities (M, N, S) that each disc is of each size, and that it was measured well besides."""
    well, badly = _densities(sight, off, fits)
    whole = (well + badly).sum(axis=2, keepdims=True) + _STRANGE_DENSITY
    return (well + badly) / whole, well / whole


def _log_posterior(sight: DiscArrays, wanted: Floats, fits: _Fits) -> Floats:
    """Log likelihoods (M,) of sizes and shapes, and what speaks for swelling and spread beforehand."""
    off, _ = _residuals_and_jacobian(sight, wanted, fits)
    well, badly = _densities(sight, off, fits)
    sizes = np.log((well + badly).sum(axis=2) + _STRANGE_DENSITY) @ sight.trust
    usual = -0.5 * (fits.at[:, 3] / _SWELLING_SIGMA) ** 2
    ratio = (_SIZE_SIGMA / fits.spread) ** 2
    usual -= 0.5 * _SIZE_SIGMA_COUNTS * (ratio - np.log(ratio))
    return np.asarray(_TOGETHER * sizes + _shape_log_likelihood(sight, fits.at[:, :2]) + usual)


def _shape_log_likelihood(sight: DiscArrays, slants: Floats) -> Floats:
    off = np.linalg.norm(_stretches(sight, slants) - sight.stretch, axis=2) / _SHAPE_SIGMA
    return np.asarray(_TOGETHER * np.log(np.exp(-(off**2) / 2) + _STRANGE_SHAPE) @ sight.trust)


def _shape_normal_equations(sight: DiscArrays, slants: Floats) -> tuple[Floats, Floats]:
    step = 1e-4
    now = _stretches(sight, slants)
    slopes = np.stack([(_stretches(sight, slants + step * axis) - now) / step for axis in np.eye(2)], axis=-1)
    off = (now - sight.stretch) / _SHAPE_SIGMA
    likely = np.exp(-(off**2).sum(axis=2) / 2)
    weight = _TOGETHER * sight.trust * likely / (likely + _STRANGE_SHAPE) / _SHAPE_SIGMA
    curves = np.einsum("mn,mnki,mnkj->mij", weight / _SHAPE_SIGMA, slopes, slopes)
    return curves, -np.einsum("mn,mnk,mnki->mi", weight, off, slopes)


def _stretches(sight: DiscArrays, slants: Floats) -> Floats:
    """(M, N, 2): how a small circle on each plane looks in each disc's direction."""
    (u, v), n = sight.rays.T[:2], _normals(slants)
    along_u, along_v = n[:, :1] - u * n[:, 2:], n[:, 1:2] - v * n[:, 2:]
    uu, vv, uv = 1 + u * u - along_u**2, 1 + v * v - along_v**2, u * v - along_u * along_v
    length = np.hypot(uu - vv, 2 * uv) + 1e-12
    ratio = 0.5 * np.log((uu + vv + length) / np.maximum(uu + vv - length, 1e-9)) / length
    return np.stack([ratio * (uu - vv), ratio * 2 * uv], axis=2)


def _normals(slants: Floats) -> Floats:
    return np.column_stack([slants, np.sqrt(np.maximum(1e-6, 1 - (slants**2).sum(axis=1)))])


def _distinct_hypotheses(sight: DiscArrays, wanted: Floats, fits: _Fits, worth: Floats) -> tuple[PlaneHypothesis, ...]:
    """Of the fits that give all discs the same sizes the best, weighed."""
    off, _ = _residuals_and_jacobian(sight, wanted, fits)
    shares, _ = _size_posterior(sight, off, fits)
    of_none = 1 - shares.sum(axis=2, keepdims=True)
    chosen = np.concatenate([shares, of_none], axis=2).argmax(axis=2)
    kept: dict[bytes, int] = {}
    for k in np.argsort(-worth).tolist():
        kept.setdefault(chosen[k].tobytes(), k)
    best = np.array(list(kept.values()))
    weights = np.exp(worth[best] - worth[best[0]])
    best, weights = best[weights > _LEAST_WEIGHT], weights[weights > _LEAST_WEIGHT]
    sigma = np.sqrt(np.linalg.inv(_normal_equations(sight, wanted, fits.subset(best))[0])[:, 2, 2])
    return tuple(
        PlaneHypothesis(
            _normals(fits.at[k, None, :2])[0], float(fits.at[k, 2]), float(fits.at[k, 3]), float(s), float(w), shares[k]
        )
        for k, s, w in zip(best, sigma, weights / weights.sum(), strict=True)
    )
