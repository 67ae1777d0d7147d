"""Failed charge: where a charge ends that does not get there, or that an uncharged enemy interrupts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Charge
from models.unit_conversion import inches
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.charge_odds import ChargeOdds
from referee.editions.warhammer_9.charges.obstacles import charge_obstacles
from referee.editions.warhammer_9.charges.path_search import Arrival, ChargePath
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.spacing import spaced_obstacles
from referee.editions.warhammer_9.units.regiment import regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.block_pose import BlockPose
from referee.motion.rotational_sweep import contact_when_turning
from referee.motion.shortest_path import bounding_corners, shortest_path_round
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.switches import EXACT_MM

_DUST_MM = 1e-6


@dataclass(frozen=True)
class FailedCharge:
    """Failed charge: where it ends, its path, how far it went, and what stopped it."""

    end: BlockPose
    legs: path_legs.Legs
    moves_mm: float
    stopped_by: str | None

    def value(self, table: ExactTable, attacker: str) -> dict[str, JsonValue]:
        own = regiment(table, attacker)
        return {
            "fails": True,
            "moves_mm": self.moves_mm,
            "stopped_by": self.stopped_by,
            "poses": path_legs.unit_poses(table, own, self.end),
            "paths": {attacker: path_legs.label_legs("charge", self.legs)},
        }

    @property
    def end_key(self) -> tuple[float, ...]:
        """Where it ends, to tell one way from another."""
        return tuple(round(value, 6) for value in (*self.end.front, math.remainder(self.end.facing_rad, math.tau)))


def resolve_failed_charge(table: ExactTable, query: Charge, odds: ChargeOdds) -> FailedCharge:
    """Failed charge: by the highest die straight toward the target, an inch short of anything.

    It turns to the line between the closest points; where the table has agreed so, round what is in the way.
    Source: Failed Charge, p. 19.
    """
    at, to = odds.between.gap.at_a, odds.between.gap.at_b
    around = table.reading("failed-charge-way") == "free-path"
    return _move_along_line(table, query, (_detour_line(table, query, odds) if around else None) or (at, to))


def has_detour(table: ExactTable, query: Charge, odds: ChargeOdds) -> bool:
    """Whether something lies across the straight path of a failed charge."""
    points = _detour_line(table, query, odds)
    return points is None or len(points) > 2


def _move_along_line(table: ExactTable, query: Charge, line: tuple[Point, ...]) -> FailedCharge:
    """Along the pieces of a line, turning about its centre to each of them, as far as the highest die says."""
    stand = BlockPose.of(regiment(table, query.attacker))
    things = spaced_obstacles(table, query.attacker)
    left, gone, legs = inches(max(query.dice.charge or (0,))), 0.0, path_legs.Legs()
    for (ax, ay), (bx, by) in pairwise(line):
        facing = math.atan2(by - ay, bx - ax)
        start = stand.rotate(math.remainder(facing - stand.facing_rad, math.tau), stand.centre)
        far, stopped_by = left, None
        for id_, shape in things:
            span = stretch_within(
                start.shape, (math.cos(facing), math.sin(facing)), shape, parameters.SPACING_MM - _DUST_MM
            )
            if span is not None and span[1] > 0 and span[0] < far:
                far, stopped_by = max(0.0, span[0]), id_
        is_last = (bx, by) == line[-1]
        piece = math.dist((ax, ay), (bx, by))
        end = start.translate(far if is_last else min(far, piece))
        legs += path_legs.turn_and_run_legs(stand, end)
        moved = math.dist(start.front, end.front)
        stand, left, gone = end, left - moved, gone + moved
        if is_last or far <= piece:
            break
    return FailedCharge(stand, legs, gone, stopped_by)


def _detour_line(table: ExactTable, query: Charge, odds: ChargeOdds) -> tuple[Point, ...] | None:
    """The shortest way of its centre to the target, half its width and an inch clear of what is in the way.

    What it is nearer to from the start does not turn it aside; it stops short of that as ever.
    """
    own = BlockPose.of(regiment(table, query.attacker))
    (ax, ay), (bx, by), (x, y) = odds.between.gap.at_a, odds.between.gap.at_b, own.centre
    aside = own.width_mm / 2 + parameters.SPACING_MM
    things = charge_obstacles(table, query.attacker, query.target)
    wide = [RoundedShape(bounding_corners(shape.grow(aside))) for shapes in things.values() for shape in shapes]
    ends = [RoundedShape(((x, y),)), RoundedShape(((x + bx - ax, y + by - ay),))]
    detour = shortest_path_round(
        ends[:1], ends[1:], [outline for outline in wide if all(gap(p, outline).mm > 0 for p in ends)]
    )
    return None if detour is None else detour.points


def charged_too(table: ExactTable, query: Charge) -> tuple[str, ...]:
    """The other targets that this unit has charged too, by what is declared and done in this turn."""
    turn = table.state.turn
    if turn is None:
        return ()
    deeds = [deed for deed in (*turn.log, turn.declared) if deed is not None and deed.what == "charge"]
    others = [deed.target for deed in deeds if deed.by == query.attacker and deed.target not in (None, query.target)]
    return tuple(dict.fromkeys(other for other in others if other is not None))


def interrupt(table: ExactTable, target: str, best: Arrival) -> tuple[ChargePath, str]:
    """The path up to the first touch of an enemy that must be charged too, and whom it touches there.

    Where its target closes up to it and would touch them as it turns, it stops at its target.
    Source: Charging More than One Unit, p. 19; Move Chargers, p. 19.
    """
    assert best.path is not None
    things = charge_obstacles(table, best.own_id, target)
    cut = [(_cut_path(best.path, things.get(id_, ())), id_) for id_ in best.must_also_charge]
    stops = [(path, id_) for path, id_ in cut if path is not None]
    at_target = (replace(best.path, closing_rad=0.0), best.must_also_charge[0])
    return min(
        stops, key=lambda p: (p[0].ahead_mm, abs(p[0].turn_rad), p[0].then_mm, abs(p[0].closing_rad)), default=at_target
    )


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
    heading = (math.cos(pose.facing_rad), math.sin(pose.facing_rad))
    spans = (stretch_within(pose.shape, heading, body) for body in bodies)
    return min((max(0.0, span[0]) for span in spans if span is not None and span[1] > 0), default=math.inf)
