"""Reforms: about the same centre into other ranks and another facing."""

from pydantic import JsonValue

from models.queries import Reform
from models.units import radians
from models.verdict import CAPPED_MM, Reason, Witness
from referee.clauses import listed_margins
from referee.editions.warhammer_9 import legs
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.fitting import Moves, grid_places, longest_moves, standing
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import legal_grids, pinned
from referee.editions.warhammer_9.moving import speed_mm
from referee.editions.warhammer_9.parameters import SPACING_MM, because
from referee.editions.warhammer_9.radii import leadership_chance
from referee.editions.warhammer_9.regiments import gap_of, is_skirmishing, leading, regiment
from referee.editions.warhammer_9.spacing import others
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length

_REFORM = because("Reform", 16, "About the same centre; nobody goes farther than twice its move.")
_SWIFT = because("Swift Reform", 79, "With a musician and a Leadership test it turns and still moves.")
_LIMIT = 2.0


def reform(table: Situation, query: Reform) -> Ruling:
    """Whether it may reform like that. Source: Reform, p. 16; Swift Reform, p. 79; p. 50, 58, 65."""
    own, speed = regiment(table, query.unit), speed_mm(table, query.unit)
    if speed is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.unit}",), because=(_REFORM,))
    files = own.files if query.files is None or query.manner == "swift" else query.files
    facing = own.facing_rad if query.facing_deg is None else radians(query.facing_deg)
    there = standing(own, files, facing, gap_of(table, query.unit))
    places = grid_places(own, there, files, gap_of(table, query.unit))
    moves = longest_moves(own.places, places, own.members, sorted(pinned(table, own))[:files], files)
    longest, furthest, _ = moves
    clauses = {"twice-the-move": _LIMIT * speed - longest, **_clauses(table, query, there, files)}
    failed = [mm for name, mm in clauses.items() if mm < 0 and name != "twice-the-move"]
    told: dict[str, JsonValue] = {"longest_mm": longest, "furthest": furthest, "clauses": listed_margins(clauses)}
    return Ruling(
        margin_mm=min([clauses["twice-the-move"], *failed]),
        value=told | _value(table, query, there, files, moves),
        lengths_mm={"longest": longest},
        witness=(Witness(type="polygon", role="limit", points_mm=there.corners, of=(query.unit,)),),
        because=(applied(table, _rule(query), f"Somebody goes {length(longest)} at least."),),
        readings=("reform-partner",),
        touches=own.members,
    )


def _rule(query: Reform) -> Reason:
    return _SWIFT if query.manner == "swift" else _REFORM


def _grids(table: Situation, query: Reform) -> list[tuple[int, int]]:
    return legal_grids(table, query.unit, "skirmish" if is_skirmishing(table, query.unit) else "ranked")


def _clauses(table: Situation, query: Reform, there: Footing, files: int) -> dict[str, float]:
    """What a reform needs besides moves that are short enough. Source: Reform, p. 16."""
    near = min((gap(there.shape, shape).mm for _, shape in others(table, query.unit)), default=CAPPED_MM)
    fits = any(grid[0] == files for grid in _grids(table, query))
    found = {"formation": CAPPED_MM if fits else -CAPPED_MM, "one-inch": near - SPACING_MM}
    if query.manner != "combat":
        found["not-engaged"] = -CAPPED_MM if engaged_with(table, query.unit) else CAPPED_MM
    return found


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
