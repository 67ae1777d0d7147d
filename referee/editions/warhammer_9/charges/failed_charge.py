"""Failed charge: where a charge ends that does not get there."""

import math
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Charge
from models.unit_conversion import inches
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.charge_odds import ChargeOdds
from referee.editions.warhammer_9.charges.obstacles import charge_obstacles
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.block_pose import BlockPose
from referee.editions.warhammer_9.movement.spacing import spaced_obstacles
from referee.editions.warhammer_9.units.regiment import regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.shortest_path import bounding_corners, shortest_path_round
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable

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
        return tuple(round(one, 6) for one in (*self.end.front, math.remainder(self.end.facing_rad, math.tau)))


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
    found = _detour_line(table, query, odds)
    return found is None or len(found) > 2


def _move_along_line(table: ExactTable, query: Charge, line: tuple[Point, ...]) -> FailedCharge:
    """Along the pieces of a line, turning about its centre to each of them, as far as the highest die says."""
    stand = BlockPose.of(regiment(table, query.attacker))
    things = spaced_obstacles(table, query.attacker)
    left, gone, way = inches(max(query.dice.charge or (0,))), 0.0, path_legs.Legs()
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
        there = start.translate(far if is_last else min(far, piece))
        way += path_legs.turn_and_run_legs(stand, there)
        moved = math.dist(start.front, there.front)
        stand, left, gone = there, left - moved, gone + moved
        if is_last or far <= piece:
            break
    return FailedCharge(stand, way, gone, stopped_by)


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
    found = shortest_path_round(ends[:1], ends[1:], [one for one in wide if all(gap(p, one).mm > 0 for p in ends)])
    return None if found is None else found.points
