"""Bottleneck assignment: who takes which place, so that nobody goes farther than somebody must."""

from collections.abc import Sequence
from typing import NamedTuple

from models.vocabulary import Point


class Assignment(NamedTuple):
    """Who goes where: how far the one goes that goes farthest, who that is, and the place of each."""

    longest_mm: float
    furthest: str
    places: dict[str, Point]


def assign_by_lengths(apart: list[list[float]], places: Sequence[Point], ids: Sequence[str]) -> Assignment:
    """Bottleneck assignment by how far it is from each to each place."""
    lengths = sorted({mm for row in apart for mm in row})
    low, high = 0, len(lengths) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_feasible(apart, lengths[middle]) else (middle + 1, high)
    limit = lengths[low] if lengths else 0.0
    matched = _match_places(apart, limit)
    far = {ids[i]: apart[i][j] for j, i in matched.items()}
    assigned = {ids[i]: places[j] for j, i in sorted(matched.items())}
    return Assignment(limit, max(far, key=lambda id_: far[id_], default=""), assigned)


def _is_feasible(apart: list[list[float]], limit: float) -> bool:
    return len(_match_places(apart, limit)) == len(apart)


def _match_places(apart: list[list[float]], limit: float) -> dict[int, int]:
    """Who takes each place when nobody goes farther than this: as many as can (augmenting paths)."""
    taken: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j, mm in enumerate(apart[i]):
            if mm <= limit + 1e-9 and j not in seen:
                seen.add(j)
                if j not in taken or place(taken[j], seen):
                    taken[j] = i
                    return True
        return False

    for i in range(len(apart)):
        place(i, set())
    return taken
