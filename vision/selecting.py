"""Which fitted candidates are bases: those whose rims the picture confirms, and no two in one place."""

import math
from collections.abc import Iterable

import numpy as np

from models.base import RoundBase
from vision.candidates import Candidate, Opinion
from vision.fit import RimFit, size_mm
from vision.fitting import LEAST
from vision.gap import gap_mm

_CHANCE = 0.45  # what the best of many places on bare ground reaches
_SUPPORT_SHARE = 0.4
_BEYOND_DOUBT = 0.40
_TRUST = 0.5  # in the network, where two fits overlap: most bases of own tables stayed with this
# Log odds that a fit is a base, from fits on own tables whose truth is known (`python -m benchmarks.choosing`): of
# strength, support, both edges, length, busyness, grain and ground, and what is left. First where the rim alone speaks,
# then where the network was asked: that it is this base, and that it is something else.
_WEIGHTS = (11.88, 13.7, 12.21, 2.38, 3.96, -1.46, -4.81)
_ODDS = -12.99
_ADVISED_WEIGHTS = (8.37, 6.28, 1.38, 1.02, 3.02, -1.55, -2.4, 10.14, 3.02)
_ADVISED_ODDS = -11.72
_SEEN = 0.5  # the network agrees that this is a base
_LEADS_MM = 5.1  # from a candidate to where its fit may come to lie
_LARGE_MM = 60.0  # from here a longer rim is no more evidence
_BUSY_ENOUGH = 5.0  # grey levels: as busy as any basing; what is busier is no more of a base
_LEAST_BUSY = 1.0  # grey levels: a disc with nothing on it is a token or a coin, however clean its edge is,
_CLEAR_RIM = 0.3  # unless it has a rim
_LEAST_ODDS = -0.7
_LEAST_ADVISED_ODDS = 0.5  # of what lies just below on own tables half is of a wrong size or place
# Where the network is surer of something else, its word only says that some base is there; the rim must say that it is
# this one. On own tables this takes fits of a wrong size or shape away, and one of 925 right ones.
_SURER, _LEAST_CONTRADICTED_ODDS = 0.3, 3.0
_SURE_ODDS = 7.0  # of the rim alone: no network need know such a table
# Where the network was asked and sees no such base, only a rim that speaks for itself makes one. On own tables none had
# the odds for it whose first search found less than 0.51 (63 of 3158 fits); two thirds of all found less than 0.4.
_UNSEEN, _LEAST_UNSEEN = 0.1, 0.4
# Where it sees no such base and is sure of something else, none came of it on own tables: none of 332 bases chosen in
# rendered ones, from 11012 of 36436 candidates; of 20 in drawn ones one, from 3835 of 10165, and that was wrong.
_ANOTHER = 0.6
_OVERLAP_SHARE = 0.2  # of the smaller radius: bases cannot overlap, fits may a little
_MOST_OVERLAP_MM = 2.5


def selected(fits: Iterable[RimFit], *, table_mm: tuple[float, float]) -> tuple[RimFit, ...]:
    """The bases on the table, best first. Of fits that overlap, the one with more confirmed rim stays."""
    likely = sorted((fit for fit in fits if _is_base(fit, table_mm)), key=lambda fit: -weight(fit))
    kept: list[RimFit] = []
    for fit in likely:
        if not any(_overlap(fit, other) for other in kept):
            kept.append(fit)
    return tuple(kept)


def weight(fit: RimFit) -> float:
    """Evidence for the base over the whole length of its rim, the network's word included."""
    trusted = 0.0 if fit.opinion is None else _TRUST * fit.opinion.is_it
    return (evidence(fit) + trusted) * fit.size_mm


def evidence(fit: RimFit) -> float:
    """How far the rim is confirmed beyond what chance reaches."""
    return fit.strength + _SUPPORT_SHARE * fit.support - _CHANCE


