"""Who is who after a change: what stood there before, matched with what stands there now."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.assigning import cheapest_pairs
from vision.locating import SeenBase
from vision.look import Look, unlike

Floats = NDArray[np.float64]

_SAME_PLACE_MM = 6.0
_UNLIKE_PER_MM = 0.01  # a far move costs a little: of equals the nearer is meant
_UNSURE = 4.0  # grey levels by which the best matching must beat the second best
_NEVER = 1e6


@dataclass(frozen=True)
class Known:
    """A miniature being followed: how it was seen last and how it looks."""

    id: str
    seen: SeenBase
    look: Look


@dataclass(frozen=True)
class Matching:
    """Known ids of the new bases (None: never seen before), and those that might as well be swapped."""

    ids: tuple[str | None, ...]
    unsure: tuple[str, ...]


def matched(known: list[Known], found: list[tuple[SeenBase, Look]]) -> Matching:
    """The cheapest way to give known ids to found bases of the same size."""
    cost = np.array([[_cost(old, new) for new in found] for old in known]).reshape(len(known), len(found))
    chosen = [(i, j) for i, j in cheapest_pairs(cost) if cost[i, j] < _NEVER]
    ids = tuple(next((known[i].id for i, j in chosen if j == k), None) for k in range(len(found)))
    return Matching(ids, _doubtful(known, cost, chosen))


def _cost(old: Known, new: tuple[SeenBase, Look]) -> float:
    seen, look = new
    if old.seen.fit.base.diameter_mm != seen.fit.base.diameter_mm:
        return _NEVER
    far_mm = float(np.hypot(*np.subtract(old.seen.fit.at_mm, seen.fit.at_mm)))
    stayed = -1000.0 if far_mm < _SAME_PLACE_MM and unlike(old.look, look) < 40 else 0.0
    return unlike(old.look, look) + _UNLIKE_PER_MM * far_mm + stayed


def _doubtful(known: list[Known], cost: Floats, pairs: list[tuple[int, int]]) -> tuple[str, ...]:
    """Ids of pairs whose swap would cost hardly more."""
    doubtful: set[str] = set()
    for p, (a, b) in enumerate(pairs):
        for c, d in pairs[p + 1 :]:
            if cost[a, d] + cost[c, b] - cost[a, b] - cost[c, d] < _UNSURE:
                doubtful |= {known[a].id, known[c].id}
    return tuple(sorted(doubtful))
