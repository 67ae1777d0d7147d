"""Limits of a flight: no farther than a run, and no step nearer to an enemy."""

import math
from itertools import pairwise

from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.mk1_and_mk2.terrain.deep_water import is_deep
from referee.editions.warmachine.movement.movement_costs import passability_of_advance
from referee.editions.warmachine.movement.path import speed_mm
from referee.motion.travel_budget import cost_mm, length_mm, slow_stretches
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

CAPPED = because("Fleeing", "It runs up to twice its speed.")


def run_mm(table: ExactTable, mover: str) -> float | None:
    """A run, or a full advance where it cannot run. Source: Fleeing; Deep Water."""
    speed = speed_mm(table, mover)
    return None if speed is None else speed if is_deep(table, mover) else 2 * speed


def check_allowance(table: ExactTable, mover: str, path: tuple[Point, ...], allowance: float | None) -> RuleResult:
    if allowance is None:
        return RuleResult(
            status="unknown", needs=(f"profile.spd_in of {mover}",), because=(CAPPED,), depends_on_place=(mover,)
        )
    ground = slow_stretches(table.base(mover), path, passability_of_advance(table, mover).slow)
    return RuleResult(
        margin_mm=allowance - cost_mm(length_mm(path), ground), because=(CAPPED,), depends_on_place=(mover,)
    )


def slack_mm(table: ExactTable, path: tuple[Point, ...], foes: tuple[str, ...]) -> tuple[float, float | None]:
    """How much farther off each leg began than where it would come nearer to an enemy, and where it first does."""
    if table.reading("flee-toward") == "whole-path":
        gained = [math.dist(path[-1], table.centre(f)) - math.dist(path[0], table.centre(f)) for f in foes]
        return min(gained, default=CAPPED_MM), None
    slack, first, before = CAPPED_MM, None, 0.0
    for a, b in pairwise(path):
        leg = math.dist(a, b)
        for foe in foes if leg > 0 else ():
            x, y = table.centre(foe)
            nearest = ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / leg
            slack = min(slack, -nearest)
            first = before if nearest > 1e-9 and first is None else first
        before += leg
    return slack, first
