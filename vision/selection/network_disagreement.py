"""Network disagreement: a base is in doubt as far as its fit lies from where the networks see it.

A fit that took a wrong edge, or lines of the basing for those of the rim, fits it well: neither its scatter nor the
share of the rim that it confirms tells. The networks see where the whole base is, a millimetre off or less.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats
from models.base import RectBase
from vision.candidates import Candidate
from vision.measurement.base_fit import BaseFit

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
