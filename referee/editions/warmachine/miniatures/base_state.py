"""Base state: sizes, volumes, elevation, and what a base stands in."""

import math

from models.base import RoundBase
from models.miniature import Miniature
from models.terrain import Effect, Terrain
from models.unit import Unit
from referee.editions.warmachine.parameters import ELEVATING_KINDS, HUGE_MM, VOLUME_MM
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import inside_mm
from referee.rules.exact_table import ExactTable
from referee.rules.perturbation import NO_PERTURBATION
from referee.rules.switches import is_at_least

_LEAST_RISE_MM = 12.7  # ground told without a feature: rubble and mats are no elevation


def size_mm(miniature: Miniature) -> float:
    """The size in comparisons. Source: Base Size, p. 21."""
    base = miniature.base
    if base.counts_as_mm is not None:
        return base.counts_as_mm
    return base.diameter_mm if isinstance(base, RoundBase) else max(base.width_mm, base.depth_mm)


def is_huge(miniature: Miniature) -> bool:
    """Whether the base is of the largest size. Source: Base Size, p. 21."""
    return size_mm(miniature) >= HUGE_MM


def is_colossus(miniature: Miniature) -> bool:
    """Whether it is a colossal or a gargantuan; of a huge base without a type that is taken for granted.

    Source: Colossals, p. 67; Gargantuans, p. 99. A battle engine (p. 75) has a huge base and is neither.
    """
    return is_huge(miniature) and miniature.type in (None, "warjack", "warbeast")


def is_massive(miniature: Miniature) -> bool:
    """Whether nothing pushes, slams, throws, knocks down or makes it stationary: colossals, battle engines, the word.

    Source: Massive, p. 67, 75, 99.
    """
    return is_colossus(miniature) or miniature.type == "battle-engine" or miniature.has("massive")


def has_stealth(miniature: Miniature) -> bool:
    """Whether Stealth counts; a colossal or gargantuan never has it. Source: Advantages, p. 17; p. 67; p. 99."""
    return miniature.has("stealth") and not is_colossus(miniature)


def is_incorporeal(miniature: Miniature) -> bool:
    """Whether it is incorporeal now; colossals and gargantuans never are. Source: Advantages, p. 17; p. 67; p. 99."""
    return miniature.has("incorporeal") and "solid" not in miniature.status and not is_colossus(miniature)


def commander_of(table: ExactTable, unit: Unit | None) -> str | None:
    """The commander of a unit: an Officer while one is in play, else the one told; None where there is none in play.

    Source: Unit Commanders: Leaders & Officers, p. 62.
    """
    if unit is None:
        return None
    own = [m for m in table.miniatures.values() if m.unit == unit.id and "removed" not in m.status]
    officers = [m.id for m in own if m.has("officer") or "officer" in m.role]
    is_present = unit.commander in table.miniatures and "removed" not in table.miniature(str(unit.commander)).status
    return officers[0] if officers else unit.commander if is_present else None


def volume_mm(miniature: Miniature) -> float:
    """The height of the volume. Source: Determining Model Volume, p. 37."""
    if miniature.body_mm is not None:
        return miniature.body_mm
    size = size_mm(miniature)
    return VOLUME_MM[min(VOLUME_MM, key=lambda printed: abs(printed - size))]


def elevation_mm(table: ExactTable, id_: str) -> float:
    """The height of the ground it stands on: told, else that of the terrain under its centre. Source: Hill, p. 79."""
    lift = table.perturbations.get(id_, NO_PERTURBATION).lift_mm
    stated = table.miniature(id_).elevation_mm
    if stated is not None or not table.state.terrain:
        return (stated or 0.0) + lift
    return terms_of(table).ground_mm(table, id_) + lift


def under_centre_mm(table: ExactTable, id_: str) -> float:
    """The height of the ground under the middle of the base. Source: Hill, p. 79."""
    return max((surface_mm(t) for t in table.terrain_under(id_)), default=0.0)


