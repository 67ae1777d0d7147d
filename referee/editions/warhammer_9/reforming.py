"""Reforms: about the same centre into other ranks and another facing."""

import math

from pydantic import JsonValue

from models.queries import Reform
from models.unit import Unit
from models.units import radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import legs
from referee.editions.warhammer_9.arcs import quadrant
from referee.editions.warhammer_9.engaged import contact_mm, engaged_with, side_touched
from referee.editions.warhammer_9.fitting import Moves, grid_places, longest_moves, standing
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import legal_grids, pinned, width_doubts
from referee.editions.warhammer_9.moving import speed_mm
from referee.editions.warhammer_9.parameters import SPACING_MM, because
from referee.editions.warhammer_9.radii import leadership_chance
from referee.editions.warhammer_9.regiments import Regiment, gap_of, is_skirmishing, leading, regiment
from referee.editions.warhammer_9.shooting import deeds_of
from referee.editions.warhammer_9.spacing import others
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length

_REFORM = because("Reform", 16, "About the same centre; nobody goes farther than twice its move.")
_SWIFT = because("Swift Reform", 79, "With a musician and a Leadership test it turns and still moves.")
_LIMIT = 2.0
_DUST_MM = 1e-6


def reform(table: Situation, query: Reform) -> Ruling:
    """Whether it may reform like that. Source: Reform, p. 16; Swift Reform, p. 79; p. 50, 58, 65."""
    own, speed = regiment(table, query.unit), speed_mm(table, query.unit)
    if speed is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.unit}",), because=(_REFORM,))
    files = own.files if query.files is None or query.manner == "swift" else query.files
    facing = own.facing_rad if query.facing_deg is None else radians(query.facing_deg)
    there = standing(own, files, facing, gap_of(table, query.unit))
    places = grid_places(own, there, files, gap_of(table, query.unit))
    moves = _moves(table, own, places, files)
    longest, furthest, _ = moves
    clauses = {"twice-the-move": _LIMIT * speed - longest, **_clauses(table, query, there, files)}
    strict = table.reading("one-inch-exact") == "too-near"
    apart = strict and bool(_exactly_an_inch(clauses))
    failed = [mm for name, mm in clauses.items() if mm < 0 and name != "twice-the-move"] + [0.0] * apart
    told: dict[str, JsonValue] = {"longest_mm": longest, "furthest": furthest, "clauses": listed_margins(clauses)}
    return Ruling(
        margin_mm=min([clauses["twice-the-move"], *failed]),
        zero_is_met=not apart,
        value=told | _value(table, query, there, files, moves),
        lengths_mm={"longest": longest},
        witness=(Witness(type="polygon", role="limit", points_mm=there.corners, of=(query.unit,)),),
        because=(applied(table, _rule(query), f"Somebody goes {length(longest)} at least."),),
        readings=("reform-partner",),
        doubtful=_exactly_an_inch(clauses),
        retold=("reform-partner", *width_doubts(table, query.unit, _manner(table, query))),
        touches=tuple(dict.fromkeys((furthest, own.rank(0)[0], own.rank(0)[-1]))),
    )


def _exactly_an_inch(clauses: dict[str, float]) -> tuple[str, ...]:
    """The house rule on which it hangs, where exactly an inch is left to others."""
    return ("one-inch-exact",) if abs(clauses.get("one-inch", CAPPED_MM)) < _DUST_MM else ()


def _moves(table: Situation, own: Regiment, places: list[Point], files: int) -> Moves:
    """Who goes where: as kindly as can be, or each to the place of his number."""
    if table.reading("reform-partner") == "best-case":
        return longest_moves(own.places, places, own.members, sorted(pinned(table, own))[:files], files)
    order = sorted(range(len(own.members)), key=lambda k: own.cells[k])
    far = {own.members[k]: math.dist(own.places[k], place) for k, place in zip(order, places, strict=True)}
    furthest = max(far, key=lambda id_: far[id_])
    return Moves(far[furthest], furthest, {own.members[k]: place for k, place in zip(order, places, strict=True)})


