"""Marking posterior: the probability of each marking on each rim, with its front at each place.

Every rim is marked in one of a few ways or in none, and bases that look alike are marked alike: the other rims of the
picture are the prior, each by the probability that it is of the same look.
"""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Floats

# How often rims are marked in no way, and in each (`benchmarks/detection/marked_paint.py`); so many rims of one look
# weigh as much as that: leaders are marked otherwise.
_OFTEN = np.array([0.34, 0.18, 0.18, 0.2, 0.1])
_AS_MANY_RIMS = 1.0
_ROUNDS = 3
# For each pattern, what its clues weigh; as `python -m benchmarks.detection.facing_accuracy --weigh` prints it.
WEIGHTS: tuple[tuple[float, ...], ...] = (
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
    odds = [np.einsum("knf,kf->kn", one, np.array(WEIGHTS)) - np.log(one.shape[1]) for one in features]
    total = np.array([[0.0, *(_log_sum_exp(row) for row in one)] for one in odds])
    found = _softmax_with_prior(total, np.ones_like(total))
    for _ in range(_ROUNDS):
        of_others = (_AS_MANY_RIMS * _OFTEN + similarity @ found) / (
            _AS_MANY_RIMS + similarity.sum(axis=1, keepdims=True)
        )
        found = _softmax_with_prior(total, of_others / _OFTEN)
    return [np.exp(one - all_[1:, None]) * share[1:, None] for one, all_, share in zip(odds, total, found, strict=True)]


def _softmax_with_prior(log_odds: Floats, times: Floats) -> Floats:
    """The probability of no mark and of each pattern, (rims, patterns + 1)."""
    odds = log_odds + np.log(times)
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _log_sum_exp(values: Floats) -> float:
    most = float(values.max())
    return most + float(np.log(np.exp(values - most).sum()))
