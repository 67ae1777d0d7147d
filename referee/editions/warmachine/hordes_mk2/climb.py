"""Climb: what getting on top of an obstacle costs, and where it leaves the base."""

import math

from models.queries import Climb
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.mk1_and_mk2.movement.move import CLIMB, ON_TOP, contact_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import CLIMB_MM, CLIMBED_MM
from referee.editions.warmachine.mk1_and_mk2.terrain.terrain_class import is_climbed
from referee.editions.warmachine.movement.movement_costs import passability_of_advance
from referee.editions.warmachine.movement.path import speed_mm
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.containment import depth_of_base
from referee.motion.travel_budget import cost_mm, place_after, place_shape, slow_stretches, straight_path
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def climb(table: ExactTable, query: Climb) -> RuleResult:
    """Climb: whether it gets on top: with 2 in of movement left at contact, exactly 2 in being enough.

    Source: Moving over Obstacles.
    """
    feature = find_feature(table, query.feature)
    if feature is None or not is_climbed(table, feature):
        return RuleResult(status="refused", because=(CLIMB,), advice=f"{query.feature} is nothing one climbs.")
    allowance = speed_mm(table, query.mover) if query.distance_in is None else inches(query.distance_in)
    if allowance is None:
        need = f"profile.spd_in of {query.mover}"
        return RuleResult(status="unknown", needs=(need,), because=(CLIMB,), depends_on_place=(query.mover,))
    path = straight_path(table.centre(query.mover), _heading_of(table, query), 2 * CAPPED_MM)
    contact = contact_mm(table, query.mover, path, query.feature)
    turning = () if query.heading_deg is not None or query.to is not None else (query.mover,)
    if contact is None:
        return RuleResult(
            margin_mm=-CAPPED_MM,
            because=(CLIMB,),
            depends_on_place=(query.mover, query.feature),
            depends_on_facing=turning,
        )
    slow = slow_stretches(table.base(query.mover), path, passability_of_advance(table, query.mover).slow)
    left = allowance - cost_mm(contact, slow) - CLIMB_MM
    base = table.base(query.mover)
    on_top, top = (place_after(path, contact + CLIMBED_MM + max(0.0, more)) for more in (0.0, left))
    overhang = max(0.0, -depth_of_base(place_shape(base, on_top), (table.area(query.feature),)))
    return RuleResult(
        margin_mm=left,
        value={
            "poses": {query.mover: {"at_mm": list(top)}},
            "contact_mm": contact,
            "overhang_mm": overhang,
            "left_mm": max(0.0, left),
        },
        lengths_mm={"contact": contact},
        witness=(
            Witness(type="segment", role="path", points_mm=(path[0], top), of=(query.mover,)),
            Witness(type="circle", role="hit", centre_mm=top, radius_mm=base.reach_mm, of=(query.mover,)),
        ),
        because=(CLIMB, ON_TOP),
        depends_on_place=tuple(dict.fromkeys((query.mover, query.feature, *(one.id for one in slow)))),
        depends_on_facing=turning,
    )


def _heading_of(table: ExactTable, query: Climb) -> float:
    if query.heading_deg is not None:
        return math.radians(query.heading_deg)
    if query.to is not None:
        (x, y), (tx, ty) = table.centre(query.mover), query.to.at_mm
        return math.atan2(ty - y, tx - x)
    return table.facing_rad(query.mover)
