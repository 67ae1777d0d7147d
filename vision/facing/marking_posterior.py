"""Marking posterior: the probability of each marking on each rim, with its front at each place.

Every rim is marked in one of a few ways or in none, and bases that look alike are marked alike: the other rims of the
picture are the prior, each by the probability that it is of the same look.
"""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Floats
from vision.facing.marking_patterns import Rim
from vision.facing.paint_classifier import HIDDEN

_SHARES = (0.2, 0.5, 0.8)  # of a rim in two colours both are compared
_FEWEST = 20  # places in sight
_TINT, _BRIGHTNESS = 4.0, 8.0  # by which two paints differ soon
_MOST_MM = 1.5  # what two lips differ by at most
# What these weigh: one; by how much rims differ in tint and in brightness, their basings likewise, and their lips; as
# `python -m benchmarks.detection.facing_accuracy --weigh` prints it.
SIMILARITY_WEIGHTS: tuple[float, ...] = (7.98, -2.69, -1.33, -2.61, -1.13, -2.2)
# How often rims are marked in no way, and in each (`benchmarks/detection/marked_tables.py`); so many rims of one look
# weigh as much as that: leaders are marked otherwise.
_OFTEN = np.array([0.34, 0.18, 0.18, 0.2, 0.1])
_AS_MANY_RIMS = 1.0
_ROUNDS = 3
# For each pattern, what its clues weigh; as `python -m benchmarks.detection.facing_accuracy --weigh` prints it.
POSTERIOR_WEIGHTS: tuple[tuple[float, ...], ...] = (
    (-1.04, 1.14, 0.44, -0.63, 0.42),
    (-0.71, 1.13, 0.55, -0.79, 0.41),
    (-3.27, 1.19, 1.04, -0.35, 0.0),
    (-1.57, 1.26, 0.0, 0.0, 0.0),
)


def marking_posterior(features: Sequence[Floats], similarity: Floats) -> list[Floats]:
    """Posterior of every pattern with its front at every place (patterns, N), for each rim; what is missing to 1 is
    unmarked.

    `similarity`: how probable it is that two rims are of one look (rims, rims).
    """
    if not features:
        return []
    odds = [np.einsum("knf,kf->kn", clues, np.array(POSTERIOR_WEIGHTS)) - np.log(clues.shape[1]) for clues in features]
    total = np.array([[0.0, *(_log_sum_exp(row) for row in rows)] for rows in odds])
    posterior = _softmax_with_prior(total, np.ones_like(total))
    for _ in range(_ROUNDS):
        of_others = (_AS_MANY_RIMS * _OFTEN + similarity @ posterior) / (
            _AS_MANY_RIMS + similarity.sum(axis=1, keepdims=True)
        )
        posterior = _softmax_with_prior(total, of_others / _OFTEN)
    return [
        np.exp(rows - all_[1:, None]) * share[1:, None]
        for rows, all_, share in zip(odds, total, posterior, strict=True)
    ]


def _softmax_with_prior(log_odds: Floats, times: Floats) -> Floats:
    """The probability of no mark and of each pattern, (rims, patterns + 1)."""
    odds = log_odds + np.log(times)
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _log_sum_exp(values: Floats) -> float:
    most = float(values.max())
    return most + float(np.log(np.exp(values - most).sum()))


def similarity_matrix(rims: Sequence[Rim]) -> Floats:
    """Similarity matrix: the probability that two rims are of one look, (rims, rims); 0 of each with itself."""
    if not rims:
        return np.zeros((0, 0))
    looks = np.stack([rim_descriptor(rim) for rim in rims])
    odds = descriptor_differences(looks[:, None], looks[None]) @ np.array(SIMILARITY_WEIGHTS)
    return np.asarray((1 - np.eye(len(rims))) / (1 + np.exp(-odds)))


def rim_descriptor(rim: Rim) -> Floats:
    """Descriptor of a rim, (13,): its colours, those of its basing, and its width."""
    clear = np.exp(rim.class_log_probs[:, HIDDEN]) < 0.5
    own = clear if clear.sum() >= _FEWEST else np.ones_like(clear)
    basing = np.median(rim.ratios[own, 2:4].mean(axis=1), axis=0)
    return np.concatenate([np.quantile(rim.paint[own], _SHARES, axis=0).ravel(), basing, [rim.strip.rim_width_mm]])


def descriptor_differences(first: Floats, other: Floats) -> Floats:
    """Features of a pair of descriptors, (..., 6), the first of which is one."""
    off = np.abs(first - other)
    rim, basing = off[..., :9].reshape(*off.shape[:-1], 3, 3), off[..., 9:12]
    tint, basing_tint = np.hypot(rim[..., 1], rim[..., 2]).mean(axis=-1), np.hypot(basing[..., 1], basing[..., 2])
    apart = [tint / _TINT, rim[..., 0].mean(axis=-1) / _BRIGHTNESS, basing_tint / _TINT, basing[..., 0] / _BRIGHTNESS]
    return np.stack([np.ones_like(tint), *np.log1p(apart), np.minimum(off[..., 12], _MOST_MM)], axis=-1)