def _rule(query: Reform) -> Reason:
    return _SWIFT if query.manner == "swift" else _REFORM


def _grids(table: Situation, query: Reform) -> list[tuple[int, int]]:
    return legal_grids(table, query.unit, _manner(table, query))


def _manner(table: Situation, query: Reform) -> str:
    return "skirmish" if is_skirmishing(table, query.unit) else "ranked"


def _clauses(table: Situation, query: Reform, there: Footing, files: int) -> dict[str, float]:
    """What a reform needs besides moves that are short enough. Source: Reform, p. 16."""
    own = regiment(table, query.unit)
    near = min((gap(there.shape, shape).mm for _, shape in others(table, query.unit)), default=CAPPED_MM)
    fits = any(grid[0] == files for grid in _grids(table, query))
    found = {"formation": CAPPED_MM if fits else -CAPPED_MM, "one-inch": near - SPACING_MM}
    engaged = engaged_with(table, query.unit)
    if query.manner == "combat":
        return {"formation": found["formation"], **_in_combat(table, query, there, engaged)}
    deeds, first = deeds_of(table, query.unit), leading(table, query.unit)
    conditions = {"not-engaged": not engaged, "not-fleeing": "fleeing" not in first.status}
    if query.manner in ("reform", "swift"):
        conditions["not-marched"] = "march" not in deeds.moved
    if query.manner == "swift":
        unit = table.state.by_id[query.unit]
        roles = {role for m in own.members for role in table.miniature(m).role}
        conditions["musician"] = (isinstance(unit, Unit) and bool(unit.musician)) or "musician" in roles
    if query.manner == "free":
        loose = is_skirmishing(table, query.unit) or first.has("fast-cavalry")
        conditions["free"] = loose and deeds.charged is None
    return found | {name: CAPPED_MM if held else -CAPPED_MM for name, held in conditions.items()}


def _in_combat(table: Situation, query: Reform, there: Footing, engaged: list[str]) -> dict[str, float]:
    """What a reform needs in the midst of a fight: nobody leaves contact, or comes to another side of an enemy.

    Source: Combat Reform, p. 49.
    """
    own = regiment(table, query.unit)
    near = [(id_, gap(there.shape, shape).mm) for id_, shape in others(table, query.unit)]
    apart = min((mm for id_, mm in near if id_ not in engaged), default=CAPPED_MM)
    touched = {id_: min(mm for one, mm in near if one == id_) for id_ in engaged}
    foes = [regiment(table, id_) for id_ in engaged]
    taken = {side_touched(own, foe) for foe in foes}
    same = all(quadrant(foe, own.centre)[0] == quadrant(foe, there.centre)[0] for foe in foes)
    held = all(_still_touch(table, own, foe, there) for foe in foes)
    conditions = {"one-facing": len(taken) <= 1, "same-side": same, "keeps-contact": held}
    clear = min(touched.values(), default=-CAPPED_MM)
    return {
        "one-inch": apart - SPACING_MM,
        "clear": contact_mm(table) + clear if clear < 0 else CAPPED_MM,
        **{name: CAPPED_MM if is_so else -CAPPED_MM for name, is_so in conditions.items()},
    }


def _still_touch(table: Situation, own: Regiment, foe: Regiment, there: Footing) -> bool:
    """Whether every enemy that was touched still is."""
    close = contact_mm(table)
    were = [m for m in foe.members if any(gap(table.base(m), table.base(o)).mm <= close for o in own.members)]
    return all(gap(table.base(m), there.shape).mm <= close for m in were)


def _value(table: Situation, query: Reform, there: Footing, files: int, moves: Moves) -> dict[str, JsonValue]:
    own = regiment(table, query.unit)
    value: dict[str, JsonValue] = {
        "grids": [list(grid) for grid in _grids(table, query)],
        "poses": legs.poses_in_block(own, there, moves.places) | {query.unit: there.pose() | {"files": files}},
        "paths": {query.unit: legs.each(moves.longest_mm)},
    }
    ld = leading(table, query.unit).profile.ld
    if query.manner in ("swift", "restrain") and ld is not None:
        value["chance"] = leadership_chance(ld)
    return value
