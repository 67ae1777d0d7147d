"""Failing: where a charge ends that does not get there."""

import math
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Charge
from models.units import inches
from models.words import Point
from referee.detours import cornered, shortest_way_round
from referee.editions.warhammer_9 import legs, parameters
from referee.editions.warhammer_9.barring import in_the_way
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.odds import Odds
from referee.editions.warhammer_9.regiments import regiment
from referee.editions.warhammer_9.spacing import others
from referee.gaps import gap
from referee.motion import stretch_within
from referee.shapes import Rounded
from referee.situation import Situation

_DUST_MM = 1e-6


@dataclass(frozen=True)
class Stopped:
    """A failed charge: where it ends, its way there, how far it went, and what stopped it."""

    there: Footing
    way: legs.Legs
    moves_mm: float
    stopped_by: str | None

    def value(self, table: Situation, attacker: str) -> dict[str, JsonValue]:
        own = regiment(table, attacker)
        return {
            "fails": True,
            "moves_mm": self.moves_mm,
            "stopped_by": self.stopped_by,
            "poses": legs.poses_of(table, own, self.there),
            "paths": {attacker: legs.told_for("charge", self.way)},
        }

    @property
    def ends(self) -> tuple[float, ...]:
        """Where it ends, to tell one way from another."""
        return tuple(round(one, 6) for one in (*self.there.front, math.remainder(self.there.facing_rad, math.tau)))


def stopped_short(table: Situation, query: Charge, odds: Odds) -> Stopped:
    """Where a failed charge leaves the unit: by the highest die straight toward the target, an inch short of anything.

    It turns to the line between the closest points; where the table has agreed so, round what is in the way.
    Source: Failed Charge, p. 19.
    """
    at, to = odds.between.gap.at_a, odds.between.gap.at_b
    around = table.reading("failed-charge-way") == "free-path"
    return _along(table, query, (_round(table, query, odds) if around else None) or (at, to))


def may_go_round(table: Situation, query: Charge, odds: Odds) -> bool:
    """Whether something lies across the straight way of a failed charge."""
    found = _round(table, query, odds)
    return found is None or len(found) > 2


def _along(table: Situation, query: Charge, line: tuple[Point, ...]) -> Stopped:
    """Along the pieces of a line, turning about its centre to each of them, as far as the highest die says."""
    stand = Footing.of(regiment(table, query.attacker))
    things = others(table, query.attacker)
    left, gone, way = inches(max(query.dice.charge or (0,))), 0.0, legs.Legs()
    for (ax, ay), (bx, by) in pairwise(line):
        facing = math.atan2(by - ay, bx - ax)
        start = stand.turned(math.remainder(facing - stand.facing_rad, math.tau), stand.centre)
        far, stopped_by = left, None
        for id_, shape in things:
            span = stretch_within(
                start.shape, (math.cos(facing), math.sin(facing)), shape, parameters.SPACING_MM - _DUST_MM
            )
            if span is not None and span[1] > 0 and span[0] < far:
                far, stopped_by = max(0.0, span[0]), id_
        is_last = (bx, by) == line[-1]
        piece = math.dist((ax, ay), (bx, by))
        there = start.moved(far if is_last else min(far, piece))
        way += legs.turned_and_run(stand, there)
        moved = math.dist(start.front, there.front)
        stand, left, gone = there, left - moved, gone + moved
        if is_last or far <= piece:
            break
    return Stopped(stand, way, gone, stopped_by)


def _too_near(start: Footing, shape: Rounded) -> tuple[float, float] | None:
    """Between which lengths of a way straight on it would be within an inch of something; an inch is far enough."""
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    if stretch_within(start.shape, way, shape, parameters.SPACING_MM - _DUST_MM) is None:
        return None
    return stretch_within(start.shape, way, shape, parameters.SPACING_MM)


def _round(table: Situation, query: Charge, odds: Odds) -> tuple[Point, ...] | None:
    """The shortest way of its centre to the target, half its width and an inch clear of what is in the way.

    What it is nearer to from the start does not turn it aside; it stops short of that as ever.
    """
    own = Footing.of(regiment(table, query.attacker))
    (ax, ay), (bx, by), (x, y) = odds.between.gap.at_a, odds.between.gap.at_b, own.centre
    aside = own.width_mm / 2 + parameters.SPACING_MM
    things = in_the_way(table, query.attacker, query.target)
    wide = [Rounded(cornered(shape.grown(aside))) for shapes in things.values() for shape in shapes]
    ends = [Rounded(((x, y),)), Rounded(((x + bx - ax, y + by - ay),))]
    found = shortest_way_round(ends[:1], ends[1:], [one for one in wide if all(gap(p, one).mm > 0 for p in ends)])
    return None if found is None else found.points
