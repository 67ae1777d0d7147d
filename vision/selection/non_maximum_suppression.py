"""Non-maximum suppression: the likely bases among the fits, and of those that overlap the one with more evidence."""

import math
from collections.abc import Iterable

import numpy as np

from vision.candidates import SEEN
from vision.measurement.base_distance import signed_distance_mm
from vision.measurement.base_fit import BaseFit
from vision.selection.log_odds import fused_log_odds, rim_evidence, rim_log_odds

_TRUST = 0.5  # in the network, where two fits overlap: most bases of own tables stayed with this
_LEAST_BUSY = 1.0  # grey levels: a disc with nothing on it is a token or a coin, however clean its edge is,
_CLEAR_RIM = 0.3  # unless it has a rim
_MIN_LOG_ODDS = -0.7
_MIN_FUSED_LOG_ODDS = -0.3  # of what lies just below on own tables half is of a wrong size or place
# Where the network is surer of something else, its word only says that some base is there; the rim must say that it is
# this one. On own tables this takes fits of a wrong size or shape away, and one of 925 right ones.
_SURER, _MIN_CONTRADICTED_LOG_ODDS = 0.3, 3.0
_SURE_LOG_ODDS = 7.0  # of the rim alone: a network that half sees it is enough
_OVERLAP_SHARE = 0.2  # of the smaller radius: bases cannot overlap, fits may a little
MOST_OVERLAP_MM = 2.5


def select_bases(fits: Iterable[BaseFit], *, table_mm: tuple[float, float]) -> tuple[BaseFit, ...]:
    """Classification and non-maximum suppression: the bases on the table, best first."""
    likely = sorted((fit for fit in fits if _is_base(fit, table_mm)), key=lambda fit: -nms_score(fit))
    kept: list[BaseFit] = []
    for fit in likely:
        if not any(do_overlap(fit, other) for other in kept):
            kept.append(fit)
    return tuple(kept)


def nms_score(fit: BaseFit) -> float:
    """Evidence for the base over the whole length of its rim, the network's score included."""
    trusted = 0.0 if fit.network_score is None else _TRUST * fit.network_score.p_base
    return (rim_evidence(fit) + trusted) * fit.size_mm


def _is_base(fit: BaseFit, table_mm: tuple[float, float]) -> bool:
    on_table = all(0.0 <= at <= side for at, side in zip(fit.at_mm, table_mm, strict=True))
    is_sound = on_table and bool(np.isfinite(fit.covariance_mm2).all())
    is_token = fit.features.busy < _LEAST_BUSY and fit.features.both < _CLEAR_RIM
    return is_sound and not is_token and _is_likely(fit)


def _is_likely(fit: BaseFit) -> bool:
    if fit.network_score is None:
        return rim_log_odds(fit) > _MIN_LOG_ODDS
    if fit.network_score.p_base < SEEN:
        return False
    if fit.network_score.p_other > fit.network_score.p_base + _SURER and rim_log_odds(fit) < _MIN_CONTRADICTED_LOG_ODDS:
        return False
    return rim_log_odds(fit) > _SURE_LOG_ODDS or fused_log_odds(fit, fit.network_score) > _MIN_FUSED_LOG_ODDS


def do_overlap(a: BaseFit, b: BaseFit) -> bool:
    """Whether two fits reach so far into each other that both cannot be bases."""
    if math.dist(a.at_mm, b.at_mm) > a.size_mm + b.size_mm:
        return False
    return signed_distance_mm(a, b)[0] < -min(MOST_OVERLAP_MM, _OVERLAP_SHARE * min(a.inradius_mm, b.inradius_mm))
