"""Unit membership over time: units keep their members, and ranks are counted from where these stand."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from models.base import RectBase
from vision.facing.facing_estimate import Facing
from vision.measurement.base_distance import signed_distance_mm
from vision.ranked.ranked_units import Place
from vision.ranked.side_profiles import symmetry_turns
from vision.state_assembly import MeasuredBase

_IN_LINE_RAD = math.radians(15.0)  # who is turned further stands in no rank
_NEXT_TO = 0.5  # of a base's shorter side: who is farther from all others stands in no rank


class UnitMembership:
    """Membership of units, for as long as the game lasts."""

    def __init__(self) -> None:
        self._unit_of: dict[str, int] = {}
        self._count = 0

    def join(self, blocks: Iterable[Sequence[str]]) -> None:
        """Units of blocks: a member without a unit joins that of most of the others, or all of them a new one."""
        for block in blocks:
            known = Counter(self._unit_of[id_] for id_ in block if id_ in self._unit_of)
            if not known:
                known[self._count] += 1
                self._count += 1
            most = max(known, key=lambda unit: (known[unit], -unit))
            for id_ in block:
                self._unit_of.setdefault(id_, most)

    def assign_ranks(self, ids: Iterable[str], standing: Mapping[str, MeasuredBase]) -> dict[str, MeasuredBase]:
        """Rank and file of all who stand and are of a unit of one of these."""
        members: dict[str, MeasuredBase] = {}
        for unit in sorted({self._unit_of[id_] for id_ in ids if id_ in self._unit_of}):
            members |= rank_members(
                {id_: track for id_, track in standing.items() if self._unit_of.get(id_) == unit}, unit
            )
        return members


def rank_members(members: Mapping[str, MeasuredBase], unit: int) -> dict[str, MeasuredBase]:
    """Rank and file of a unit's members, where its front is known and they stand with the others."""
    front = _front_rad(members.values())
    if front is None:
        alone = 0 if len(members) == 1 else None
        return {id_: replace(member, place=Place(unit, alone, alone)) for id_, member in members.items()}
    turned = {id_: replace(member, facing=_resolve_facing(member, front)) for id_, member in members.items()}
    block = _largest_group({id_: member for id_, member in turned.items() if _is_in_line(member, front)})
    cells = _grid_cells(block, front)
    return {id_: replace(member, place=Place(unit, *cells.get(id_, (None, None)))) for id_, member in turned.items()}


def _front_rad(members: Iterable[MeasuredBase]) -> float | None:
    """Where most of those look whose front is known."""
    known = [
        member.facing.facing_rad for member in members if member.facing is not None and not member.facing.is_ambiguous
    ]
    if not known:
        return None
    return max(
        known, key=lambda facing_rad: sum(_angle_between_rad(facing_rad, other) < _IN_LINE_RAD for other in known)
    )


def _resolve_facing(member: MeasuredBase, front_rad: float) -> Facing | None:
    """Its facing; of several that it may be the one that is about the unit's."""
    facing, base = member.facing, member.fit.base
    if facing is None or not facing.is_ambiguous or not isinstance(base, RectBase):
        return facing
    ways = [member.fit.turn_rad + turn * math.pi / 2 for turn in symmetry_turns(base)]
    near = min(ways, key=lambda end_rad: _angle_between_rad(end_rad, front_rad))
    return (
        replace(facing, facing_rad=near, is_ambiguous=False)
        if _angle_between_rad(near, front_rad) < _IN_LINE_RAD
        else facing
    )


def _is_in_line(member: MeasuredBase, front_rad: float) -> bool:
    facing = member.facing
    return (
        facing is not None
        and not facing.is_ambiguous
        and _angle_between_rad(facing.facing_rad, front_rad) < _IN_LINE_RAD
    )


def _largest_group(members: dict[str, MeasuredBase]) -> dict[str, MeasuredBase]:
    """The most of them that stand side by side."""
    left, most = set(members), set[str]()
    while left:
        group, edge = set[str](), {min(left)}
        while edge:
            group |= edge
            edge = {id_ for id_ in left - group if any(_are_neighbours(members[id_], members[other]) for other in edge)}
        left -= group
        most = max(most, group, key=len)
    return {id_: member for id_, member in members.items() if id_ in most}


def _are_neighbours(a: MeasuredBase, b: MeasuredBase) -> bool:
    return signed_distance_mm(a.fit, b.fit)[0] < _NEXT_TO * 2 * min(a.fit.inradius_mm, b.fit.inradius_mm)


def _grid_cells(block: dict[str, MeasuredBase], front_rad: float) -> dict[str, tuple[int, int]]:
    """Rank and file of each: from the front, and from the left as the unit sees it."""
    if not block:
        return {}
    at_mm = np.array([member.fit.at_mm for member in block.values()])
    cos, sin = math.cos(front_rad), math.sin(front_rad)
    ahead, left = at_mm @ (cos, sin), at_mm @ (-sin, cos)
    sizes = Counter(member.fit.base for member in block.values())
    base = max(sizes, key=lambda size: sizes[size])
    assert isinstance(base, RectBase)
    ranks = np.rint((ahead.max() - ahead) / base.depth_mm).astype(int).tolist()
    files = np.rint((left.max() - left) / base.width_mm).astype(int).tolist()
    return {id_: (rank, file) for id_, rank, file in zip(block, ranks, files, strict=True)}


def _angle_between_rad(a: float, b: float) -> float:
    return abs((a - b + math.pi) % (2 * math.pi) - math.pi)
