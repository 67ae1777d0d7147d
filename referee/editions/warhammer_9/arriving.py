"""Arriving: the way of a charge on this table, whom it touches besides, and who closes up to whom."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations

from models.words import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.engaged import edge_of
from referee.editions.warhammer_9.flush import Flush
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.looking import bodies
from referee.editions.warhammer_9.odds import defended
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    kind_of,
    leading,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.spacing import is_closed
from referee.editions.warhammer_9.ways import Ground, Way, best_way
from referee.gaps import gap
from referee.motion import hull
from referee.shapes import Rounded
from referee.situation import Situation

Things = dict[str, list[Rounded]]
_MOST_CLIPPED = 2


@dataclass(frozen=True)
class Arrival:
    """How a charge gets there: whom every way touches too, and who closes up."""

    way: Way | None
    flush: Flush
    must_also: tuple[str, ...]
    aligned_by: str | None
    own_id: str

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
    return table.settled(key, lambda still: _arrival(still, attacker, target, side, flying, tuple(with_)))


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

    def way(without: Collection[str] = (), *, closing: bool = closer is not None, roughly: bool = False) -> Way | None:
        left = tuple(shape for id_, shapes in things.items() if id_ not in without for shape in shapes)
        closed, passed = ((), left) if flying else (left, ())
        return best_way(Ground(flush, goal, closed, passed, closing), roughly=roughly)

    found = way()

    def arrived(way: Way, also: tuple[str, ...] = ()) -> Arrival:
        barred = closer == target and not _has_room(way, goal, things, also)
        return Arrival(way, flush, also, attacker if barred else closer, attacker)

    if found is not None:
        return arrived(found)
    enemies = [id_ for id_ in things if id_ in all_regiments(table) and not are_friends(table, attacker, id_)]
    near = [id_ for id_ in enemies if any(gap(Rounded(goal), s).mm <= flush.own.width_mm for s in things[id_])]
    for count in range(1, (_MOST_CLIPPED if near and way(near, roughly=True) is not None else 0) + 1):
        for some in combinations(near, count):
            found = way(some, roughly=True)
            if found is not None:
                return arrived(found, some)
    found = way(closing=False) if closer is not None else None
    if found is not None and _has_room(found, goal, things):
        return Arrival(found, flush, (), target, attacker)
    return Arrival(None, flush, (), closer, attacker)


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


def in_the_way(table: Situation, attacker: str, target: str, with_: Collection[str] = ()) -> Things:
    """What a charge may not touch; friends who charge themselves may be gone by then. Source: Can I Charge, p. 17."""
    turn = table.state.turn
    leaving = {deed.by for deed in turn.log if deed.what == "charge"} if turn is not None else set()
    out = {regiment_of(table, one) for one in (attacker, target, *with_)}
    out |= {regiment_of(table, one) for one in leaving if are_friends(table, attacker, one)}
    spared = {garrisoned(table, target), defended(table, attacker, target)}
    found: Things = {}
    for id_ in all_regiments(table):
        if id_ not in out and garrisoned(table, id_) is None:
            found[id_] = _solid(table, id_)
    for terrain in table.state.terrain:
        if is_closed(terrain) and terrain.id not in spared:
            found[terrain.id] = list(table.area(terrain.id).parts)
    return _near(table, attacker, target, found)


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