def leaves_no_doubt(fit: RimFit) -> bool:
    """Whether nothing else need be tried in this place."""
    return evidence(fit) > _BEYOND_DOUBT


def leaves_no_room(fit: RimFit, candidate: Candidate) -> bool:
    """Whether nothing that the candidate may lead to can stand beside this base."""
    if not leaves_no_doubt(fit):
        return False
    is_seen = fit.opinion is not None and fit.opinion.is_it > _SEEN
    beside_mm = fit.small_mm + size_mm(candidate.base) / 2 - _LEADS_MM - _MOST_OVERLAP_MM
    is_round = isinstance(candidate.base, RoundBase)
    return fit.covers(candidate.at_mm) or (is_seen and is_round and math.dist(fit.at_mm, candidate.at_mm) < beside_mm)


def is_another(candidate: Candidate) -> bool:
    """Whether the network is sure that something else stands there, and sees no such base at all."""
    opinion = candidate.opinion
    return opinion is not None and opinion.is_it < _UNSEEN and opinion.is_other > _ANOTHER


def least_of(candidate: Candidate) -> float:
    """How much of a rim a first search must find here for the fit to be worth its time."""
    is_unseen = candidate.opinion is not None and candidate.opinion.is_it < _UNSEEN
    return _LEAST_UNSEEN if is_unseen else LEAST


def odds(fit: RimFit) -> float:
    """Log odds by its rim and its look alone that this is a base, and no token, tree or pattern."""
    return _weighed(_WEIGHTS, rim_weighed(fit)) + _ODDS + fit.resemblance


def advised_odds(fit: RimFit, opinion: Opinion) -> float:
    """The same, with what the network thinks of its place."""
    return _weighed(_ADVISED_WEIGHTS, traits_weighed(fit, opinion)) + _ADVISED_ODDS + fit.resemblance


def odds_told(fit: RimFit) -> float:
    """Log odds that this is a base by all that is known of it."""
    return odds(fit) if fit.opinion is None else advised_odds(fit, fit.opinion)


def traits_weighed(fit: RimFit, opinion: Opinion) -> tuple[float, ...]:
    """What the advised odds are a weighted sum of."""
    return *rim_weighed(fit), opinion.is_it, opinion.is_other


def rim_weighed(fit: RimFit) -> tuple[float, ...]:
    """What the odds of the rim alone are a weighted sum of."""
    traits = fit.traits
    length = math.log(min(fit.size_mm, _LARGE_MM) / 30.0)
    busy = math.log1p(min(traits.busy, _BUSY_ENOUGH))
    return fit.strength, fit.support, traits.both, length, busy, math.log1p(traits.grain), math.log1p(traits.around)


def _weighed(weights: tuple[float, ...], traits: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(weights, traits, strict=True))


def _is_base(fit: RimFit, table_mm: tuple[float, float]) -> bool:
    on_table = all(0.0 <= at <= side for at, side in zip(fit.at_mm, table_mm, strict=True))
    is_sound = on_table and bool(np.isfinite(fit.covariance_mm2).all())
    is_token = fit.traits.busy < _LEAST_BUSY and fit.traits.both < _CLEAR_RIM
    return is_sound and not is_token and _is_likely(fit)


def _is_likely(fit: RimFit) -> bool:
    if fit.opinion is None:
        return odds(fit) > _LEAST_ODDS
    if fit.opinion.is_other > fit.opinion.is_it + _SURER and odds(fit) < _LEAST_CONTRADICTED_ODDS:
        return False
    return odds(fit) > _SURE_ODDS or advised_odds(fit, fit.opinion) > _LEAST_ADVISED_ODDS


def _overlap(a: RimFit, b: RimFit) -> bool:
    if math.dist(a.at_mm, b.at_mm) > a.size_mm + b.size_mm:
        return False
    return gap_mm(a, b)[0] < -min(_MOST_OVERLAP_MM, _OVERLAP_SHARE * min(a.small_mm, b.small_mm))
