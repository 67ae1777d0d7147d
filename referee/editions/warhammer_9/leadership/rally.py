"""Rally: whether a fleeing unit may rally, on which roll, and how it may stand then."""

import math
from fractions import Fraction

from pydantic import JsonValue

from models.queries import Rally
from models.unit import Unit
from models.unit_conversion import radians
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.leadership.inspiring_presence import command_doubts, leadership_of, led_chance
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.movement_dice import speed_mm
from referee.editions.warhammer_9.movement.place_assignment import assign_places, block_about_centre, grid_places
from referee.editions.warhammer_9.movement.spacing import block_clearance_mm
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.ranked_formation import legal_grids
from referee.editions.warhammer_9.units.regiment import (
    is_skirmishing,
    leading_miniature,
    member_gap_mm,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import command_group_order, has_office, this_turn_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM

_RALLY = because("Rally Fleeing Units", 21, "A Leadership test, halved at a quarter of them; then it may reform once.")
_LEAST_SHARE = Fraction(1, 4)


def rally(table: ExactTable, query: Rally) -> RuleResult:
    """Rally: whether a unit may rally, and how it may stand then.

    Source: Rally Fleeing Units, p. 21; Musicians, p. 79.
    """
    own, first = regiment(table, query.who), leading_miniature(table, query.who)
    if "fleeing" not in first.status:
        return RuleResult(margin_mm=-CAPPED_MM, value={"chance": None, "why": "not fleeing"}, because=(_RALLY,))
    if "flee" in this_turn_of(table, query.who).moved:
        return RuleResult(margin_mm=-CAPPED_MM, value={"chance": None, "why": "fled this turn"}, because=(_RALLY,))
    speed = speed_mm(table, query.who)
    led = leadership_of(table, query.who)
    if led is None or speed is None:
        field = "ld" if led is None else "spd_in"
        return RuleResult(status="unknown", needs=(f"profile.{field} of {query.who}",), because=(_RALLY,))
    ld = _rally_leadership(table, query.who, led.ld)
    facing = own.facing_rad if query.facing_deg is None else radians(query.facing_deg)
    files = query.files or own.files
    block = block_about_centre(own, files, facing, member_gap_mm(table, query.who))
    places = grid_places(own, block, files, member_gap_mm(table, query.who))
    longest, _, placed = assign_places(
        own.places, places, own.members, sorted(command_group_order(table, own))[:files], files
    )
    manner = "skirmish" if is_skirmishing(table, query.who) else "ranked"
    value: dict[str, JsonValue] = {
        "facing_deg": math.degrees(facing) % 360.0,
        "chance": led_chance(led._replace(ld=ld)),
        "needs": ld,
        "longest_mm": longest,
        "grids": [list(grid) for grid in legal_grids(table, query.who, manner)],
        "poses": path_legs.block_poses(own, block, placed),
        "paths": {query.who: path_legs.reform_leg(longest)},
    }
    moves = math.dist(block.centre, own.centre) + abs(facing - own.facing_rad) + abs(files - own.files) > EXACT_MM
    clear = block_clearance_mm(table, query.who, block) if moves else CAPPED_MM
    return RuleResult(
        margin_mm=min(2 * speed - longest, clear),
        value=value,
        because=(with_effect(table, _RALLY, f"{ld:g} or less on two dice."),),
        readings=("reform-partner", "unit-in-range", "garrison-edge"),
        outcome_house_rules=command_doubts(table, query.who),
        depends_on_place=own.members,
    )


def _rally_leadership(table: ExactTable, id_: str, ld: float) -> float:
    """One more with a musician; then halved, rounded up, at a quarter of the miniatures or fewer. Source: p. 21, 79."""
    thing = table.state.by_id[id_]
    began = thing.started.battle.models if isinstance(thing, Unit) and thing.started and thing.started.battle else None
    ld = min(10.0, ld + has_office(table, id_, "musician"))
    few = began is not None and Fraction(len(members_of(table, id_)), began) <= _LEAST_SHARE
    return float(math.ceil(ld / 2)) if few else ld
