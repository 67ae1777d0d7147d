"""Fitting miniatures to new places: who went where, so that nobody goes farther than must be."""

import math
from collections.abc import Sequence

from pydantic import JsonValue

from models.queries import Reform
from models.units import radians
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.clauses import listed_margins
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import legal_grids
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import Regiment, gap_of, is_skirmishing, leading, regiment
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length

_REFORM = because("Reform", 16, "About the same centre; nobody goes farther than twice its move.")
_SWIFT = because("Swift Reform", 79, "With a musician and a Leadership test it turns and still moves.")
_LIMIT = 2.0


def longest_moves(starts: Sequence[Point], places: Sequence[Point], ids: Sequence[str]) -> tuple[float, str]:
    """The least longest way when each goes to a place of its own, and who goes it."""
    apart = [[math.dist(a, b) for b in places] for a in starts]
    lengths = sorted({mm for row in apart for mm in row})
    low, high = 0, len(lengths) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _all_fit(apart, lengths[middle]) else (middle + 1, high)
    limit = lengths[low] if lengths else 0.0
    matched = _matched(apart, limit)
    far = {ids[i]: apart[i][j] for j, i in matched.items()}
    return limit, max(far, key=lambda id_: far[id_], default="")


def _all_fit(apart: list[list[float]], limit: float) -> bool:
    return len(_matched(apart, limit)) == len(apart)


def _matched(apart: list[list[float]], limit: float) -> dict[int, int]:
    """Who takes each place when nobody goes farther than this: as many as can (augmenting paths)."""
    taken: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j, mm in enumerate(apart[i]):
            if mm <= limit + 1e-9 and j not in seen:
                seen.add(j)
                if j not in taken or place(taken[j], seen):
                    taken[j] = i
                    return True
        return False

    for i in range(len(apart)):
        place(i, set())
    return taken


def grid_places(own: Regiment, there: Footing, files: int, gap_mm: float) -> list[Point]:
    """The centres of a block of as many miniatures, front rank first, the short last rank in the middle."""
    wide, deep = own.base_mm
    count, places = len(own.members), []
    for k in range(count):
        rank, file = divmod(k, files)
        beside = min(files, count - rank * files)
        aside = ((beside - 1) / 2 - file) * (wide + gap_mm)
        places.append(there.at(-deep / 2 - rank * (deep + gap_mm), aside))
    return places


def skirmish_places(table: Situation, own: Regiment, there: Footing, files: int) -> list[Point]:
    return grid_places(own, there, files, gap_of(table, own.id))


def standing(own: Regiment, files: int, facing_rad: float, gap_mm: float) -> Footing:
    """The block about the same centre. Source: Reform, p. 16."""
    wide, deep = own.base_mm
    count = len(own.members)
    ranks = -(-count // files)
    width, depth = min(files, count) * (wide + gap_mm) - gap_mm, ranks * (deep + gap_mm) - gap_mm
    there = Footing(own.centre, facing_rad, width, depth)
    return there.moved(depth / 2)


def reform(table: Situation, query: Reform) -> Ruling:
    """Whether it may reform like that. Source: Reform, p. 16; Swift Reform, p. 79; p. 50, 58, 65."""
    from referee.editions.warhammer_9.moving import others, speed_mm
    from referee.editions.warhammer_9.radii import leadership_chance
    from referee.gaps import gap

    own, speed = regiment(table, query.unit), speed_mm(table, query.unit)
    if speed is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.unit}",), because=(_REFORM,))
    files = query.files or own.files
    facing = own.facing_rad if query.facing_deg is None else radians(query.facing_deg)
    if query.manner == "swift":
        files = own.files
    there = standing(own, files, facing, gap_of(table, query.unit))
    longest, furthest = longest_moves(
        own.places, grid_places(own, there, files, gap_of(table, query.unit)), own.members
    )
    grids = legal_grids(table, query.unit, "skirmish" if is_skirmishing(table, query.unit) else "ranked")
    spacing = min((gap(there.shape, shape).mm for _, shape in others(table, query.unit)), default=CAPPED_MM) - 25.4
    clauses: dict[str, float] = {
        "twice-the-move": _LIMIT * speed - longest,
        "formation": CAPPED_MM if any(grid[0] == files for grid in grids) else -CAPPED_MM,
        "one-inch": spacing,
    }
    if query.manner != "combat":
        clauses["not-engaged"] = -CAPPED_MM if engaged_with(table, query.unit) else CAPPED_MM
    value: dict[str, JsonValue] = {
        "longest_mm": longest,
        "furthest": furthest,
        "grids": [list(grid) for grid in grids],
        "poses": {query.unit: there.pose() | {"files": files}},
        "clauses": listed_margins(clauses),
    }
    ld = leading(table, query.unit).profile.ld
    if query.manner in ("swift", "restrain") and ld is not None:
        value["chance"] = leadership_chance(ld)
    rule = _SWIFT if query.manner == "swift" else _REFORM
    failed = [mm for name, mm in clauses.items() if mm < 0 and name != "twice-the-move"]
    return Ruling(
        margin_mm=min([clauses["twice-the-move"], *failed]),
        value=value,
        lengths_mm={"longest": longest},
        witness=(Witness(type="polygon", role="limit", points_mm=there.corners, of=(query.unit,)),),
        because=(applied(table, rule, f"Somebody goes {length(longest)} at least."),),
        readings=("reform-partner",),
        touches=own.members,
    )
