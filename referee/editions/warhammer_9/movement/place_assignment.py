"""Places of a block: where its ranks stand, and who takes which place, so that nobody goes farther than he must."""

import math
from collections.abc import Collection, Sequence

from models.vocabulary import Point
from referee.editions.warhammer_9.units.regiment import Regiment, member_gap_mm
from referee.motion.block_pose import BlockPose
from referee.motion.bottleneck_assignment import Assignment, assign_by_lengths
from referee.rules.exact_table import ExactTable


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
