"""Contacts: overlaps are resolved by constraint projection, and pairs that may touch get a probability."""

import math

import numpy as np

from calibration.arrays import Floats
from models.base import RoundBase
from models.state import Contact

_NEAR_MM = 3.0  # of two bases this close, half are taken to touch before measuring
_LEAST_PROBABILITY = 0.05
_NO_OVERLAP_MM = 1e-4
_MOST_ROUNDS = 300  # a rank of ten needs a hundred: each push between two is felt by their neighbours


def resolve_overlaps(at_mm: Floats, radii_mm: Floats, covariances: Floats) -> Floats:
    """Constraint projection, (N, 2) mm: the same bases without overlaps, the less certain of a pair giving way."""
    free = at_mm.copy()
    for _ in range(_MOST_ROUNDS):
        pairs = _near_pairs(free, radii_mm, within_mm=-_NO_OVERLAP_MM)
        for i, j in pairs:
            _separate_pair(free, radii_mm, covariances, i, j)
        if not pairs:
            break
    return free


def _separate_pair(free: Floats, radii_mm: Floats, covariances: Floats, i: int, j: int) -> None:
    """Move both until they touch; one that an earlier push freed stays."""
    gap_mm, along = _pair_distance(free, radii_mm, i, j)
    give = [float(along @ covariances[k] @ along) for k in (i, j)]
    share = give[0] / max(sum(give), 1e-12)
    overlap_mm = min(gap_mm, 0.0)
    free[i] += along * overlap_mm * share
    free[j] -= along * overlap_mm * (1 - share)


def contacts_of(
    ids: tuple[str, ...], at_mm: Floats, bases: tuple[RoundBase, ...], covariances: Floats
) -> tuple[Contact, ...]:
    """Contacts: the pairs that may touch, each with its probability, from measured places and independent
    covariances."""
    radii_mm = np.array([base.radius_mm for base in bases])
    contacts = []
    for i, j in _near_pairs(at_mm, radii_mm, within_mm=_NEAR_MM):
        gap_mm, along = _pair_distance(at_mm, radii_mm, i, j)
        sigma_mm = math.sqrt(float(along @ (covariances[i] + covariances[j]) @ along))
        probability = _contact_probability(gap_mm, sigma_mm)
        if probability >= _LEAST_PROBABILITY:
            contacts.append(Contact(a=ids[i], b=ids[j], probability=round(probability, 3)))
    return tuple(contacts)


def _contact_probability(gap_mm: float, sigma_mm: float) -> float:
    """Bayes, between a gap of exactly zero and one anywhere up to `_NEAR_MM`, as likely beforehand."""
    sigma_mm = max(sigma_mm, 1e-6)
    at_zero = math.exp(-0.5 * (gap_mm / sigma_mm) ** 2) / (sigma_mm * math.sqrt(2 * math.pi))
    apart = 0.5 * (1 + math.erf(gap_mm / sigma_mm / math.sqrt(2))) / _NEAR_MM
    return at_zero / max(at_zero + apart, 1e-12)


def _near_pairs(at_mm: Floats, radii_mm: Floats, *, within_mm: float) -> list[tuple[int, int]]:
    if len(at_mm) < 2:
        return []
    gaps = np.linalg.norm(at_mm[:, None] - at_mm[None], axis=2) - radii_mm[:, None] - radii_mm[None]
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(gaps < within_mm, k=1))]


def _pair_distance(at_mm: Floats, radii_mm: Floats, i: int, j: int) -> tuple[float, Floats]:
    """The gap between two bases (negative: overlap) and the unit direction from the first to the second."""
    between = at_mm[j] - at_mm[i]
    length = float(np.linalg.norm(between))
    along = between / length if length > 1e-9 else np.array([1.0, 0.0])
    return length - float(radii_mm[i] + radii_mm[j]), along
