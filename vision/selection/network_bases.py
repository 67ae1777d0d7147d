"""Unconfirmed bases: what the networks see and no rim confirms.

However sure a network is, a base without a rim is not told: on photographs 7 of 16 such bases were right, 5 of a wrong
size and 4 none. The players say which it is.

Network disagreement: a base is in doubt as far as its fit lies from where the networks see it.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats
from models.base import OvalBase, RectBase, RoundBase
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import Point
from vision.candidates import Candidate
from vision.detection.network.proposals import are_disjoint
from vision.measurement.base_fit import BaseFit, inradius_mm, size_mm
from vision.measurement.silhouette import PROFILES

WEAK = 0.2  # from which a place is told as one where a base may stand
_OF_WEAK = 0.5  # are bases, of as many as the networks count: 18 of 56 on 30 own tables, where their chances said 28
_SIGMA_TIMES, _LEAST_SIGMA_MM, _SIGMA_SHARE = 1.6, 1.0, 0.02  # of what the network believes; and of the base's size
_TURN_SIGMA_RAD = math.radians(4.0)
_RIM_MM = 1.0
_IN_BLOCK = 1.5  # of its shorter side: so near to a measured one of its size it would be a member of that block


def bases_seen(candidates: Iterable[Candidate], *, measured: Sequence[BaseFit]) -> tuple[BaseFit, ...]:
    """Weak candidates that have room beside those that are measured, likeliest first."""
    standing = [(fit.at_mm, 2 * fit.inradius_mm) for fit in measured]
    bases: list[BaseFit] = []
    for candidate in sorted(_likeliest(candidates), key=lambda candidate: -chance_of(candidate)):
        short_mm = 2 * inradius_mm(candidate.base)
        if chance_of(candidate) < WEAK:
            break
        has_room = all(are_disjoint(candidate.at_mm, short_mm, at, other) for at, other in standing)
        if has_room and not _is_judged(candidate, measured):
            standing.append((candidate.at_mm, short_mm))
            bases.append(_as_seen(candidate))
    return tuple(bases)


def unconfirmed_bases(candidates: Iterable[Candidate], *, measured: Sequence[BaseFit]) -> tuple[UnconfirmedBase, ...]:
    """Weak candidates: what the networks half see and nothing confirms."""
    return tuple(
        UnconfirmedBase(
            base=fit.base, at_mm=(round(fit.at_mm[0], 1), round(fit.at_mm[1], 1)),
            turn_deg=0.0 if isinstance(fit.base, RoundBase) else round(math.degrees(fit.turn_rad), 1),
            sigma_mm=round(math.sqrt(float(fit.covariance_mm2[0, 0])), 2),
            probability=round(_OF_WEAK * fit.network_score.p_base if fit.network_score is not None else 0.0, 3),
        )
        for fit in bases_seen(candidates, measured=measured)
    )  # fmt: skip


def _is_judged(candidate: Candidate, measured: Sequence[BaseFit]) -> bool:
    """Whether it would stand in a block that was measured: that fit looked for it, and networks also see bases in the
    bare places between others."""
    reach_mm = 2 * inradius_mm(candidate.base) * _IN_BLOCK
    return isinstance(candidate.base, RectBase) and any(
        fit.base == candidate.base and math.dist(fit.at_mm, candidate.at_mm) < reach_mm for fit in measured
    )


def chance_of(candidate: Candidate) -> float:
    """The networks' chance that this base stands there."""
    return candidate.network_score.p_base if candidate.network_score is not None else 0.0


def _likeliest(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Of all sizes that a network's proposal may have the likeliest one."""
    places: dict[tuple[Point, str], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.sigma_mm > 0:
            places[candidate.at_mm, candidate.base.shape].append(candidate)
    return [max(alike, key=chance_of) for alike in places.values()]


def _as_seen(candidate: Candidate) -> BaseFit:
    base: RoundBase | OvalBase | RectBase = candidate.base
    sigma_mm = math.hypot(_SIGMA_TIMES * candidate.sigma_mm, _LEAST_SIGMA_MM, _SIGMA_SHARE * size_mm(base))
    return BaseFit(
        base=base, at_mm=candidate.at_mm, profile=PROFILES[0], ground=candidate.ground,
        covariance_mm2=np.eye(2) * sigma_mm**2,
        support=0.0, strength=0.0, bias_mm=0.0, rim_width_mm=_RIM_MM, turn_rad=candidate.turn_rad,
        turn_sigma_rad=_TURN_SIGMA_RAD, network_score=candidate.network_score,
    )  # fmt: skip


# Chosen so that the 95 % ellipse holds 95 % of the bases on 60 photographic tables of the training generator, of seed
# 501 (round and oval ones: 76 % without this, ranked ones 57 %); of the given stills and of ground that no training saw
# it holds 98 and 93 %, 100 and 89 %.
_AGREE_MM = 0.5  # the networks themselves are so far off
_ALONG, _ANY = 0.5, 0.5  # of the squared distance beyond: variance toward where they see it, and in every direction
_BLOCK_ALONG, _BLOCK_ANY = 2.0, 1.0  # lines take all members of a block the same way
_SAME = 0.3  # of its size: what the networks see nearer is this base
_MOST_MM = 6.0  # of a member of a block: beyond, its neighbour is meant


def widen_by_disagreement(
    fits: Sequence[BaseFit], candidates: Iterable[Candidate], *, units: Sequence[int | None]
) -> tuple[BaseFit, ...]:
    """Adds to each covariance how far the networks see the base from its fit.

    `units`: the unit of each base whose block was fitted as one; there the middle of all its members' distances counts.
    """
    places = np.array(
        list(dict.fromkeys(candidate.at_mm for candidate in candidates if candidate.sigma_mm > 0))
    ).reshape(-1, 2)
    off = [_offset_mm(fit, places) for fit in fits]
    together: dict[int, list[Floats]] = defaultdict(list)
    for unit, away in zip(units, off, strict=True):
        if unit is not None and away is not None:
            together[unit].append(away)
    usual = {unit: np.asarray(np.median(all_, axis=0)) for unit, all_ in together.items()}
    return tuple(
        _widen(fit, away) if unit is None else _widen(fit, usual.get(unit), along=_BLOCK_ALONG, any_=_BLOCK_ANY)
        for fit, unit, away in zip(fits, units, off, strict=True)
    )


def _offset_mm(fit: BaseFit, places: Floats) -> Floats | None:
    """From the fit to where the networks see it, mm; None where they see nothing."""
    if not len(places):
        return None
    away = places - np.array(fit.at_mm)
    nearest = away[np.linalg.norm(away, axis=1).argmin()]
    most_mm = min(_SAME * fit.size_mm, _MOST_MM) if isinstance(fit.base, RectBase) else _SAME * fit.size_mm
    return np.asarray(nearest) if float(np.hypot(*nearest)) < most_mm else None


def _widen(fit: BaseFit, away: Floats | None, *, along: float = _ALONG, any_: float = _ANY) -> BaseFit:
    beyond = 0.0 if away is None else float(away @ away) - _AGREE_MM**2
    if away is None or beyond <= 0:
        return fit
    toward = away / math.hypot(*away)
    more = beyond * (along * np.outer(toward, toward) + any_ * np.eye(2))
    return replace(fit, covariance_mm2=fit.covariance_mm2 + more)
