"""Reform: about the same centre into other ranks and another facing."""

import math

from pydantic import JsonValue

from models.queries import Reform
from models.unit import Unit
from models.unit_conversion import radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.leadership.leadership_test import manoeuvre_chance
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.allowance import speed_mm
from referee.editions.warhammer_9.movement.block_pose import BlockPose, rotate_about
from referee.editions.warhammer_9.movement.place_assignment import (
    Assignment,
    assign_places,
    block_about_centre,
    grid_places,
)
from referee.editions.warhammer_9.movement.spacing import spaced_obstacles
from referee.editions.warhammer_9.parameters import SPACING_MM, because
from referee.editions.warhammer_9.units.casualties import command_group_order
from referee.editions.warhammer_9.units.engagement import contact_mm, engaged_with, fought_side
from referee.editions.warhammer_9.units.may_move import why_may_not
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.ranked_formation import legal_grids, width_doubts
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    is_skirmishing,
    leading_miniature,
    member_gap_mm,
    regiment,
)
from referee.editions.warhammer_9.units.this_turn import has_charged, this_turn_of
from referee.geometry.distance import gap
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult

_REFORM = because("Reform", 16, "About the same centre; nobody goes farther than twice its move.")
_SWIFT = because("Swift Reform", 80, "With a musician and a Leadership test it turns as one piece and still moves.")
_LIMIT = 2.0
_DUST_MM = 1e-6


def reform(table: ExactTable, query: Reform) -> RuleResult:
    """Reform: whether a unit may take those files and that facing.

    Source: Reform, p. 16; Swift Reform, p. 79-80; p. 50, 58, 65.
    """
    own, speed = regiment(table, query.unit), speed_mm(table, query.unit)
    if speed is None:
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.unit}",), because=(_REFORM,))
    files = own.files if query.files is None else query.files
    facing = own.facing_rad if query.facing_deg is None else radians(query.facing_deg)
    there = block_about_centre(own, files, facing, member_gap_mm(table, query.unit))
    places = grid_places(own, there, files, member_gap_mm(table, query.unit))
    moves = _pivot(own, facing) if query.manner == "swift" else _assign_members(table, own, places, files)
    longest, furthest, _ = moves
    clauses = {"twice-the-move": _LIMIT * speed - longest, **_clauses(table, query, there, files)}
    strict = table.reading("one-inch-exact") == "too-near"
    apart = strict and bool(_exact_inch_doubts(clauses))
    failed = [mm for name, mm in clauses.items() if mm < 0 and name != "twice-the-move"] + [0.0] * apart
    partners = () if query.manner == "swift" else ("reform-partner",)
    told: dict[str, JsonValue] = {"longest_mm": longest, "furthest": furthest, "clauses": list_margins(clauses)}
    return RuleResult(
        margin_mm=min([clauses["twice-the-move"], *failed]),
        zero_is_met=not apart,
        value=told | _value(table, query, there, files, moves),
        lengths_mm={"longest": longest},
        witness=(Witness(type="polygon", role="limit", points_mm=there.corners, of=(query.unit,)),),
        because=(with_effect(table, _reform_reason(query), f"Somebody goes {format_length(longest)} at least."),),
        readings=partners,
        doubtful=_exact_inch_doubts(clauses),
        outcome_house_rules=(*partners, *width_doubts(table, query.unit, _manner(table, query))),
        depends_on_place=tuple(dict.fromkeys((furthest, own.rank(0)[0], own.rank(0)[-1]))),
    )


def _exact_inch_doubts(clauses: dict[str, float]) -> tuple[str, ...]:
    """The house rule on which it hangs, where exactly an inch is left to others."""
    return ("one-inch-exact",) if abs(clauses.get("one-inch", CAPPED_MM)) < _DUST_MM else ()


def _pivot(own: Regiment, facing_rad: float) -> Assignment:
    """Where everybody comes to stand when the unit turns about its centre as one piece. Source: Swift Reform, p. 80."""
    turned = [rotate_about(place, own.centre, facing_rad - own.facing_rad) for place in own.places]
    far = {m: math.dist(*pair) for m, *pair in zip(own.members, own.places, turned, strict=True)}
    furthest = max(far, key=lambda id_: far[id_])
    return Assignment(far[furthest], furthest, dict(zip(own.members, turned, strict=True)))


def _assign_members(table: ExactTable, own: Regiment, places: list[Point], files: int) -> Assignment:
    """Who goes where: as kindly as can be, or each to the place of his number."""
    if table.reading("reform-partner") == "best-case":
        return assign_places(own.places, places, own.members, sorted(command_group_order(table, own))[:files], files)
    order = sorted(range(len(own.members)), key=lambda k: own.cells[k])
    far = {own.members[k]: math.dist(own.places[k], place) for k, place in zip(order, places, strict=True)}
    furthest = max(far, key=lambda id_: far[id_])
    return Assignment(far[furthest], furthest, {own.members[k]: place for k, place in zip(order, places, strict=True)})


