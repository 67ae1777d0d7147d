"""Which fitted candidates are bases: those whose rims the picture confirms, and no two in one place."""

import math
from collections.abc import Iterable

import numpy as np

from vision.fit import RimFit
from vision.gap import gap_mm

_CHANCE = 0.45  # what the best of many places on bare ground reaches
_SUPPORT_SHARE = 0.4
_LEAST = 0.12  # evidence beyond chance, for a base of 30 mm; longer rims need less
_BEYOND_DOUBT = 0.40
_LEAST_BUSY = 3.0  # a disc with nothing on it is a token or a coin
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
    """Evidence for the base over the whole length of its rim."""
    return evidence(fit) * fit.size_mm


def evidence(fit: RimFit) -> float:
    """How far the rim is confirmed beyond what chance reaches."""
    return fit.strength + _SUPPORT_SHARE * fit.support - _CHANCE


def leaves_no_doubt(fit: RimFit) -> bool:
    """Whether nothing else need be tried in this place."""
    return evidence(fit) > _BEYOND_DOUBT


def _is_base(fit: RimFit, table_mm: tuple[float, float]) -> bool:
    on_table = all(0.0 <= at <= side for at, side in zip(fit.at_mm, table_mm, strict=True))
    enough = evidence(fit) * math.sqrt(fit.size_mm / 30.0) > _LEAST
    return on_table and enough and fit.busyness > _LEAST_BUSY and bool(np.isfinite(fit.covariance_mm2).all())


def _overlap(a: RimFit, b: RimFit) -> bool:
    if math.dist(a.at_mm, b.at_mm) > a.size_mm + b.size_mm:
        return False
    return gap_mm(a, b)[0] < -min(_MOST_OVERLAP_MM, _OVERLAP_SHARE * min(a.small_mm, b.small_mm))
