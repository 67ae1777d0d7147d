"""Climb: whether a base may get up on a terraced obstruction and stand there."""

import math

from models.queries import Climb
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.movement.cross_obstacle import crossing_span
from referee.editions.warmachine.movement.movement_costs import passability_of_advance
from referee.editions.warmachine.movement.path import speed_mm
from referee.editions.warmachine.movement.table_edge import far_side_mm
from referee.editions.warmachine.prime.parameters import because
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.containment import depth_of_base
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.travel_budget import cost_mm, length_mm, place_after, place_shape, slow_stretches, straight_path
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

OVERHANG_MM = inches(1)  # Source: Terraced Obstructions, p. 81
_CLIMB = because("Terraced Obstructions", 81, "It may be climbed if the base overhangs it by no more than 1 in.")
_SPEED = because("Full Advance", 30, "A full advance goes up to the current speed.")


def climb(table: ExactTable, query: Climb) -> RuleResult:
    """Climb: whether it may get up on a terraced obstruction and stand there. Source: Terraced Obstructions, p. 81."""
    feature = find_feature(table, query.feature)
    if feature is None or not (feature.kind in ("terraced-obstruction", "platform", "hill") or feature.stand_on):
        return RuleResult(status="refused", because=(_CLIMB,), advice=f"{query.feature} is nothing one can climb.")
    spot = _find_spot(table, query)
    base, area = table.base(query.mover), table.area(query.feature)
    overhang = max(0.0, -depth_of_base(place_shape(base, spot), (area,)))
    room = RuleResult(
        margin_mm=OVERHANG_MM - overhang, because=(_CLIMB,), depends_on_place=(query.mover, query.feature)
    )
    near = area_gap(Area((base,)), area)
    result = all_of((("room", room), ("travel", _check_travel(table, query, spot))))
    return RuleResult(
        status=result.status,
        needs=result.needs,
        margin_mm=result.margin_mm,
        value={
            **result.value,
            "poses": {query.mover: {"at_mm": list(spot)}},
            "contact_mm": max(0.0, near.mm),
            "overhang_mm": overhang,
        },
        lengths_mm={"overhang": overhang},
        witness=(Witness(type="circle", role="hit", centre_mm=spot, radius_mm=base.reach_mm, of=(query.mover,)),),
        because=result.because,
        depends_on_place=result.depends_on_place,
    )


def _find_spot(table: ExactTable, query: Climb) -> Point:
    """Where it would stand: told, straight on, else where it overhangs least."""
    if query.to is not None:
        return query.to.at_mm
    if query.heading_deg is not None:
        goal = straight_path(
            table.centre(query.mover), math.radians(query.heading_deg), far_side_mm(table, query.distance_in)
        )
        span = crossing_span(table, query.mover, goal, query.feature)
        if query.distance_in is None and span is not None:
            return place_after(goal, (span[0] + span[1]) / 2)
        return goal[1]
    return _find_roomiest(table.area(query.feature), table.base(query.mover))


def _find_roomiest(area: Area, base: RoundedShape) -> Point:
    """Of the places where the base overhangs least, the one nearest to where it stands."""
    import shapely
    import shapely.ops

    if not area.outline:
        return area.parts[0].centre
    ground = shapely.Polygon(area.outline)
    widest = shapely.maximum_inscribed_circle(ground, tolerance=0.001).length
    best = ground.buffer(-min(base.reach_mm, widest - 0.002), join_style="mitre")
    here = shapely.Point(base.centre)
    spot = here if best.is_empty else shapely.ops.nearest_points(best, here)[0]
    return (float(spot.x), float(spot.y))


def _check_travel(table: ExactTable, query: Climb, spot: Point) -> RuleResult:
    """Whether its movement takes it there; nothing said of its speed leaves that open. Source: Full Advance, p. 30."""
    allowance = speed_mm(table, query.mover) if query.distance_in is None else inches(query.distance_in)
    if allowance is None:
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.mover,))
    path = (table.centre(query.mover), spot)
    slow = slow_stretches(table.base(query.mover), path, passability_of_advance(table, query.mover).slow)
    margin = allowance - cost_mm(length_mm(path), slow)
    return RuleResult(margin_mm=margin if margin < 0 else CAPPED_MM, because=(_SPEED,), depends_on_place=(query.mover,))
