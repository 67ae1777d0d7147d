"""Reform: about the same centre into other ranks and another facing; in combat nobody in contact leaves it."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Reform
from models.unit_conversion import radians
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.leadership.inspiring_presence import command_doubts, manoeuvre_chance
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.movement_dice import speed_mm
from referee.editions.warhammer_9.movement.place_assignment import assign_places, block_about_centre, grid_places
from referee.editions.warhammer_9.movement.spacing import edge_clearance, resting_obstacles
from referee.editions.warhammer_9.movement.turn_ledger import ledger_of
from referee.editions.warhammer_9.parameters import SPACING_MM, because
from referee.editions.warhammer_9.units.engagement import SIDES, contact_mm, engaged_with, fought_side
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.ranked_formation import legal_grids, width_doubts
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    is_loose,
    is_skirmishing,
    leading_miniature,
    member_gap_mm,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import command_group_order, has_office
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose, rotate_about
from referee.motion.bottleneck_assignment import Assignment
from referee.rules.conditions import certain_mm, list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_REFORM = because("Reform", 16, "About the same centre; nobody goes farther than twice its move.")
_SWIFT = because("Swift Reform", 80, "With a musician and a Leadership test it turns as one piece and still moves.")
_WORDS = {
    "one-inch": "stays an inch from",
    "about-centre": "stays about its centre",
    "clear": "stays clear of",
    "on-table": "stays on the table",
}
_LIMIT = 2.0
_DUST_MM = 1e-6
COMBAT_REFORM = because(
    "Combat Reform", 49, "As a reform in the midst of a fight; who is in contact stays so, on the same side."
)
_RULES = {"swift": _SWIFT, "combat": COMBAT_REFORM}


"""How what is measured of a reform is told, where a measuring error may turn it."""


def reform(table: ExactTable, query: Reform) -> RuleResult:
    """Reform: whether a unit may take those files and that facing.

    Source: Reform, p. 16; Swift Reform, p. 79-80; Combat Reform, p. 49; p. 50, 58, 65.
    """
    own, speed = regiment(table, query.unit), speed_mm(table, query.unit)
    if speed is None:
        return RuleResult(status="unknown", needs=(f"profile.spd_in of {query.unit}",), because=(_REFORM,))
    files, block = _wanted_formation(own, query)[0], _wanted_block(table, own, query)
    places = grid_places(own, block, files, member_gap_mm(table, query.unit))
    moves = _assignment(table, own, query, block, places)
    longest, furthest, _ = moves
    clauses = {"twice-the-move": _LIMIT * speed - longest, **_clauses(table, query, block, files)}
    strict = table.reading("one-inch-exact") == "too-near"
    apart = strict and bool(_exact_inch_doubts(clauses))
    ids = tuple(dict.fromkeys((furthest, own.rank(0)[0], own.rank(0)[-1])))
    rest = {name: mm for name, mm in clauses.items() if name != "twice-the-move"}
    others = _nearest_obstacle(table, query.unit, block)
    failed = [mm for name, mm in rest.items() if not _is_kept(name, mm, own, others)]
    failed += [0.0] * apart
    partners = () if query.manner == "swift" else ("reform-partner",)
    centre = ("combat-reform-centre",) * (query.manner == "combat")
    led = command_doubts(table, query.unit) if query.manner in ("swift", "restrain") else ()
    value: dict[str, JsonValue] = {"longest_mm": longest, "furthest": furthest, "clauses": list_margins(clauses)}
    return RuleResult(
        margin_mm=min([clauses["twice-the-move"], *failed]),
        zero_is_met=not apart,
        value=value | _value(table, query, block, files, moves),
        lengths_mm={"longest": longest},
        witness=(Witness(type="polygon", role="limit", points_mm=block.corners, of=(query.unit,)),),
        because=(
            with_effect(table, _RULES.get(query.manner, _REFORM), f"Somebody goes {format_length(longest)} at least."),
        ),
        readings=(*partners, *centre, "unit-in-range", "garrison-edge"),
        doubtful=_exact_inch_doubts(clauses),
        outcome_house_rules=(*partners, *centre, *width_doubts(table, query.unit, _manner(table, query)), *led),
        depends_on_place=ids,
    )


def _is_kept(name: str, mm: float, own: Regiment, others: tuple[str, ...]) -> bool:
    """Whether a clause is; in the trace: by how much, of the whole unit and of what its new block comes nearest to."""
    on = (*own.members, *(others if name in ("one-inch", "clear") else ()))
    return is_at_least(mm, 0.0, _WORDS.get(name, f"keeps {name}"), on, turning=(own.id,), is_noted=True)


def _nearest_obstacle(table: ExactTable, unit: str, end_pose: BlockPose) -> tuple[str, ...]:
    """What that block would stand nearest to; nothing where there is nothing else on the table."""
    apart = ((gap(end_pose.shape, shape).mm, thing) for thing, shape in resting_obstacles(table, unit))
    nearest = min(apart, default=None)
    return () if nearest is None else (nearest[1],)


def _wanted_formation(own: Regiment, query: Reform) -> tuple[int, float]:
    """The files and the facing asked for; what is not told stays."""
    wished = query.files if query.to is None else query.to.files
    turned = query.facing_deg if query.to is None else query.to.facing_deg
    return own.files if wished is None else wished, own.facing_rad if turned is None else radians(turned)


def _wanted_block(table: ExactTable, own: Regiment, query: Reform) -> BlockPose:
    """Where it would stand: as it is told, else about its centre, in a fight moved up to the enemy again."""
    block = block_about_centre(own, *_wanted_formation(own, query), member_gap_mm(table, own.id))
    if query.to is not None:
        return block.place_at(query.to)
    return close_up(table, own, block) if query.manner == "combat" else block


def _assignment(
    table: ExactTable, own: Regiment, query: Reform, end_pose: BlockPose, places: list[Point]
) -> Assignment:
    """Who goes where."""
    files, facing = _wanted_formation(own, query)
    if query.manner == "swift":
        return _pivot(own, facing)
    if query.manner == "combat" and table.reading("reform-partner") == "best-case":
        return assign_in_contact(table, own, end_pose, places, files)
    return _assign_members(table, own, places, files)


def _off_centre_clauses(table: ExactTable, own: Regiment, query: Reform, end_pose: BlockPose) -> dict[str, float]:
    """How far from its centre a block may be told to stand. Source: Reform, p. 16."""
    if query.to is None:
        return {}
    return {"about-centre": contact_mm(table) - math.dist(own.centre, end_pose.centre)}


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


def _legal_grids_of(table: ExactTable, query: Reform) -> list[tuple[int, int]]:
    return legal_grids(table, query.unit, _manner(table, query))


def _manner(table: ExactTable, query: Reform) -> str:
    return "skirmish" if is_skirmishing(table, query.unit) else "ranked"


def _clauses(table: ExactTable, query: Reform, end_pose: BlockPose, files: int) -> dict[str, float]:
    """What a reform needs besides moves that are short enough. Source: Reform, p. 16."""
    own = regiment(table, query.unit)
    near = min((gap(end_pose.shape, shape).mm for _, shape in resting_obstacles(table, query.unit)), default=CAPPED_MM)
    fits = files == own.files if query.manner == "swift" else any(g[0] == files for g in _legal_grids_of(table, query))
    clauses = {
        "formation": CAPPED_MM if fits else -CAPPED_MM,
        "one-inch": near - SPACING_MM,
        "on-table": min(CAPPED_MM, edge_clearance(table, [end_pose.shape]).mm),
    }
    engaged = engaged_with(table, query.unit)
    if query.manner == "combat":
        places = grid_places(own, end_pose, files, member_gap_mm(table, query.unit))
        clauses["not-stupid"] = -CAPPED_MM if "stupid" in leading_miniature(table, query.unit).status else CAPPED_MM
        return {**clauses, **combat_clauses(table, own, end_pose, places, engaged)}
    clauses |= _off_centre_clauses(table, own, query, end_pose)
    first, ledger = leading_miniature(table, query.unit), ledger_of(table, query.unit)
    conditions = {"not-engaged": not engaged, "not-fleeing": "fleeing" not in first.status}
    if query.manner == "restrain":  # Source: Frenzy, p. 60
        conditions["restrains"] = not any(table.miniature(m).has("frenzy") for m in own.members)
    if query.manner in ("reform", "swift"):
        barred = {*ledger.why_not("reform")} - {"fleeing", "engaged"}
        conditions |= {"not-marched": "march" not in ledger.deeds, "not-moved": not barred - {"march"}}
    if query.manner == "swift":
        conditions["musician"] = has_office(table, query.unit, "musician")
    if query.manner == "free":
        conditions["free"] = is_loose(table, query.unit) and not {*ledger.why_not("free-reform")} - {"fleeing"}
    return clauses | {name: certain_mm(held) for name, held in conditions.items()}


def _value(
    table: ExactTable, query: Reform, end_pose: BlockPose, files: int, moves: Assignment
) -> dict[str, JsonValue]:
    own = regiment(table, query.unit)
    value: dict[str, JsonValue] = {
        "grids": [list(grid) for grid in _legal_grids_of(table, query)],
        "poses": path_legs.block_poses(own, end_pose, moves.places)
        | {query.unit: end_pose.pose_value() | {"files": files}},
        "paths": {query.unit: path_legs.reform_leg(moves.longest_mm)},
    }
    test = manoeuvre_chance(table, query.unit) if query.manner in ("swift", "restrain") else None
    if test is not None:
        value["chance"] = test
    return value


def close_up(table: ExactTable, own: Regiment, end_pose: BlockPose) -> BlockPose:
    """The block moved straight on until its edge lies where the fought edge of the unit lies now.

    The book names wider fronts as a use of it, and about the same centre each of them would leave the enemy: so by
    the usual reading the unit closes up again. Source: Combat Reform, p. 49; Reform, p. 16.
    """
    ahead = _fought_direction(table, own)
    if ahead is None or table.reading("combat-reform-centre") == "kept":
        return end_pose
    short_mm = _reach_mm(own.corners, ahead) - _reach_mm(end_pose.corners, ahead)
    return replace(end_pose, front=(end_pose.front[0] + short_mm * ahead[0], end_pose.front[1] + short_mm * ahead[1]))


def combat_clauses(
    table: ExactTable, own: Regiment, end_pose: BlockPose, places: list[Point], engaged: list[str]
) -> dict[str, float]:
    """What a reform needs in the midst of a fight: nobody leaves contact, or comes to another side of an enemy.

    Source: Combat Reform, p. 49.
    """
    near = [(id_, gap(end_pose.shape, shape).mm) for id_, shape in resting_obstacles(table, own.id)]
    apart = min((mm for id_, mm in near if id_ not in engaged), default=CAPPED_MM)
    clear = min((mm for id_, mm in near if id_ in engaged), default=-CAPPED_MM)
    foes = [regiment(table, id_) for id_ in engaged]
    ids = own.outline_ids
    same = all(quadrant(foe, own.centre, ids)[0] == quadrant(foe, end_pose.centre, ids)[0] for foe in foes)
    conditions = {
        "one-facing": len({fought_side(own, foe) for foe in foes}) <= 1,
        "same-side": same,
        "keeps-contact": _is_contact_kept(table, own, end_pose, places, engaged),
    }
    return {
        "one-inch": apart - SPACING_MM,
        "clear": contact_mm(table) + clear if clear < 0 else CAPPED_MM,
        "about-centre": contact_mm(table) - _off_centre_mm(table, own, end_pose),
        **{name: CAPPED_MM if is_so else -CAPPED_MM for name, is_so in conditions.items()},
    }


def assign_in_contact(
    table: ExactTable, own: Regiment, end_pose: BlockPose, places: list[Point], files: int
) -> Assignment:
    """Assignment of places, as kindly as can be: one who touches an enemy comes to a place that does.

    Where there are too few such places the clause of contact says so, and they go as in any reform.
    """
    led = sorted(command_group_order(table, own))[:files]
    touching, close = _in_contact(table, own), _places_in_contact(table, own, end_pose, places)
    held = touching if len(touching) <= len(close) else ()
    return assign_places(own.places, places, own.members, led, files, held=held, held_places=close)


def _fought_direction(table: ExactTable, own: Regiment) -> Point | None:
    """Where the enemy is that it fights, straight from one of its edges; none where it fights on two."""
    sides = {fought_side(own, regiment(table, foe)) for foe in engaged_with(table, own.id)}
    if len(sides) != 1:
        return None
    heading = own.facing_rad + SIDES.index(sides.pop()) * math.pi / 2
    return (math.cos(heading), math.sin(heading))


def _reach_mm(corners: tuple[Point, ...], ahead: Point) -> float:
    return max(x * ahead[0] + y * ahead[1] for x, y in corners)


def _off_centre_mm(table: ExactTable, own: Regiment, end_pose: BlockPose) -> float:
    """How far its centre moves, but for what the reading in force lets it."""
    dx, dy = (b - a for a, b in zip(own.centre, end_pose.centre, strict=True))
    reading, ahead = table.reading("combat-reform-centre"), _fought_direction(table, own)
    if reading == "any-place":
        return 0.0
    if reading == "kept" or ahead is None:
        return math.hypot(dx, dy)
    return abs(dx * ahead[1] - dy * ahead[0])


def _is_contact_kept(
    table: ExactTable, own: Regiment, end_pose: BlockPose, places: list[Point], engaged: list[str]
) -> bool:
    """Whether every enemy that was touched still is, and as many of its own can touch one."""
    close, bases = contact_mm(table), _bases_at(own, end_pose, places)
    were = [m for foe in engaged for m in members_of(table, foe) if _touches_any(table, m, own.members)]
    touched = all(
        any(is_at_least(close, gap(table.base(m), base).mm, "touches it then", (m, *own.rank(0))) for base in bases)
        for m in were
    )
    return touched and len(_in_contact(table, own)) <= len(_places_in_contact(table, own, end_pose, places))


def _in_contact(table: ExactTable, own: Regiment) -> tuple[str, ...]:
    """Who of the unit touches an enemy now."""
    foes = [m for foe in engaged_with(table, own.id) for m in members_of(table, foe)]
    return tuple(m for m in own.members if _touches_any(table, m, foes))


def _touches_any(table: ExactTable, id_: str, others: tuple[str, ...] | list[str]) -> bool:
    close, base = contact_mm(table), table.base(id_)
    return any(is_at_least(close, gap(base, table.base(o)).mm, "touches", (id_, o)) for o in others)


def _places_in_contact(table: ExactTable, own: Regiment, end_pose: BlockPose, places: list[Point]) -> tuple[int, ...]:
    """Which places of the block touch an enemy."""
    close = contact_mm(table)
    foes = [m for foe in engaged_with(table, own.id) for m in members_of(table, foe)]
    front = own.rank(0)

    def touches(k: int, base: RoundedShape, foe: str) -> bool:
        return is_at_least(close, gap(base, table.base(foe)).mm, f"touches from place {k}", (foe, *front))

    bases = enumerate(_bases_at(own, end_pose, places))
    return tuple(k for k, base in bases if any(touches(k, base, foe) for foe in foes))


def _bases_at(own: Regiment, end_pose: BlockPose, places: list[Point]) -> list[RoundedShape]:
    wide, deep = own.base_mm
    stands = [replace(end_pose, front=place, width_mm=wide, depth_mm=deep).translate(deep / 2) for place in places]
    return [stand.shape for stand in stands]
