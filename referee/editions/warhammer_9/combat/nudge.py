"""Nudge: the smallest shift that restores contact."""

import math

from pydantic import JsonValue

from models.queries import Nudge
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.regiment import regiment
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult

_NUDGE = because("Combat", 49, "The weaker unit is shifted sideways, without a turn, until they touch again.")


def nudge(table: ExactTable, query: Nudge) -> RuleResult:
    """Nudge: the smallest shift that restores contact. Source: Combat, p. 49."""
    weaker = min((query.mover, query.target), key=lambda one: total_strength(table, one))
    other = query.target if weaker == query.mover else query.mover
    between = closest_bases(table, weaker, other)
    own = BlockPose.of(regiment(table, weaker))
    (ax, ay), (bx, by) = between.gap.at_a, between.gap.at_b
    shift = (bx - ax, by - ay) if between.mm > 0 else (0.0, 0.0)
    there: Point = (own.front[0] + shift[0], own.front[1] + shift[1])
    pose: dict[str, JsonValue] = {"front_mm": [*there], "facing_deg": math.degrees(own.facing_rad) % 360.0}
    far = math.hypot(*shift)
    return RuleResult(
        status="measured",
        value={"shift_mm": far, "by_mm": [*shift], "poses": {weaker: pose}, "moved": weaker},
        lengths_mm={"shift": far},
        witness=(Witness(type="segment", role="path", points_mm=(between.gap.at_a, between.gap.at_b)),),
        because=(with_effect(table, _NUDGE, f"{name_of(table, weaker)} is shifted by {format_length(far)}."),),
        depends_on_place=between.depends_on,
    )
