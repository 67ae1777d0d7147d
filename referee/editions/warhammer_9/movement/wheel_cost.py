"""Wheel cost: along which way a wheel is measured, and how far it may carry anybody."""

import math
from collections.abc import Iterable

from models.turn import Step
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.movement.movement_dice import MARCH_FACTOR, speed_mm
from referee.editions.warhammer_9.units.regiment import regiment
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable


def is_wheel(step: Step) -> bool:
    """Whether the step is a wheel of some angle."""
    return step.do in ("wheel-left", "wheel-right") and bool(step.by_deg)


def wheel_cost_mm(table: ExactTable, arm_mm: float, turn_rad: float) -> float:
    """Cost of a wheel: along the arc, or along its chord by the table's reading."""
    return 2 * arm_mm * math.sin(turn_rad / 2) if table.reading("wheel-measure") == "chord" else arm_mm * turn_rad


def wheel_arm_mm(table: ExactTable, mover: str, own: BlockPose) -> float:
    """Radius at which a wheel is measured, from the corner it turns about."""
    outer = table.reading("wheel-measure") == "outer-centre"
    return own.width_mm - (regiment(table, mover).base_mm[0] / 2 if outer else 0.0)


def rear_arc_mm(own: BlockPose, turn_rad: float) -> float:
    """How far the outer rear corner goes in a wheel, along its arc."""
    return math.hypot(own.width_mm, own.depth_mm) * turn_rad


def twice_the_move_margin_mm(
    table: ExactTable, mover: str, own: BlockPose, steps: Iterable[Step], speed: float | None
) -> float:
    """What the widest of the wheels leaves of twice that Movement, for every model or the front rank alone.

    Source: Manoeuvres, p. 15.
    """
    arm = wheel_arm_mm(table, mover, own)
    turns = [math.radians(step.by_deg or 0.0) for step in steps if is_wheel(step)]
    if speed is None or not turns:
        return CAPPED_MM
    front_only = table.reading("wheel-double-move") == "front-rank"
    far = wheel_cost_mm(table, arm, max(turns)) if front_only else rear_arc_mm(own, max(turns))
    return min(CAPPED_MM, MARCH_FACTOR * speed - far)


def most_turn_rad(table: ExactTable, mover: str, own: BlockPose, allowance_mm: float) -> float:
    """The widest wheel that the allowance pays for and twice the Movement lets everybody follow."""
    arm, speed = wheel_arm_mm(table, mover, own), speed_mm(table, mover)
    most = _turn_that_costs_rad(table, arm, allowance_mm)
    if speed is None:
        return most
    twice = MARCH_FACTOR * speed
    front_only = table.reading("wheel-double-move") == "front-rank"
    return min(most, _turn_that_costs_rad(table, arm, twice) if front_only else twice / rear_arc_mm(own, 1.0))


def _turn_that_costs_rad(table: ExactTable, arm_mm: float, cost_mm: float) -> float:
    """The wheel that costs so much, a full turn at most."""
    if arm_mm <= 0:
        return math.tau
    if table.reading("wheel-measure") == "chord":
        return 2 * math.asin(min(1.0, cost_mm / (2 * arm_mm)))
    return min(math.tau, cost_mm / arm_mm)
