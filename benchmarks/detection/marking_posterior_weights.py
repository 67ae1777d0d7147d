"""What the clues for each way of marking weigh: a logistic fit over all patterns, fronts and rims at once.

And what tells two looks apart, by a logistic fit over all pairs of rims of one table.
"""

import math
from collections.abc import Sequence

import numpy as np

from benchmarks.detection.marked_tables import MarkedBase
from calibration.arrays import Floats, Indices
from vision.facing.marking_patterns import PATTERNS, Pattern, Rim, mark_evidence, pattern_features
from vision.facing.marking_posterior import descriptor_differences, rim_descriptor
from vision.facing.unwrapped_rim import UnwrappedRim

_NEAR_DEG = 3.0  # how far the place of a front may be off
_ROUNDS, _RATE = 60, 0.1
_EVERY = 4  # of so many rims one is learnt from: there are few weights
_STEPS, _RIDGE = 30, 1e-3
_UNTOLD = 1e-4  # how probable a front is held at least: of some rims every mark is hidden


def fit_marking_weights(rims: Sequence[tuple[Rim, MarkedBase]]) -> Floats:
    """The weights of `vision/facing/marking_posterior.py`."""
    known = [
        (pattern_features(rim, mark_evidence(rim)), _true_pattern(rim.strip, truth)) for rim, truth in rims[::_EVERY]
    ]
    weights = np.zeros((len(PATTERNS), known[0][0].shape[2]))
    weights[:, 1] = 1.0
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _ROUNDS + 1):
        slope = sum((_gradient(weights, *one) for one in known), np.zeros_like(weights)) / len(known)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def fit_similarity_weights(tables: Sequence[Sequence[tuple[Rim, MarkedBase]]]) -> Floats:
    """The weights of `vision/facing/marking_posterior.py`."""
    told, are_alike = (np.concatenate(parts) for parts in zip(*map(_pairs, tables), strict=True))
    weights = np.zeros(told.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-told @ weights))
        steep = (told.T * (likely * (1 - likely))) @ told + _RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(steep, told.T @ (are_alike - likely))
    return np.asarray(weights)


def _pairs(rims: Sequence[tuple[Rim, MarkedBase]]) -> tuple[Floats, Floats]:
    """Of all pairs of rims what tells them apart, and which are of one look."""
    looks, hands = np.stack([rim_descriptor(rim) for rim, _ in rims]), np.array([truth.look for _, truth in rims])
    one, other = np.triu_indices(len(rims), 1)
    return descriptor_differences(looks[one], looks[other]), (hands[one] == hands[other]).astype(np.float64)


def _true_pattern(strip: UnwrappedRim, truth: MarkedBase) -> tuple[int, Indices] | None:
    """The pattern, and the places its front may have; None where nothing is marked."""
    for kind, pattern in enumerate(PATTERNS):
        if pattern.marking == truth.marking:
            near, at = max(1, strip.index(_NEAR_DEG)), round(truth.facing_rad / strip.step_rad)
            fronts = at + np.arange(-near, near + 1)
            both = np.concatenate([fronts, fronts + strip.count // 2]) if _is_half_turn_symmetric(pattern) else fronts
            return kind, both % strip.count
    return None


def _is_half_turn_symmetric(pattern: Pattern) -> bool:
    """Whether it looks the same from behind."""
    marks = {(deg % 360, paint) for deg, paint in pattern.marks}
    return marks == {((deg + 180) % 360, paint) for deg, paint in marks}


def _gradient(weights: Floats, clues: Floats, right: tuple[int, Indices] | None) -> Floats:
    """Of the log probability that was missed."""
    odds = np.einsum("knf,kf->kn", clues, weights) - math.log(clues.shape[1])
    most = max(0.0, float(odds.max()))
    odds = np.exp(odds - most)
    total = math.exp(-most) + float(odds.sum())
    expected = np.asarray(np.einsum("kn,knf->kf", odds, clues) / total)
    if right is None:
        return expected
    kind, fronts = right
    own = odds[kind, fronts]
    expected[kind] -= own @ clues[kind, fronts] / max(float(own.sum()), 1e-300)
    share = float(own.sum()) / total
    return expected * (share / (share + _UNTOLD))
