"""Arriving: the way of a charge on this table, whom it touches besides, and who closes up to whom."""

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from models.words import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.barring import UNHEEDED, Things, defended, in_the_way
from referee.editions.warhammer_9.engaged import edge_of
from referee.editions.warhammer_9.flush import Flush
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    kind_of,
    leading,
    regiment,
)
from referee.editions.warhammer_9.ways import Ground, Way, best_way, obvious_way, rough_way
from referee.gaps import gap
from referee.shapes import Rounded, hull
from referee.situation import Situation

_MOST_CLIPPED = 2
Find = Callable[[Ground], Way | None]


@dataclass(frozen=True)
class Arrival:
    """How a charge gets there: whom every way touches too, and who closes up."""

    way: Way | None
    flush: Flush
    must_also: tuple[str, ...]
    aligned_by: str | None
    own_id: str
    goal: tuple[Point, ...]
    """The outline that is charged."""
    is_obvious: bool = True
    """Whether one need not search to see whom it touches."""

    def ends(self, own: Footing) -> Footing:
        """Where the charger stands in the end."""
        assert self.way is not None
        there = self.way.flush if self.aligned_by == self.own_id else self.way.touching
        return replace(there, width_mm=own.width_mm, depth_mm=own.depth_mm)


def arrival(
    table: Situation, attacker: str, target: str, side: str, *, flying: bool = False, with_: Collection[str] = ()
) -> Arrival:
    """How a charge at that side gets there, everything where the state has it; those of `with_` are charged too."""
    key = ("arrival", attacker, target, side, flying, tuple(with_))
    return table.regardless_of(UNHEEDED).settled(
        key, lambda still: _arrival(still, attacker, target, side, flying, tuple(with_))
    )


def _arrival(table: Situation, attacker: str, target: str, side: str, flying: bool, with_: tuple[str, ...]) -> Arrival:
    closer = closes_up(table, attacker, target)
    best: Arrival | None = None
    for goal, flush in _goals(table, attacker, target, side):
        found = _to(table, attacker, target, goal, flush, closer, flying, with_)
        if found.way is not None and not found.must_also:
            return found
        best = found if best is None or (best.way is None and found.way is not None) else best
    assert best is not None
    return best


def closes_up(table: Situation, attacker: str, target: str) -> str | None:
    """Who turns to stand flush: the charger, or a much weaker target; nobody to a machine.

    Source: Aligning to the Enemy, p. 19; War Machines, p. 86.
    """
    if kind_of(leading(table, target)) == "war-machine" and garrisoned(table, target) is None:
        return None
    weak = total_strength(table, target) < parameters.FEW and garrisoned(table, target) is None
    return target if weak and total_strength(table, attacker) >= parameters.MANY else attacker


def _to(
    table: Situation,
    attacker: str,
    target: str,
    goal: tuple[Point, ...],
    flush: Flush,
    closer: str | None,
    flying: bool,
    with_: tuple[str, ...],
) -> Arrival:
    """The way to one side: as the rule has it; else past fewer enemies; else closed up by the target."""
    things = in_the_way(table, attacker, target, with_)

    def way(find: Find, without: Collection[str] = (), *, closing: bool = closer is not None) -> Way | None:
        left = tuple(shape for id_, shapes in things.items() if id_ not in without for shape in shapes)
        closed, passed = ((), left) if flying else (left, ())
        return find(Ground(flush, goal, closed, passed, closing))

    def arrived(way: Way, also: tuple[str, ...] = (), *, is_obvious: bool = True) -> Arrival:
        barred = closer == target and not _has_room(way, goal, things, also)
        return Arrival(way, flush, also, attacker if barred else closer, attacker, goal, is_obvious)

    enemies = [id_ for id_ in things if id_ in all_regiments(table) and not are_friends(table, attacker, id_)]
    near = [id_ for id_ in enemies if any(gap(Rounded(goal), s).mm <= flush.own.width_mm for s in things[id_])]
    seen = near and table.reading("multi-charge-search") == "obvious" and way(obvious_way) is None
    if seen and way(obvious_way, near) is not None:
        for some, clipping in _past(near, lambda some: way(obvious_way, some)):
            return arrived(clipping, some, is_obvious=False)
    found = way(best_way)
    if found is not None:
        hidden = near and found.turn_rad and flush.score(found.middle_mm) < flush.most
        return arrived(found, is_obvious=not hidden or way(obvious_way) is not None)
    if near and way(rough_way, near) is not None:
        for some, clipping in _past(near, lambda some: way(rough_way, some)):
            return arrived(clipping, some, is_obvious=False)
    found = way(best_way, closing=False) if closer is not None else None
    if found is not None and _has_room(found, goal, things):
        return Arrival(found, flush, (), target, attacker, goal)
    return Arrival(None, flush, (), closer, attacker, goal)


def _past(near: list[str], way: Callable[[tuple[str, ...]], Way | None]) -> Iterator[tuple[tuple[str, ...], Way]]:
    """The ways past as few of these enemies as may be, with those whom they touch."""
    for count in range(1, _MOST_CLIPPED + 1):
        for some in combinations(near, count):
            if (found := way(some)) is not None:
                yield some, found


def _has_room(way: Way, goal: tuple[Point, ...], things: Things, also: Collection[str] = ()) -> bool:
    """Whether the target may turn to the charger without touching anything."""
    turned = Rounded(tuple(_turned(p, way.about, -way.closing_rad) for p in goal))
    left = (shape for id_, shapes in things.items() if id_ not in also for shape in shapes)
    return all(gap(turned, shape).mm > 0 for shape in left)


def _turned(p: Point, about: Point, by_rad: float) -> Point:
    c, s = math.cos(by_rad), math.sin(by_rad)
    dx, dy = p[0] - about[0], p[1] - about[1]
    return (about[0] + c * dx - s * dy, about[1] + s * dx + c * dy)


def _goals(table: Situation, attacker: str, target: str, side: str) -> list[tuple[tuple[Point, ...], Flush]]:
    """What is charged, and the sides of it where it may be met, the nearest first. Source: p. 19, 95, 99."""
    own = regiment(table, attacker)
    place = garrisoned(table, target) or defended(table, attacker, target)
    if place is None:
        foe = regiment(table, target)
        return [(foe.corners, Flush.of(table, own, foe, side))]
    outline = hull([p for part in table.area(place).parts for p in part.points])
    facing = [(a, b) for a, b in Rounded(outline).edges() if _is_before(own.centre, a, b)]
    if garrisoned(table, target) is None:
        inward = edge_of(regiment(table, target), side).points
        facing = [max(facing or list(Rounded(outline).edges()), key=lambda e: _likeness(e, inward))]
    ranked = sorted(facing, key=lambda e: gap(Rounded(own.corners), Rounded(e)).mm)
    base = Flush.of(table, own, own, "front")
    return [(outline, replace(base, start=a, end=b, step_mm=math.dist(a, b))) for a, b in ranked]


def _is_before(p: Point, a: Point, b: Point) -> bool:
    """Whether a point lies outside that edge of an anticlockwise outline."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < 0


def _likeness(edge: tuple[Point, Point], other: tuple[Point, ...]) -> float:
    """How nearly two edges run the same way."""
    (a, b), (c, d) = edge, (other[0], other[1])
    return ((b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1])) / math.dist(a, b)
