"""Fitting miniatures to new places: who went where, so that nobody goes farther than must be."""

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from models.words import Point
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.regiments import Regiment, gap_of
from referee.situation import Situation


class Moves(NamedTuple):
    """Who goes where: how far the one goes that goes farthest, who that is, and the place of each."""

    longest_mm: float
    furthest: str
    places: dict[str, Point]


def longest_moves(
    starts: Sequence[Point], places: Sequence[Point], ids: Sequence[str], led: Collection[str] = (), files: int = 0
) -> Moves:
    """The kindest way to go when each goes to a place of its own: nobody goes farther than somebody must.

    Those who lead go to the front rank, the first `files` places, whatever the distance. Source: Command Groups, p. 79.
    """
    apart = [[math.dist(a, b) for b in places] for a in starts]
    for row, id_ in zip(apart, ids, strict=True):
        if id_ in led:
            row[:] = [0.0 if k < files else math.inf for k in range(len(row))]
    lengths = sorted({mm for row in apart for mm in row})
    low, high = 0, len(lengths) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _all_fit(apart, lengths[middle]) else (middle + 1, high)
    limit = lengths[low] if lengths else 0.0
    matched = _matched(apart, limit)
    far = {ids[i]: apart[i][j] for j, i in matched.items()}
    there = {ids[i]: places[j] for j, i in sorted(matched.items())}
    return Moves(limit, max(far, key=lambda id_: far[id_], default=""), there)


def _all_fit(apart: list[list[float]], limit: float) -> bool:
    return len(_matched(apart, limit)) == len(apart)


def _matched(apart: list[list[float]], limit: float) -> dict[int, int]:
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


def grid_places(own: Regiment, there: Footing, files: int, gap_mm: float) -> list[Point]:
    """The centres of a block of as many miniatures, front rank first, the short last rank in the middle."""
    wide, deep = own.base_mm
    count, places = len(own.members), []
    for k in range(count):
        rank, file = divmod(k, files)
        beside = min(files, count - rank * files)
        aside = ((beside - 1) / 2 - file) * (wide + gap_mm)
        places.append(there.at(-deep / 2 - rank * (deep + gap_mm), aside))
    return places


def skirmish_places(table: Situation, own: Regiment, there: Footing, files: int) -> list[Point]:
    return grid_places(own, there, files, gap_of(table, own.id))


def standing(own: Regiment, files: int, facing_rad: float, gap_mm: float) -> Footing:
    """The block about the same centre. Source: Reform, p. 16."""
    wide, deep = own.base_mm
    count = len(own.members)
    ranks = -(-count // files)
    width, depth = min(files, count) * (wide + gap_mm) - gap_mm, ranks * (deep + gap_mm) - gap_mm
    there = Footing(own.centre, facing_rad, width, depth)
    return there.moved(depth / 2)
