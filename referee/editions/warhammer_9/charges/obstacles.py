"""Charge obstacles: what a charge may not touch on its way, and behind which obstacle its target stands."""

import math
from collections.abc import Collection

from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.scene import solid_bodies
from referee.editions.warhammer_9.movement.spacing import edge_shapes, is_impassable_to
from referee.editions.warhammer_9.units.engagement import contact_mm
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    garrisoned_building,
    members_left,
    members_of,
    regiment,
    regiment_of,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least

Obstacles = dict[str, list[RoundedShape]]
PATH_NEUTRAL_HOUSE_RULES = frozenset({"charge-line", "failed-charge-way", "charge-side-by", "swiftstride-move"})
"""House rules of charges that change neither the ways nor who sees the target."""


def charge_goal(table: ExactTable, attacker: str, target: str) -> str:
    """What a charge is measured to: a garrison's building, a defended obstacle, or the target. Source: p. 95, 99."""
    return garrisoned_building(table, target) or defended_obstacle(table, attacker, target) or target


def defended_obstacle(table: ExactTable, attacker: str, target: str) -> str | None:
    """The obstacle that a unit touches from behind, if it is charged across it. Source: Obstacles, p. 95."""
    if (
        target not in table.state.by_id
        or not members_left(table, target)
        or garrisoned_building(table, target) is not None
    ):
        return None
    here, target_unit = regiment(table, attacker), regiment(table, target)
    across = RoundedShape((here.centre, target_unit.centre))
    for terrain in table.state.terrain:
        if terrain.kind not in parameters.OBSTACLE_KINDS:
            continue
        parts, ground = table.area(terrain.id).parts, table.movers_of(terrain.id)
        apart = min(gap(across, part).mm for part in parts)
        on = (*here.rank(0)[:1], *ground, *target_unit.rank(0)[:1])
        if is_at_least(0.0, apart, "charges across", on) and _is_defended(table, target, parts, ground):
            return terrain.id
    return None


def _is_defended(table: ExactTable, target: str, parts: tuple[RoundedShape, ...], ground: tuple[str, ...]) -> bool:
    """Whether those who must touch the obstacle do."""
    all_of_them = table.reading("defended-by") == "all-models"
    ids = regiment(table, target).rank(0) if all_of_them else members_of(table, target)
    gaps = {m: min(gap(table.base(m), part).mm for part in parts) for m in ids}
    decides = (max if all_of_them else min)(gaps, key=lambda m: gaps[m])
    return is_at_least(contact_mm(table), gaps[decides], "touches", (decides, *ground))


def defended_obstacle_doubts(table: ExactTable, attacker: str, target: str) -> tuple[str, ...]:
    """House rules of who defends an obstacle, where their readings differ."""
    if not any(t.kind in parameters.OBSTACLE_KINDS for t in table.state.terrain):
        return ()
    obstacle_ids = {
        defended_obstacle(reading, attacker, target) for reading in (table, *table.other_readings("defended-by"))
    }
    return ("defended-by",) if len(obstacle_ids) > 1 else ()


def charge_obstacles(table: ExactTable, attacker: str, target: str, with_: Collection[str] = ()) -> Obstacles:
    """What a charge may not touch; friends who charge themselves may be gone by then. Source: Can I Charge, p. 17."""
    if table.perturbations:
        return _find_obstacles(table, attacker, target, with_)
    key = ("in the way", attacker, target, tuple(with_))
    return table.without_readings(PATH_NEUTRAL_HOUSE_RULES).memoize_unperturbed(
        key, lambda still: _find_obstacles(still, attacker, target, with_)
    )


def _find_obstacles(table: ExactTable, attacker: str, target: str, with_: Collection[str]) -> Obstacles:
    turn = table.state.turn
    leaving = {deed.by for deed in turn.log if deed.what == "charge"} if turn is not None else set()
    out = {regiment_of(table, id_) for id_ in (attacker, target, *with_)}
    out |= {regiment_of(table, id_) for id_ in leaving if are_friends(table, attacker, id_)}
    spared = {target, garrisoned_building(table, target), defended_obstacle(table, attacker, target)}
    obstacles: Obstacles = {}
    for id_ in all_regiments(table):
        if id_ not in out and garrisoned_building(table, id_) is None:
            obstacles[id_] = _solid_parts(table, id_)
    for terrain in table.state.terrain:
        if is_impassable_to(table, attacker, terrain) and terrain.id not in spared:
            obstacles[terrain.id] = list(table.area(terrain.id).parts)
    obstacles |= {edge: [shape] for edge, shape in edge_shapes(table)}
    return _obstacles_in_reach(table, attacker, target, obstacles)


def charge_line_geometry(
    table: ExactTable, attacker: str, target: str
) -> tuple[list[RoundedShape], list[RoundedShape], Obstacles]:
    """Bodies of both units, or what is charged in the target's place, and what a line between them may not cross."""
    place = charge_goal(table, attacker, target)
    goal = (
        _solid_parts(table, target)
        if place == target and members_left(table, target)
        else list(table.area(place).parts)
    )
    return _solid_parts(table, attacker), goal, charge_obstacles(table, attacker, target)


def _solid_parts(table: ExactTable, id_: str) -> list[RoundedShape]:
    """A unit as few solid bodies: its full ranks as one, a short last one of its own."""
    own, rows = regiment(table, id_), [body.shape for body in solid_bodies(table, id_)]
    if len(rows) != own.ranks or len(own.members) == 1 or any(row.radius_mm for row in rows):
        return rows
    full = [row for row, size in zip(rows, own.rank_sizes, strict=True) if size == own.files]
    short = [row for row, size in zip(rows, own.rank_sizes, strict=True) if size != own.files]
    return [RoundedShape(convex_hull([p for shape in full for p in shape.points])), *short]


def _obstacles_in_reach(table: ExactTable, attacker: str, target: str, things: Obstacles) -> Obstacles:
    """Those that a way may come to at all."""
    own = regiment(table, attacker)
    parts = table.area(garrisoned_building(table, target) or target).parts
    reach = max(math.dist(own.centre, part.centre) + part.reach_mm for part in parts)
    near = RoundedShape((own.centre,), reach + 2 * (own.width_mm + own.depth_mm))
    kept = {id_: [shape for shape in shapes if gap(near, shape).mm < 0] for id_, shapes in things.items()}
    return {id_: shapes for id_, shapes in kept.items() if shapes}
