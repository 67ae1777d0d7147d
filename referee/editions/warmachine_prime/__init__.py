"""WARMACHINE: Prime rules digest (2016)."""

from models import queries
from referee.edition import Edition
from referee.editions.warmachine_prime import arcs, distances, melee, parameters, sight

EDITION = Edition(
    id="warmachine-prime",
    book=parameters.BOOK,
    too_close=parameters.TOO_CLOSE,
    rules={
        queries.Distance: distances.distance,
        queries.Within: distances.within,
        queries.CompletelyWithin: distances.completely_within,
        queries.B2b: distances.base_to_base,
        queries.Range: distances.in_range,
        queries.InFrontArc: arcs.in_front_arc,
        queries.InBackArc: arcs.in_back_arc,
        queries.Los: sight.line_of_sight,
        queries.MeleeRange: melee.melee_range,
        queries.Engaged: melee.engaged,
    },
)
