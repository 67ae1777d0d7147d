"""Interruption: where a charge stops at an enemy that was not charged."""

import math
from collections.abc import Sequence
from dataclasses import replace

from models.queries import Charge
from models.vocabulary import Point
from referee.editions.warhammer_9.charges.arrival import Arrival
from referee.editions.warhammer_9.charges.obstacles import charge_obstacles
from referee.editions.warhammer_9.charges.path_search import ChargePath
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.rotational_sweep import contact_when_turning
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.switches import EXACT_MM


def charged_too(table: ExactTable, query: Charge) -> tuple[str, ...]:
    """The other targets that this unit has charged too, by what is declared and done in this turn."""
    turn = table.state.turn
    if turn is None:
        return ()
    deeds = [one for one in (*turn.log, turn.declared) if one is not None and one.what == "charge"]
    others = [one.target for one in deeds if one.by == query.attacker and one.target not in (None, query.target)]
    return tuple(dict.fromkeys(one for one in others if one is not None))


def interrupt(table: ExactTable, target: str, best: Arrival) -> tuple[ChargePath, str]:
    """The path up to the first touch of an enemy that must be charged too, and whom it touches there.

    Where its target closes up to it and would touch them as it turns, it stops at its target.
    Source: Charging More than One Unit, p. 19; Move Chargers, p. 19.
    """
    assert best.path is not None
    things = charge_obstacles(table, best.own_id, target)
    cut = [(_cut_path(best.path, things.get(one, ())), one) for one in best.must_also_charge]
    found = [(path, one) for path, one in cut if path is not None]
    at_target = (replace(best.path, closing_rad=0.0), best.must_also_charge[0])
    return min(found, key=lambda pair: _progress(pair[0]), default=at_target)


def _progress(path: ChargePath) -> tuple[float, float, float, float]:
    return path.ahead_mm, abs(path.turn_rad), path.then_mm, abs(path.closing_rad)


def _cut_path(path: ChargePath, bodies: Sequence[RoundedShape]) -> ChargePath | None:
    """The path up to the first touch of one of these; None where it touches none."""
    ahead = _first_touch_mm(path.start, bodies)
    if ahead <= path.ahead_mm + EXACT_MM:
        return replace(path, ahead_mm=ahead, turn_rad=0.0, then_mm=0.0, closing_rad=0.0)
    at = path.wheel_start
    turn = _first_turn_rad(at, at.point_at(0.0, math.copysign(at.width_mm / 2, path.turn_rad)), path.turn_rad, bodies)
    if turn is not None:
        return replace(path, turn_rad=turn, then_mm=0.0, closing_rad=0.0)
    then = _first_touch_mm(path.wheel_end, bodies)
    if then <= path.then_mm + EXACT_MM:
        return replace(path, then_mm=then, closing_rad=0.0)
    closing = _first_turn_rad(path.contact_pose, path.pivot, path.closing_rad, bodies)
    return None if closing is None else replace(path, closing_rad=closing)


def _first_turn_rad(pose: BlockPose, pivot: Point, by_rad: float, bodies: Sequence[RoundedShape]) -> float | None:
    """How far it turns about a point until it touches one; None where it does not."""
    met = contact_when_turning(pose.shape, pivot, by_rad, [("", Area(tuple(bodies)))]) if by_rad else None
    return None if met is None else math.copysign(met[1], by_rad)


def _first_touch_mm(pose: BlockPose, bodies: Sequence[RoundedShape]) -> float:
    """How far straight on a body is touched that was not touched yet; infinite where none is."""
    way = (math.cos(pose.facing_rad), math.sin(pose.facing_rad))
    spans = (stretch_within(pose.shape, way, body) for body in bodies)
    return min((max(0.0, span[0]) for span in spans if span is not None and span[1] > 0), default=math.inf)
