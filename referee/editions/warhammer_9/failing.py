"""Failing: where a charge ends that does not get there."""

import math
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import Charge
from models.units import inches
from referee.editions.warhammer_9 import legs, parameters
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.odds import Odds
from referee.editions.warhammer_9.regiments import regiment
from referee.editions.warhammer_9.spacing import others
from referee.motion import stretch_within
from referee.situation import Situation


@dataclass(frozen=True)
class Stopped:
    """A failed charge: where it ends, how far it went, and what stopped it."""

    there: Footing
    moves_mm: float
    stopped_by: str | None

    def value(self, table: Situation, attacker: str) -> dict[str, JsonValue]:
        own = regiment(table, attacker)
        return {
            "fails": True,
            "moves_mm": self.moves_mm,
            "stopped_by": self.stopped_by,
            "poses": legs.poses_of(table, own, self.there),
            "paths": {attacker: legs.told_for("charge", legs.turned_and_run(Footing.of(own), self.there))},
        }


def stopped_short(table: Situation, query: Charge, odds: Odds) -> Stopped:
    """Where a failed charge leaves the unit: by the highest die straight toward the target, an inch short of anything.

    It turns to the line between the closest points. Source: Failed Charge, p. 19.
    """
    own = Footing.of(regiment(table, query.attacker))
    (ax, ay), (bx, by) = odds.between.gap.at_a, odds.between.gap.at_b
    start = own.turned(math.remainder(math.atan2(by - ay, bx - ax) - own.facing_rad, math.tau), own.centre)
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    far, stopped_by = inches(max(query.dice.charge or (0,))), None
    for id_, shape in others(table, query.attacker):
        span = stretch_within(start.shape, way, shape, parameters.SPACING_MM)
        if span is not None and span[1] > 0 and span[0] < far:
            far, stopped_by = max(0.0, span[0]), id_
    return Stopped(start.moved(far), far, stopped_by)
