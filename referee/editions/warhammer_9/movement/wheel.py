"""Wheel: what a wheel costs, and how far one may go."""

import math
from dataclasses import replace

from models.queries import Move, Wheel
from models.turn import Step
from referee.editions.warhammer_9.movement.move import evaluate_steps, result_without_movement, step_allowance_mm
from referee.editions.warhammer_9.movement.wheel_cost import most_turn_rad, rear_arc_mm, wheel_arm_mm, wheel_cost_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import regiment
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult

_WHEEL = because("Wheel", 15, "A wheel costs the way of the outer front corner; nobody goes over twice its move.")


def wheel(table: ExactTable, query: Wheel) -> RuleResult:
    """Wheel: what it costs, judged as a move of that one step is. Source: Wheel, p. 15."""
    own = BlockPose.of(regiment(table, query.mover))
    free = step_allowance_mm(table, _as_move(query, 0.0), "advance")
    if free is None:
        return result_without_movement(table, _as_move(query, 0.0), "advance")
    turn = most_turn_rad(table, query.mover, own, free) if query.by_deg is None else math.radians(query.by_deg)
    allowance = step_allowance_mm(table, _as_move(query, turn), "advance") or 0.0
    most = most_turn_rad(table, query.mover, own, allowance)
    asked = _as_move(query, turn if query.by_deg is not None else most)
    turn = math.radians(asked.steps[0].by_deg or 0.0) if asked.steps else 0.0
    result = evaluate_steps(table, asked, "advance", asked.steps or (), allowance, own)
    cost = wheel_cost_mm(table, wheel_arm_mm(table, query.mover, own), turn)
    shared = {key: result.value[key] for key in ("poses", "paths", "violation")}
    return replace(
        result,
        value={
            "cost_mm": cost,
            "most_deg": math.degrees(most),
            "rear_mm": rear_arc_mm(own, turn),
            "left_mm": max(0.0, allowance - cost),
            **shared,
        },
        lengths_mm={"cost": cost},
        because=(
            with_effect(table, _WHEEL, f"The outer corner goes {format_length(cost)} of {format_length(allowance)}."),
        ),
    )


def _as_move(query: Wheel, turn_rad: float) -> Move:
    """The move that is this wheel and nothing else."""
    step = Step(do="wheel-left" if query.way == "left" else "wheel-right", by_deg=math.degrees(turn_rad))
    return Move(mover=query.mover, steps=(step,), allowance_in=query.allowance_in)
