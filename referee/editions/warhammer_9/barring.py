"""Barring: what a charge may not touch on its way, and behind which obstacle its target stands."""

import math
from collections.abc import Collection

from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.engaged import contact_mm
from referee.editions.warhammer_9.looking import bodies
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    left_of,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.spacing import is_closed
from referee.gaps import gap
from referee.shapes import Rounded, hull
from referee.situation import Situation

Things = dict[str, list[Rounded]]
UNHEEDED = frozenset({"charge-line", "failed-charge-way", "charge-side-by", "swiftstride-move"})
"""House rules of charges that change neither the ways nor who sees the target."""


def measured_to(table: Situation, attacker: str, target: str) -> str:
    """A garrison is charged at its building, one behind an obstacle at the obstacle. Source: p. 95, 99."""
    return garrisoned(table, target) or defended(table, attacker, target) or target


def defended(table: Situation, attacker: str, target: str) -> str | None:
    """The obstacle that a unit touches from behind, if it is charged across it. Source: Obstacles, p. 95."""
    if target not in table.state.by_id or not left_of(table, target) or garrisoned(table, target) is not None:
        return None
    here, there = regiment(table, attacker), regiment(table, target)
    across = Rounded((here.centre, there.centre))
    for terrain in table.state.terrain:
        if terrain.kind not in parameters.OBSTACLE_KINDS:
            continue
        parts = table.area(terrain.id).parts
        if any(gap(across, part).mm <= 0 for part in parts) and _is_held(table, target, parts):
            return terrain.id
    return None


def _is_held(table: Situation, target: str, parts: tuple[Rounded, ...]) -> bool:
    """Whether those who must touch the obstacle do."""
    all_of_them = table.reading("defended-by") == "all-models"
    touch = [
        min(gap(table.base(m), part).mm for part in parts) <= contact_mm(table)
        for m in (regiment(table, target).rank(0) if all_of_them else members_of(table, target))
    ]
    return all(touch) if all_of_them else any(touch)


def held_doubts(table: Situation, attacker: str, target: str) -> tuple[str, ...]:
    """The house rule of who holds an obstacle, where its readings find something else."""
    if not any(t.kind in parameters.OBSTACLE_KINDS for t in table.state.terrain):
        return ()
    found = {defended(one, attacker, target) for one in (table, *table.otherwise("defended-by"))}
    return ("defended-by",) if len(found) > 1 else ()


def in_the_way(table: Situation, attacker: str, target: str, with_: Collection[str] = ()) -> Things:
    """What a charge may not touch; friends who charge themselves may be gone by then. Source: Can I Charge, p. 17."""
    if table.nudges:
        return _in_the_way(table, attacker, target, with_)
    key = ("in the way", attacker, target, tuple(with_))
    return table.regardless_of(UNHEEDED).settled(key, lambda still: _in_the_way(still, attacker, target, with_))


def _in_the_way(table: Situation, attacker: str, target: str, with_: Collection[str]) -> Things:
    turn = table.state.turn
    leaving = {deed.by for deed in turn.log if deed.what == "charge"} if turn is not None else set()
    out = {regiment_of(table, one) for one in (attacker, target, *with_)}
    out |= {regiment_of(table, one) for one in leaving if are_friends(table, attacker, one)}
    spared = {target, garrisoned(table, target), defended(table, attacker, target)}
    found: Things = {}
    for id_ in all_regiments(table):
        if id_ not in out and garrisoned(table, id_) is None:
            found[id_] = _solid(table, id_)
    for terrain in table.state.terrain:
        if is_closed(terrain) and terrain.id not in spared:
            found[terrain.id] = list(table.area(terrain.id).parts)
    return _near(table, attacker, target, found)


def between_them(table: Situation, attacker: str, target: str) -> tuple[list[Rounded], list[Rounded], Things]:
    """The bodies of both, or what is charged in the target's place, and what a line between them may not cross."""
    place = measured_to(table, attacker, target)
    goal = _solid(table, target) if place == target and left_of(table, target) else list(table.area(place).parts)
    return _solid(table, attacker), goal, in_the_way(table, attacker, target)


def _solid(table: Situation, id_: str) -> list[Rounded]:
    """A unit as few solid bodies: its full ranks as one, a short last one of its own."""
    own, rows = regiment(table, id_), [one.shape for one in bodies(table, id_)]
    if len(rows) != own.ranks or len(own.members) == 1 or any(row.radius_mm for row in rows):
        return rows
    full = [row for row, size in zip(rows, own.rank_sizes, strict=True) if size == own.files]
    short = [row for row, size in zip(rows, own.rank_sizes, strict=True) if size != own.files]
    return [Rounded(hull([p for shape in full for p in shape.points])), *short]


def _near(table: Situation, attacker: str, target: str, things: Things) -> Things:
    """Those that a way may come to at all."""
    own = regiment(table, attacker)
    parts = table.area(garrisoned(table, target) or target).parts
    reach = max(math.dist(own.centre, part.centre) + part.reach_mm for part in parts)
    near = Rounded((own.centre,), reach + 2 * (own.width_mm + own.depth_mm))
    kept = {id_: [shape for shape in shapes if gap(near, shape).mm < 0] for id_, shapes in things.items()}
    return {id_: shapes for id_, shapes in kept.items() if shapes}
