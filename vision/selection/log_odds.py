"""Log odds that a fit is a base, and no token, tree or pattern: a logistic regression on features of its rim.

First the rim alone speaks, then the network's score of its place besides.
"""

import math

from vision.candidates import NetworkScore
from vision.measurement.base_fit import BaseFit

_CHANCE = 0.45  # what the best of many places on bare ground reaches
_SUPPORT_SHARE = 0.4
# From fits on own tables whose truth is known (`python -m benchmarks.detection.fit_selection_weights`): of strength,
# support, both edges, length, busyness, grain and ground, and what is left. First where the rim alone speaks, then
# where the network was asked: that it is this base, and that it is something else.
_WEIGHTS = (11.88, 13.7, 12.21, 2.38, 3.96, -1.46, -4.81)
_BIAS = -12.99
_FUSED_WEIGHTS = (4.13, 7.72, 5.9, 0.34, 3.45, -1.26, -1.3, 0.86, 2.99)  # with `--photographs`
_FUSED_BIAS = -9.33
_CLIP = (0.02, 0.995)  # the networks' scores: beyond, none is surer
_LARGE_MM = 60.0  # from here a longer rim is no more evidence
_BUSY_ENOUGH = 5.0  # grey levels: as busy as any basing; what is busier is no more of a base


def log_odds(fit: BaseFit) -> float:
    """Log odds that it is a base by all that is known of it."""
    return rim_log_odds(fit) if fit.network_score is None else fused_log_odds(fit, fit.network_score)


def rim_log_odds(fit: BaseFit) -> float:
    """Log odds that it is a base by its rim and its colours alone."""
    return _weighted_sum(_WEIGHTS, rim_features(fit)) + _BIAS + fit.colour_log_odds


def fused_log_odds(fit: BaseFit, score: NetworkScore) -> float:
    """The same, with the network's score of its place."""
    return _weighted_sum(_FUSED_WEIGHTS, fused_features(fit, score)) + _FUSED_BIAS + fit.colour_log_odds


def rim_features(fit: BaseFit) -> tuple[float, ...]:
    """Features of which the log odds of the rim are a weighted sum."""
    features = fit.features
    length = math.log(min(fit.size_mm, _LARGE_MM) / 30.0)
    busy = math.log1p(min(features.busy, _BUSY_ENOUGH))
    return (
        fit.strength,
        fit.support,
        features.both,
        length,
        busy,
        math.log1p(features.grain),
        math.log1p(features.around),
    )


def fused_features(fit: BaseFit, score: NetworkScore) -> tuple[float, ...]:
    """Features of which the fused log odds are a weighted sum."""
    sure = min(max(score.p_base, _CLIP[0]), _CLIP[1])
    return *rim_features(fit), math.log(sure / (1 - sure)), score.p_other


def rim_evidence(fit: BaseFit) -> float:
    """Evidence of the rim: how far it is confirmed beyond what chance reaches."""
    return fit.strength + _SUPPORT_SHARE * fit.support - _CHANCE


def _weighted_sum(weights: tuple[float, ...], features: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(weights, features, strict=True))
