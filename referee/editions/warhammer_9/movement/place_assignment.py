"""Bottleneck assignment: who takes which place, so that nobody goes farther than somebody must."""

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from models.vocabulary import Point
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.units.regiment import Regiment, member_gap_mm
from referee.rules.exact_table import ExactTable


class Assignment(NamedTuple):
    """Who goes where: how far the one goes that goes farthest, who that is, and the place of each."""

    longest_mm: float
    furthest: str
    places: dict[str, Point]


def assign_places(
    starts: Sequence[Point],
    places: Sequence[Point],
    ids: Sequence[str],
    led: Collection[str] = (),
    files: int = 0,
    *,
    held: Collection[str] = (),
    held_places: Collection[int] = (),
) -> Assignment:
    """Bottleneck assignment: nobody goes farther than somebody must.

    Those who lead go to the front rank, the first `files` places, whatever the distance; those who are held come to
    one of the places named for them. Source: Command Groups, p. 78.
    """
    apart = [[math.dist(a, b) for b in places] for a in starts]
    for row, id_ in zip(apart, ids, strict=True):
        if id_ in led:
            row[:] = [0.0 if k < files else math.inf for k in range(len(row))]
        if id_ in held:
            row[:] = [mm if k in held_places else math.inf for k, mm in enumerate(row)]
    return assign_by_lengths(apart, places, ids)


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


def grid_places(own: Regiment, end_pose: BlockPose, files: int, gap_mm: float) -> list[Point]:
    """The centres of a block of as many miniatures, front rank first, the short last rank in the middle."""
    wide, deep = own.base_mm
    count, places = len(own.members), []
    for k in range(count):
        rank, file = divmod(k, files)
        rank_size = min(files, count - rank * files)
        aside = ((rank_size - 1) / 2 - file) * (wide + gap_mm)
        places.append(end_pose.point_at(-deep / 2 - rank * (deep + gap_mm), aside))
    return places


def skirmish_places(table: ExactTable, own: Regiment, end_pose: BlockPose, files: int) -> list[Point]:
    """The centres of a loose block, at the gap its members keep."""
    return grid_places(own, end_pose, files, member_gap_mm(table, own.id))


def block_about_centre(own: Regiment, files: int, facing_rad: float, gap_mm: float) -> BlockPose:
    """The block of so many files about the same centre. Source: Reform, p. 16."""
    wide, deep = own.base_mm
    count = len(own.members)
    ranks = -(-count // files)
    width, depth = min(files, count) * (wide + gap_mm) - gap_mm, ranks * (deep + gap_mm) - gap_mm
    block = BlockPose(own.centre, facing_rad, width, depth)
    return block.translate(depth / 2)
