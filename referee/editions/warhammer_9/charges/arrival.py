"""Arrival: how a charge gets to its target on this table, whom it touches besides, and who closes up to whom."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.alignment import Alignment
from referee.editions.warhammer_9.charges.obstacles import (
    PATH_NEUTRAL_HOUSE_RULES,
    Obstacles,
    charge_obstacles,
    defended_obstacle,
)
from referee.editions.warhammer_9.charges.path_room import PathRoom, find_path_room, is_free
from referee.editions.warhammer_9.charges.path_search import (
    Arrival,
    ChargePath,
    ChargeScene,
    best_path,
    direct_path,
    similar_path,
    whole_degree_path,
)
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    all_regiments,
    are_friends,
    garrisoned_building,
    kind_of,
    leading_miniature,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, record_switches

_MOST_CLIPPED = 2
PathFinder = Callable[[ChargeScene], ChargePath | None]


def find_arrival(
    table: ExactTable,
    attacker: str,
    target: str,
    side: str,
    *,
    flying: bool = False,
    with_: Collection[str] = (),
    is_far: bool = False,
) -> Arrival:
    """Arrival at that side; units of `with_` are charged too.

    It is the one with everything where the state has it, unless so little room is left that an error may close the way.
    Where the target `is_far` beyond its reach, or a reading is tried out, nobody asks how much room there is.
    """
    asked = (attacker, target, side, flying, tuple(with_))
    plain = table.without_readings(PATH_NEUTRAL_HOUSE_RULES)
    if table.stated is not None:
        return _find_drawn_arrival(plain, table.stated.without_readings(PATH_NEUTRAL_HOUSE_RULES), asked)
    resting = plain.memoize_unperturbed(("arrival", *asked), lambda still: _best_arrival(still, *asked))
    if is_far or (plain.readings and plain.margins_only and not plain.perturbations):
        return resting
    room = plain.memoize_unperturbed(("room", *asked), lambda still: _find_room(still, asked))
    if room is None:
        return resting
    mm = (
        room.mm_on(plain, attacker, charge_obstacles(plain, attacker, target, asked[4])) if table.is_sample else room.mm
    )
    return resting if _is_room_left(plain, attacker, room, mm) == is_free(resting) else room.beyond


def _find_drawn_arrival(table: ExactTable, stated: ExactTable, asked: "_Asked") -> Arrival:
    """The arrival on a drawn table, searched where no path of the stated one fits; its room is recorded."""
    with record_switches():  # those of the stated table are none of this one
        resting = stated.memoize_unperturbed(("arrival", *asked), lambda still: _best_arrival(still, *asked))
        room = stated.memoize_unperturbed(("room", *asked), lambda still: _find_room(still, asked))
    known = (resting,) if room is None else (resting, room.beyond)
    tried = tuple(arrival for arrival in known if is_free(arrival))
    arrival = table.memoize_unperturbed(("arrival", *asked), lambda still: _best_arrival(still, *asked, tried=tried))
    if room is not None:
        attacker, target, *_, with_ = asked
        mm = room.mm_on(table, attacker, charge_obstacles(table, attacker, target, with_))
        _is_room_left(table, attacker, room, mm)
    return arrival


def _is_room_left(table: ExactTable, attacker: str, room: PathRoom, mm: float) -> bool:
    lever_mm = 2 * regiment(table, attacker).reach_mm
    return is_at_least(mm, 0.0, "has room on its way past", room.depends_on, turning=(attacker,), lever_mm=lever_mm)


_Asked = tuple[str, str, str, bool, tuple[str, ...]]


def _find_room(table: ExactTable, asked: _Asked) -> PathRoom | None:
    attacker, target, _, flying, with_ = asked
    if flying:
        return None
    things = charge_obstacles(table, attacker, target, with_)
    resting = table.memoize_unperturbed(("arrival", *asked), lambda still: _best_arrival(still, *asked))

    def arrive(by_mm: float) -> Arrival:
        return _best_arrival(table, *asked, spread_mm=by_mm) if by_mm else resting

    return find_path_room(table, attacker, things, arrive)


def _spread(things: Obstacles, alignment: Alignment, by_mm: float) -> tuple[Obstacles, Alignment]:
    """Everything on the way wider by that on all sides; or the charger narrower, where it is less than nothing."""
    if by_mm > 0:
        return {id_: [shape.grow(by_mm) for shape in shapes] for id_, shapes in things.items()}, alignment
    own = replace(alignment.own, width_mm=max(1.0, alignment.own.width_mm + 2 * by_mm))
    return things, replace(alignment, own=own)


def _best_arrival(
    table: ExactTable,
    attacker: str,
    target: str,
    side: str,
    flying: bool,
    with_: tuple[str, ...],
    *,
    spread_mm: float = 0.0,
    tried: Sequence[Arrival] = (),
) -> Arrival:
    """The arrival as it is, or with everything on the way so much wider; the paths of those `tried` come first."""
    closer = aligning_unit(table, attacker, target)
    best: Arrival | None = None
    for goal, alignment in _charged_sides(table, attacker, target, side):
        arrival = _arrival_at_side(table, attacker, target, goal, alignment, closer, flying, with_, spread_mm, tried)
        if arrival.path is not None and not arrival.must_also_charge:
            return arrival
        best = arrival if best is None or (best.path is None and arrival.path is not None) else best
    assert best is not None
    return best


def aligning_unit(table: ExactTable, attacker: str, target: str) -> str | None:
    """The unit that turns to align: the charger, or a much weaker target; none against a war machine.

    Source: Aligning to the Enemy, p. 19; War Machines, p. 86.
    """
    if kind_of(leading_miniature(table, target)) == "war-machine" and garrisoned_building(table, target) is None:
        return None
    weak = total_strength(table, target) < parameters.FEW and garrisoned_building(table, target) is None
    return target if weak and total_strength(table, attacker) >= parameters.MANY else attacker


def _arrival_at_side(
    table: ExactTable,
    attacker: str,
    target: str,
    goal: tuple[Point, ...],
    alignment: Alignment,
    closer: str | None,
    flying: bool,
    with_: tuple[str, ...],
    spread_mm: float,
    tried: Sequence[Arrival],
) -> Arrival:
    """The way to one side: as the rule has it; else past fewer enemies; else closed up by the target."""
    things = charge_obstacles(table, attacker, target, with_)
    if spread_mm:
        things, alignment = _spread(things, alignment, spread_mm)

    def find(by: PathFinder, without: Collection[str] = (), *, aligns: bool = closer is not None) -> ChargePath | None:
        left = tuple(shape for id_, shapes in things.items() if id_ not in without for shape in shapes)
        closed, passed = ((), left) if flying else (left, ())
        return by(ChargeScene(alignment, goal, closed, passed, aligns))

    def make_arrival(path: ChargePath, also: tuple[str, ...] = (), *, is_obvious: bool = True) -> Arrival:
        barred = closer == target and not _has_room(path, goal, things, also)
        return Arrival(path, alignment, also, attacker if barred else closer, attacker, goal, is_obvious)

    enemies = [id_ for id_ in things if id_ in all_regiments(table) and not are_friends(table, attacker, id_)]
    near = [id_ for id_ in enemies if any(gap(RoundedShape(goal), s).mm <= alignment.own.width_mm for s in things[id_])]
    seen = near and table.reading("multi-charge-search") == "obvious" and find(direct_path) is None
    if seen and find(direct_path, near) is not None:
        for some, clipping in _paths_past_enemies(near, lambda some: find(direct_path, some)):
            return make_arrival(clipping, some, is_obvious=False)
    loosely = lru_cache(maxsize=1)(lambda: find(best_path, aligns=False) if closer is not None else None)

    def find_best(scene: ChargeScene) -> ChargePath | None:
        """The best path; where none of those tried fits, there may be none even for whom need not close up."""
        path = similar_path(scene, tried)
        is_barred = path is None and table.stated is not None and closer is not None and loosely() is None
        return path if path is not None or is_barred else best_path(scene)

    best = find(find_best)
    if best is not None:
        hidden = near and best.turn_rad and alignment.contact_score(best.middle_mm) < alignment.most_contacts
        return make_arrival(best, is_obvious=not hidden or find(direct_path) is not None)
    if near and find(whole_degree_path, near) is not None:
        for some, clipping in _paths_past_enemies(near, lambda some: find(whole_degree_path, some)):
            return make_arrival(clipping, some, is_obvious=False)
    best = loosely()
    if best is not None and _has_room(best, goal, things):
        return Arrival(best, alignment, (), target, attacker, goal)
    return Arrival(None, alignment, (), closer, attacker, goal)


def _paths_past_enemies(
    near: list[str], find_path: Callable[[tuple[str, ...]], ChargePath | None]
) -> Iterator[tuple[tuple[str, ...], ChargePath]]:
    """The ways past as few of these enemies as may be, with those whom they touch."""
    for count in range(1, _MOST_CLIPPED + 1):
        for some in combinations(near, count):
            if (path := find_path(some)) is not None:
                yield some, path


def _has_room(path: ChargePath, goal: tuple[Point, ...], things: Obstacles, also: Collection[str] = ()) -> bool:
    """Whether the target may turn to the charger without touching anything."""
    turned = RoundedShape(tuple(_rotate_point(p, path.pivot, -path.closing_rad) for p in goal))
    left = (shape for id_, shapes in things.items() if id_ not in also for shape in shapes)
    return all(gap(turned, shape).mm > 0 for shape in left)


def _rotate_point(p: Point, about: Point, by_rad: float) -> Point:
    c, s = math.cos(by_rad), math.sin(by_rad)
    dx, dy = p[0] - about[0], p[1] - about[1]
    return (about[0] + c * dx - s * dy, about[1] + s * dx + c * dy)


def _charged_sides(
    table: ExactTable, attacker: str, target: str, side: str
) -> list[tuple[tuple[Point, ...], Alignment]]:
    """What is charged, and the sides of it where it may be met, the nearest first. Source: p. 19, 95, 99."""
    own = regiment(table, attacker)
    place = garrisoned_building(table, target) or defended_obstacle(table, attacker, target)
    if place is None:
        foe = regiment(table, target)
        return [(foe.corners, Alignment.of(table, own, foe, side))]
    outline = convex_hull([p for part in table.area(place).parts for p in part.points])
    edges = list(RoundedShape(outline).edges())
    facing = [(a, b) for a, b in edges if _is_outside_edge(own.centre, a, b)]
    if garrisoned_building(table, target) is None:
        return [(outline, _alignment_over_obstacle(table, own, regiment(table, target), side, facing or edges))]
    ranked = sorted(facing, key=lambda e: gap(RoundedShape(own.corners), RoundedShape(e)).mm)
    base = Alignment.of(table, own, own, "front")
    return [(outline, replace(base, start=a, end=b, step_mm=math.dist(a, b))) for a, b in ranked]


def _alignment_over_obstacle(
    table: ExactTable, own: Regiment, foe: Regiment, side: str, edges: list[tuple[Point, Point]]
) -> Alignment:
    """Along the edge of an obstacle, with those behind it where they stand. Source: Obstacles and Combat, p. 95."""
    behind = Alignment.of(table, own, foe, side)
    a, b = max(edges, key=lambda e: _parallelism(e, (behind.start, behind.end)))
    long = math.dist(a, b)
    along = ((b[0] - a[0]) / long, (b[1] - a[1]) / long)
    first, last = sorted((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1] for p in (behind.start, behind.end))
    count = max(1, round(behind.length_mm / behind.step_mm))
    return replace(behind, start=a, end=b, step_mm=(last - first) / count, stands_mm=(first, last))


def _is_outside_edge(p: Point, a: Point, b: Point) -> bool:
    """Whether a point lies outside that edge of an anticlockwise outline."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < 0


def _parallelism(edge: tuple[Point, Point], other: tuple[Point, ...]) -> float:
    """How nearly two edges run the same way."""
    (a, b), (c, d) = edge, (other[0], other[1])
    return ((b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1])) / math.dist(a, b)