def _reform_reason(query: Reform) -> Reason:
    return _SWIFT if query.manner == "swift" else _REFORM


def _legal_grids_of(table: ExactTable, query: Reform) -> list[tuple[int, int]]:
    return legal_grids(table, query.unit, _manner(table, query))


def _manner(table: ExactTable, query: Reform) -> str:
    return "skirmish" if is_skirmishing(table, query.unit) else "ranked"


def _clauses(table: ExactTable, query: Reform, there: BlockPose, files: int) -> dict[str, float]:
    """What a reform needs besides moves that are short enough. Source: Reform, p. 16."""
    own = regiment(table, query.unit)
    near = min((gap(there.shape, shape).mm for _, shape in spaced_obstacles(table, query.unit)), default=CAPPED_MM)
    fits = files == own.files if query.manner == "swift" else any(g[0] == files for g in _legal_grids_of(table, query))
    found = {"formation": CAPPED_MM if fits else -CAPPED_MM, "one-inch": near - SPACING_MM}
    engaged = engaged_with(table, query.unit)
    if query.manner == "combat":
        return {"formation": found["formation"], **_combat_clauses(table, query, there, engaged)}
    deeds, first = this_turn_of(table, query.unit), leading_miniature(table, query.unit)
    conditions = {"not-engaged": not engaged, "not-fleeing": "fleeing" not in first.status}
    if query.manner in ("reform", "swift"):
        barred = why_may_not(table, query.unit, "reform")
        conditions |= {"not-marched": "march" not in deeds.moved, "not-moved": not {*barred} - {"march", "fleeing"}}
    if query.manner == "swift":
        unit = table.state.by_id[query.unit]
        roles = {role for m in own.members for role in table.miniature(m).role}
        conditions["musician"] = (isinstance(unit, Unit) and bool(unit.musician)) or "musician" in roles
    if query.manner == "free":
        loose = is_skirmishing(table, query.unit) or first.has("fast-cavalry")
        conditions["free"] = loose and not has_charged(deeds)
    return found | {name: CAPPED_MM if held else -CAPPED_MM for name, held in conditions.items()}


def _combat_clauses(table: ExactTable, query: Reform, there: BlockPose, engaged: list[str]) -> dict[str, float]:
    """What a reform needs in the midst of a fight: nobody leaves contact, or comes to another side of an enemy.

    Source: Combat Reform, p. 49.
    """
    own = regiment(table, query.unit)
    near = [(id_, gap(there.shape, shape).mm) for id_, shape in spaced_obstacles(table, query.unit)]
    apart = min((mm for id_, mm in near if id_ not in engaged), default=CAPPED_MM)
    touched = {id_: min(mm for one, mm in near if one == id_) for id_ in engaged}
    foes = [regiment(table, id_) for id_ in engaged]
    taken = {fought_side(own, foe) for foe in foes}
    who = own.outline_ids
    same = all(quadrant(foe, own.centre, who)[0] == quadrant(foe, there.centre, who)[0] for foe in foes)
    held = all(_is_contact_kept(table, own, foe, there) for foe in foes)
    conditions = {"one-facing": len(taken) <= 1, "same-side": same, "keeps-contact": held}
    clear = min(touched.values(), default=-CAPPED_MM)
    return {
        "one-inch": apart - SPACING_MM,
        "clear": contact_mm(table) + clear if clear < 0 else CAPPED_MM,
        **{name: CAPPED_MM if is_so else -CAPPED_MM for name, is_so in conditions.items()},
    }


def _is_contact_kept(table: ExactTable, own: Regiment, foe: Regiment, there: BlockPose) -> bool:
    """Whether every enemy that was touched still is."""
    close = contact_mm(table)
    were = [m for m in foe.members if any(gap(table.base(m), table.base(o)).mm <= close for o in own.members)]
    return all(gap(table.base(m), there.shape).mm <= close for m in were)


def _value(table: ExactTable, query: Reform, there: BlockPose, files: int, moves: Assignment) -> dict[str, JsonValue]:
    own = regiment(table, query.unit)
    value: dict[str, JsonValue] = {
        "grids": [list(grid) for grid in _legal_grids_of(table, query)],
        "poses": path_legs.block_poses(own, there, moves.places) | {query.unit: there.pose_value() | {"files": files}},
        "paths": {query.unit: path_legs.reform_leg(moves.longest_mm)},
    }
    ld = leading_miniature(table, query.unit).profile.ld
    if query.manner in ("swift", "restrain") and ld is not None:
        value["chance"] = manoeuvre_chance(table, query.unit, ld)
    return value
