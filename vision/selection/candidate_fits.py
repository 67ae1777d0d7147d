"""Fits of candidates: each is fitted unless a certain base excludes it, or the network is sure of something else.

Whether rectangles stand on this table at all: armies have round bases or square ones, hardly ever both. Walls, doors
and slabs look like square bases, a network says so of all that one maker built alike, and only the table as a whole
tells them apart: among round bases a rectangle must be seen more surely than alone.
"""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from calibration.arrays import Image
from calibration.view import View
from models.base import Catalogue, RectBase, RoundBase
from vision.candidates import Candidate, NetworkScore
from vision.measurement.base_fit import BaseFit, fit_base, size_mm
from vision.measurement.fit_settings import MIN_SCORE
from vision.parallel import thread_limit
from vision.selection.log_odds import rim_evidence
from vision.selection.non_maximum_suppression import MOST_OVERLAP_MM

_ROUNDS = 3  # from so many measured on they say which army this is
_PRIOR_ODDS = 0.1  # of a rectangle among them: few games and few armies mix both
_BATCH_PER_THREAD = 4  # fitted at once: few enough that little is fitted in vain
_BEYOND_DOUBT = 0.40
_SEEN = 0.5  # the network agrees that this is a base
_LEADS_MM = 5.1  # from a candidate to where its fit may come to lie
# Where the network was asked and sees no such base, only a rim that speaks for itself makes one. On own tables none had
# the odds for it whose first search found less than 0.51 (63 of 3158 fits); two thirds of all found less than 0.4.
_UNSEEN, _LEAST_UNSEEN = 0.1, 0.4
# Where it sees no such base and is sure of something else, none came of it on own tables: none of 332 bases chosen in
# rendered ones, from 11012 of 36436 candidates; of 20 in drawn ones one, from 3835 of 10165, and that was wrong.
_ANOTHER = 0.6


def fit_candidates(image: Image, candidates: tuple[Candidate, ...], *, view: View) -> tuple[BaseFit, ...]:
    """Fits the round and oval candidates, bases or not; where one fit is certain, no other is tried.

    A few are fitted at once, and those that prove to have had no room are left out: the same as one after the other.
    """
    fits: list[BaseFit] = []
    sure: list[BaseFit] = []
    left = deque(
        candidate
        for candidate in candidates
        if not isinstance(candidate.base, RectBase) and not is_other_object(candidate)
    )
    with ThreadPoolExecutor(thread_limit()) as pool:
        while now := _take_free(left, sure):
            known = len(sure)
            tried = pool.map(lambda candidate: _fit_candidate(image, candidate, view), now)
            for candidate, fit in zip(now, tried, strict=True):
                if fit is not None and _is_free(candidate, sure[known:]):
                    fits.append(fit)
                    sure += [fit] if is_certain(fit) else []
    return tuple(fits)


def _take_free(left: deque[Candidate], sure: Sequence[BaseFit]) -> list[Candidate]:
    """A few candidates that have room beside those that are sure, taken off what is left."""
    taken: list[Candidate] = []
    while left and len(taken) < _BATCH_PER_THREAD * thread_limit():
        candidate = left.popleft()
        taken += [candidate] if _is_free(candidate, sure) else []
    return taken


def _is_free(candidate: Candidate, sure: Sequence[BaseFit]) -> bool:
    return not any(excludes(fit, candidate) for fit in sure)


def _fit_candidate(image: Image, candidate: Candidate, view: View) -> BaseFit | None:
    assert not isinstance(candidate.base, RectBase)
    fit = fit_base(
        image,
        start_mm=candidate.at_mm,
        base=candidate.base,
        ground=candidate.ground,
        camera=view.camera,
        pose=view.pose,
        turn_rad=candidate.turn_rad,
        min_score=min_score_of(candidate),
    )
    return fit and replace(fit, network_score=candidate.network_score, log_prior=candidate.log_prior)


def is_certain(fit: BaseFit) -> bool:
    """Whether nothing else need be tried in this place."""
    return rim_evidence(fit) > _BEYOND_DOUBT


def excludes(fit: BaseFit, candidate: Candidate) -> bool:
    """Whether nothing that the candidate may lead to can stand beside this base."""
    if not is_certain(fit):
        return False
    is_seen = fit.network_score is not None and fit.network_score.p_base > _SEEN
    beside_mm = fit.inradius_mm + size_mm(candidate.base) / 2 - _LEADS_MM - MOST_OVERLAP_MM
    is_round = isinstance(candidate.base, RoundBase)
    return fit.covers(candidate.at_mm) or (is_seen and is_round and math.dist(fit.at_mm, candidate.at_mm) < beside_mm)


def is_other_object(candidate: Candidate) -> bool:
    """Whether the network is sure that something else stands there, and sees no such base at all."""
    score = candidate.network_score
    return score is not None and score.p_base < _UNSEEN and score.p_other > _ANOTHER


def min_score_of(candidate: Candidate) -> float:
    """How much of a rim a first search must find here for the fit to be worth its time."""
    is_unseen = candidate.network_score is not None and candidate.network_score.p_base < _UNSEEN
    return _LEAST_UNSEEN if is_unseen else MIN_SCORE


def are_rectangles_in_play(
    candidates: Iterable[Candidate], measured: Sequence[BaseFit], *, standing: Iterable[BaseFit], catalogue: Catalogue
) -> bool:
    """Whether the surest rectangle is likelier one than not. `standing`: known bases outside of the picture.

    It decides for all: what deceives a network once does so as often as it stands there. Nothing speaks against
    rectangles where the edition has them, where some stand, and where nobody asked a network.
    """
    known = [*measured, *standing]
    has_some = any(isinstance(base, RectBase) for base in (*catalogue.usual, *(fit.base for fit in known)))
    if has_some or len(known) < _ROUNDS:
        return True
    return (
        max((_chance_of(candidate) for candidate in candidates if isinstance(candidate.base, RectBase)), default=1.0)
        > 0.5
    )


def doubt_rectangles(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates, rectangles as likely as they are among round bases."""
    return tuple(
        replace(candidate, network_score=NetworkScore(_chance_of(candidate), candidate.network_score.p_other))
        if candidate.network_score is not None and isinstance(candidate.base, RectBase) else candidate
        for candidate in candidates
    )  # fmt: skip


def _chance_of(candidate: Candidate) -> float:
    return _posterior(candidate.network_score.p_base) if candidate.network_score is not None else 1.0


def _posterior(chance: float) -> float:
    return _PRIOR_ODDS * chance / (_PRIOR_ODDS * chance + 1.0 - chance)
