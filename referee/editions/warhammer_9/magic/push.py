"""Push: where a spell that moves a unit leaves it."""

import math

from models.queries import Push
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.scene import is_beside_path
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.movement.spacing import ids_near, spaced_obstacles
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import regiment
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_PUSH = because("Wind Blast", 117, "It is moved straight away without a turn, and stops an inch before others.")


def push(table: ExactTable, query: Push) -> RuleResult:
    """Push: where it leaves a unit. Source: Wind Blast, p. 117."""
    if query.distance_in is None:
        return RuleResult(status="unknown", needs=("distance_in",), because=(_PUSH,))
    own, start = BlockPose.of(regiment(table, query.target)), regiment(table, query.attacker).centre
    away = math.atan2(own.centre[1] - start[1], own.centre[0] - start[0])
    way = (math.cos(away), math.sin(away))
    own_front = tuple(dict.fromkeys(regiment(table, query.target).rank(0)[k] for k in (0, -1)))
    by_mm, stopped_by = inches(query.distance_in), None
    run = RoundedShape(convex_hull([*own.corners, *((x + by_mm * way[0], y + by_mm * way[1]) for x, y in own.corners)]))
    for id_, shape in spaced_obstacles(table, query.target):
        if is_beside_path(run, shape):
            continue
        span = stretch_within(own.shape, way, shape, parameters.SPACING_MM)
        if span is None or span[1] <= 0:
            continue
        if is_more_than(by_mm, span[0], "is stopped by", (*own_front, *ids_near(table, id_))):
            by_mm, stopped_by = max(0.0, span[0]), id_
    turn = away - own.facing_rad
    there = own.translate(by_mm * math.cos(turn), by_mm * math.sin(turn))
    return RuleResult(
        status="measured",
        value={
            "travelled_mm": by_mm,
            "stopped_by": stopped_by,
            "hits_both": stopped_by is not None,
            "poses": path_legs.unit_poses(table, regiment(table, query.target), there),
            "paths": {query.target: path_legs.straight_leg(own, there)},
            "follow_mm": 0.0,
            "fall": None,
        },
        lengths_mm={"travelled": by_mm},
        witness=(Witness(type="polygon", role="path", points_mm=convex_hull([*own.corners, *there.corners])),),
        because=(with_effect(table, _PUSH, _explain(table, query, by_mm, stopped_by)),),
        depends_on_place=own_front,
    )


def _explain(table: ExactTable, query: Push, went_mm: float, stopped_by: str | None) -> str:
    """How far it goes, and what keeps it from going farther."""
    told = f"{name_of(table, query.target)} goes {format_length(went_mm)}"
    if stopped_by is None:
        return f"{told}."
    return f"{told} of {format_length(inches(query.distance_in or 0.0))}: {name_of(table, stopped_by)} stops it."
