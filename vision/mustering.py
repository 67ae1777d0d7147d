"""Units from one settled table to the next: they keep their members, and ranks are counted from where these stand."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from models.base import RectBase
from vision.facing import Facing
from vision.gap import gap_mm
from vision.locating import SeenBase
from vision.ranked.sides import ways_of
from vision.ranked.units import Place

_IN_LINE_RAD = math.radians(15.0)  # who is turned further stands in no rank
_NEXT_TO = 0.5  # of a base's shorter side: who is farther from all others stands in no rank


class Muster:
    """Who belongs to which unit, for as long as the game lasts."""

    def __init__(self) -> None:
        self._unit_of: dict[str, int] = {}
        self._count = 0

    def join(self, blocks: Iterable[Sequence[str]]) -> None:
        """Whoever stands in a block and has no unit joins that of most of the others, or all of them a new one."""
        for block in blocks:
            known = Counter(self._unit_of[id_] for id_ in block if id_ in self._unit_of)
            if not known:
                known[self._count] += 1
                self._count += 1
            most = max(known, key=lambda unit: (known[unit], -unit))
            for id_ in block:
                self._unit_of.setdefault(id_, most)

    def ranked(self, ids: Iterable[str], standing: Mapping[str, SeenBase]) -> dict[str, SeenBase]:
        """All who stand and are of a unit of one of these, each with its rank and file."""
        found: dict[str, SeenBase] = {}
        for unit in sorted({self._unit_of[id_] for id_ in ids if id_ in self._unit_of}):
            found |= in_ranks({id_: one for id_, one in standing.items() if self._unit_of.get(id_) == unit}, unit)
        return found


def in_ranks(members: Mapping[str, SeenBase], unit: int) -> dict[str, SeenBase]:
    """The members of a unit, each with rank and file where the unit's front is known and it stands with the others."""
    front = _front_rad(members.values())
    if front is None:
        alone = 0 if len(members) == 1 else None
        return {id_: replace(one, place=Place(unit, alone, alone)) for id_, one in members.items()}
    turned = {id_: replace(one, facing=_told(one, front)) for id_, one in members.items()}
    block = _together({id_: one for id_, one in turned.items() if _is_in_line(one, front)})
    cells = _cells(block, front)
    return {id_: replace(one, place=Place(unit, *cells.get(id_, (None, None)))) for id_, one in turned.items()}


def _front_rad(members: Iterable[SeenBase]) -> float | None:
    """Where most of those look whose front is known."""
    known = [one.facing.facing_rad for one in members if one.facing is not None and not one.facing.is_either_way]
    if not known:
        return None
    return max(known, key=lambda way: sum(_off_rad(way, other) < _IN_LINE_RAD for other in known))


def _told(one: SeenBase, front_rad: float) -> Facing | None:
    """Its facing; of several that it may be the one that is about the unit's."""
    facing, base = one.facing, one.fit.base
    if facing is None or not facing.is_either_way or not isinstance(base, RectBase):
        return facing
    ways = [one.fit.turn_rad + way * math.pi / 2 for way in ways_of(base)]
    near = min(ways, key=lambda way: _off_rad(way, front_rad))
    return replace(facing, facing_rad=near, is_either_way=False) if _off_rad(near, front_rad) < _IN_LINE_RAD else facing


def _is_in_line(one: SeenBase, front_rad: float) -> bool:
    facing = one.facing
    return facing is not None and not facing.is_either_way and _off_rad(facing.facing_rad, front_rad) < _IN_LINE_RAD


def _together(members: dict[str, SeenBase]) -> dict[str, SeenBase]:
    """The most of them that stand side by side."""
    left, most = set(members), set[str]()
    while left:
        group, edge = set[str](), {min(left)}
        while edge:
            group |= edge
            edge = {id_ for id_ in left - group if any(_are_neighbours(members[id_], members[one]) for one in edge)}
        left -= group
        most = max(most, group, key=len)
    return {id_: one for id_, one in members.items() if id_ in most}


def _are_neighbours(a: SeenBase, b: SeenBase) -> bool:
    return gap_mm(a.fit, b.fit)[0] < _NEXT_TO * 2 * min(a.fit.small_mm, b.fit.small_mm)


def _cells(block: dict[str, SeenBase], front_rad: float) -> dict[str, tuple[int, int]]:
    """Rank and file of each: from the front, and from the left as the unit sees it."""
    if not block:
        return {}
    at_mm = np.array([one.fit.at_mm for one in block.values()])
    cos, sin = math.cos(front_rad), math.sin(front_rad)
    ahead, left = at_mm @ (cos, sin), at_mm @ (-sin, cos)
    sizes = Counter(one.fit.base for one in block.values())
    base = max(sizes, key=lambda one: sizes[one])
    assert isinstance(base, RectBase)
    ranks = np.rint((ahead.max() - ahead) / base.depth_mm).astype(int).tolist()
    files = np.rint((left.max() - left) / base.width_mm).astype(int).tolist()
    return {id_: (rank, file) for id_, rank, file in zip(block, ranks, files, strict=True)}


def _off_rad(a: float, b: float) -> float:
    return abs((a - b + math.pi) % (2 * math.pi) - math.pi)
