"""Movement: climbing on top of an obstacle, and how one flees who has failed a command check."""

import math

from models.queries import Climb, Flee
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.melee.in_melee import enemies
from referee.editions.warmachine.mk1_and_mk2.movement import (
    CAPPED,
    CLIMB,
    ON_TOP,
    check_allowance,
    contact_mm,
    run_mm,
    slack_mm,
)
from referee.editions.warmachine.mk1_and_mk2.parameters import CLIMB_MM, CLIMBED_MM, because
from referee.editions.warmachine.mk1_and_mk2.terrain import is_climbed
from referee.editions.warmachine.movement.path import passability_of_advance, path_of, speed_mm
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.circle_intersection import bearing
from referee.geometry.containment import depth_of_base
from referee.motion.travel_budget import cost_mm, place_after, place_shape, slow_stretches, straight_path
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for

_RUNS = because("Fleeing", "A fleeing model runs, as far as it likes, and not toward any enemy.")


def climb(table: ExactTable, query: Climb) -> RuleResult:
    """Climb: whether it gets on top: with 2 in of movement left at contact, exactly 2 in being enough.

    Source: Moving over Obstacles.
    """
    feature = find_feature(table, query.feature)
    if feature is None or not is_climbed(table, feature):
        return RuleResult(status="refused", because=(CLIMB,), advice=f"{query.feature} is nothing one climbs.")
    allowance = speed_mm(table, query.mover) if query.distance_in is None else inches(query.distance_in)
    if allowance is None:
        return ask_for(f"profile.spd_in of {query.mover}", because=(CLIMB,), on=(query.mover,))
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
        depends_on_place=tuple(dict.fromkeys((query.mover, query.feature, *(stretch.id for stretch in slow)))),
        depends_on_facing=turning,
    )


def _heading_of(table: ExactTable, query: Climb) -> float:
    if query.heading_deg is not None:
        return math.radians(query.heading_deg)
    if query.to is not None:
        return bearing(table.centre(query.mover), query.to.at_mm)
    return table.facing_rad(query.mover)


def flee(table: ExactTable, query: Flee) -> RuleResult:
    """Flight: whether a fleeing model's way keeps the rules: no step nearer to any enemy, no farther than a run.

    Source: Fleeing. Standing still is allowed.
    """
    allowance = run_mm(table, query.mover)
    path = path_of(table, query.mover, query.path_mm)
    foes = enemies(table, query.mover) if query.threats is None else query.threats
    if path is None:
        value: Value = {"allowance_mm": allowance, "result": "flees", "threats": [*foes]}
        return RuleResult(status="measured", value=value, because=(_RUNS, CAPPED), depends_on_place=(query.mover,))
    slack, first = slack_mm(table, path, foes)
    away = RuleResult(
        margin_mm=slack, because=(_RUNS,), readings=("flee-toward",), depends_on_place=(query.mover, *foes)
    )
    clauses: Clauses = (("away", away), ("allowance", check_allowance(table, query.mover, path, allowance)))
    result = all_of(clauses)
    flight: Value = {
        "first_break_mm": first, "allowance_mm": allowance, "result": "flees",
        "poses": {query.mover: {"at_mm": list(path[-1])}},
    }  # fmt: skip
    return RuleResult(
        status=result.status,
        margin_mm=result.margin_mm,
        needs=result.needs,
        value=result.value | flight,
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_RUNS, CAPPED),
        readings=("flee-toward",),
        doubtful=("flee-toward",) if slack < 0 else (),
        depends_on_place=result.depends_on_place,
        conditions=result.conditions,
    )