def surface_mm(terrain: Terrain) -> float:
    """The ground under a base that stands there: told, else the top where the kind lets one stand.

    Source: Hill, p. 79; Terraced Obstructions, p. 81.
    """
    if terrain.surface_mm is not None:
        return terrain.surface_mm
    stands = terrain.kind in ELEVATING_KINDS if terrain.stand_on is None else terrain.stand_on
    return (terrain.height_mm or 0.0) if stands else 0.0


def level(table: ExactTable, id_: str) -> float:
    """The elevation that counts: that of the highest feature it is completely within, else of its told ground.

    Agreed levels come first; without one a feature counts by its height in inches. Source: Does the Terrain Grant
    Elevation?, p. 78.
    """
    return table.memoize_for("level", id_, lambda: _find_level(table, id_))


def _find_level(table: ExactTable, id_: str) -> float:
    under = table.terrain_under(id_)  # what its middle is not on it is not completely within
    raised = [_level_of(t) for t in under if elevates(t) and is_wholly_in(table, id_, (t.id,))]
    if raised:
        return max(raised)
    stated = table.miniature(id_).elevation_mm or 0.0
    known = any(elevates(t) for t in table.state.terrain)
    return 0.0 if known or stated < _LEAST_RISE_MM else stated / 25.4


def elevates(terrain: Terrain) -> bool:
    """Whether those completely within it are elevated. Source: Does the Terrain Grant Elevation?, p. 78."""
    return terrain.kind in ELEVATING_KINDS if terrain.elevates is None else terrain.elevates


def _level_of(terrain: Terrain) -> float:
    """The agreed level, else the height in inches; what elevates by an untold height counts as an inch."""
    if terrain.level is not None:
        return terrain.level
    return max(surface_mm(terrain), terrain.height_mm or 0.0) / 25.4 or 1.0


def is_wholly_in(table: ExactTable, id_: str, places: tuple[str, ...]) -> bool:
    """Whether the whole base lies in the joined area of these places. Source: Measuring Distances, p. 12."""
    on = (id_, *(mover for place in places for mover in table.movers_of(place)))
    return is_at_least(depth_in(table, id_, places), 0.0, "is completely within", on)


def depth_in(table: ExactTable, id_: str, places: tuple[str, ...]) -> float:
    """By how much the base is completely within the joined area; negative when some is outside. Source: p. 12."""
    from referee.geometry.containment import depth_of_base

    return depth_of_base(table.base(id_), tuple(table.area(place) for place in places))


def stands_inside(table: ExactTable, id_: str, place: str) -> bool:
    """Whether any part of the base is in the area; touching counts. Source: Measuring Distances, p. 12."""
    from referee.geometry.distance import area_gap

    apart_mm = area_gap(table.area(id_), table.area(place)).mm
    return is_at_least(-apart_mm, 0.0, "touches", (id_, *table.movers_of(place)))


def is_at_rim(table: ExactTable, id_: str, ground: Terrain | Effect, within_mm: float) -> bool:
    """Whether the centre of a base or its rim is so near the rim of an area that an error could carry it over."""
    base, area = table.base(id_), table.area(ground.id)
    centre, reach = base.centre, base.reach_mm
    if all(math.dist(centre, part.centre) > part.reach_mm + reach + within_mm for part in area.parts):
        return False
    if area.outline:
        depth = abs(inside_mm(centre, area.outline))
    else:
        depth = min(abs(part.radius_mm - math.dist(centre, part.centre)) for part in area.parts)
    return min(depth, abs(depth - reach)) < within_mm


def keeps_its_height(table: ExactTable, id_: str, within_mm: float) -> bool:
    """Whether no error changes how high a base stands."""
    raising = (t for t in table.state.terrain if may_raise(table, id_, t))
    is_sure = table.miniature(id_).sigma.elevation_mm == 0
    return is_sure and not any(is_at_rim(table, id_, terrain, within_mm) for terrain in raising)


def may_raise(table: ExactTable, id_: str, terrain: Terrain) -> bool:
    """Whether how high that base stands may hang on being on it; a height that is told hangs on no ground."""
    return elevates(terrain) or (table.miniature(id_).elevation_mm is None and surface_mm(terrain) != 0)
