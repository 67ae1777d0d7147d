"""High ground: who stands uphill of whom."""

from referee.editions.warhammer_9.line_of_sight.scene import ground_height_mm
from referee.editions.warhammer_9.units.regiment import members_of
from referee.geometry.containment import depth_of_base
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least

_KEY = "high-ground"
_WHOLLY_MM = -1e-6


def ground_heights_mm(table: ExactTable, unit: str, foe: str) -> tuple[float, float]:
    """Ground heights of a unit and of its enemy, for the bonus of high ground. Source: Hills, p. 92.

    Most of the unit must stand higher than most of the enemy; or any of it; or, of the crest, most of it with the
    whole base, since who straddles the rim stands on the slope.
    """
    how = table.reading(_KEY)
    own = [_height_mm(table, m, whole=how == "crest") for m in members_of(table, unit)]
    return (max(own) if how == "any" else _majority_height_mm(own)), _majority_height_mm(
        [-ground_height_mm(table, m) for m in members_of(table, foe)], sign=-1.0
    )


def _majority_height_mm(heights_mm: list[float], sign: float = 1.0) -> float:
    """The height that more than half of them reach; of negative heights, that more than half do not exceed."""
    return sign * sorted(heights_mm)[(len(heights_mm) - 1) // 2]


def _height_mm(table: ExactTable, id_: str, *, whole: bool) -> float:
    told = table.miniature(id_).elevation_mm
    under = table.terrain_under(id_) if whole and told is None else []
    depths = ((t.id, depth_of_base(table.base(id_), (table.area(t.id),))) for t in under)
    if any(not is_at_least(mm, _WHOLLY_MM, "stands wholly on", (id_, feature)) for feature, mm in depths):
        return 0.0
    return ground_height_mm(table, id_)


def high_ground_doubts(table: ExactTable, unit: str, foe: str) -> tuple[str, ...]:
    """House rules of high ground, where their readings find other heights."""
    found = {ground_heights_mm(one, unit, foe) for one in (table, *table.other_readings(_KEY))}
    return (_KEY,) if len(found) > 1 else ()
