"""Ranks and disruption: which ranks count, and who takes them away."""

from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.units.engagement import engaged_with, fought_side
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.geometry.distance import gap
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_more_than

_MOST_RANKS = 3


def full_rank(table: ExactTable, id_: str) -> int:
    """The width of a rank that counts. Source: Extra Ranks, p. 46; Monstrous Infantry, p. 69."""
    return 3 if kind_of(leading_miniature(table, id_)) in parameters.MONSTROUS else 5


def disruptors(table: ExactTable, id_: str) -> list[str]:
    """Disruption: the enemies that take a unit's ranks away. Source: Disruption, p. 46; Skirmishers, p. 65."""
    own = regiment(table, id_)
    strong = [one for one in engaged_with(table, id_) if total_strength(table, one) >= parameters.MANY]
    formed = [one for one in strong if not is_skirmishing(table, one)]
    return [one for one in formed if fought_side(own, regiment(table, one)) != "front"]


def rank_bonus(table: ExactTable, id_: str) -> int:
    """Rank bonus: the points for a unit's ranks. Source: Extra Ranks, p. 46; River, p. 93."""
    own, needed = regiment(table, id_), full_rank(table, id_)
    if is_skirmishing(table, id_) or disruptors(table, id_) or own.files < needed or is_in_river(table, id_):
        return 0
    return min(_MOST_RANKS, sum(size >= needed for size in _ranks_behind_fighters(table, own)))


def _ranks_behind_fighters(table: ExactTable, own: Regiment) -> tuple[int, ...]:
    """How many stand in each rank that counts as behind those who fight.

    Where the table has agreed so, those of one that is not fought in front run as its enemy sees them: from the rear
    its ranks the other way round, from a flank its files. Source: Extra Ranks, p. 46.
    """
    if table.reading("rank-bonus-flank") != "behind-fighters" or not is_fought_in_flank_or_rear_only(table, own.id):
        return own.rank_sizes[1:]
    sides = {fought_side(own, regiment(table, foe)) for foe in engaged_with(table, own.id)}
    if "rear" in sides:
        return own.rank_sizes[:-1]
    columns = [own.file_of(m) for m in own.members]
    files = [columns.count(k) for k in range(own.files)]
    return tuple(files[1:] if "left" in sides else files[:-1])


def is_fought_in_flank_or_rear_only(table: ExactTable, id_: str) -> bool:
    """Whether a unit fights, and no enemy is in its front."""
    own, foes = regiment(table, id_), engaged_with(table, id_)
    return bool(foes) and all(fought_side(own, regiment(table, foe)) != "front" for foe in foes)


def is_in_river(table: ExactTable, id_: str) -> bool:
    """Whether any base of a unit is in a river."""
    rivers = [part for t in table.state.terrain if t.kind in parameters.RIVER_KINDS for part in table.area(t.id).parts]
    depths = ((m, -gap(table.base(m), part).mm) for m in members_of(table, id_) for part in rivers)
    return any(is_more_than(mm, 0.0, "stands in the river", (m,)) for m, mm in depths)
