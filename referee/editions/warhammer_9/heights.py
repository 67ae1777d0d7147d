"""Heights: who stands uphill of whom."""

from referee.areas import depth_of_base
from referee.editions.warhammer_9.looking import height_of_ground
from referee.editions.warhammer_9.regiments import members_of
from referee.situation import Situation

_KEY = "high-ground"
_WHOLLY_MM = -1e-6


def stands_at_mm(table: Situation, unit: str, foe: str) -> tuple[float, float]:
    """How high a unit stands for the bonus of high ground, and how high its enemy does. Source: Hills, p. 92.

    Most of the unit must stand higher than most of the enemy; or any of it; or, of the crest, most of it with the
    whole base, since who straddles the rim stands on the slope.
    """
    how = table.reading(_KEY)
    own = [_height_mm(table, m, whole=how == "crest") for m in members_of(table, unit)]
    return (max(own) if how == "any" else _of_most_mm(own)), _of_most_mm(
        [-height_of_ground(table, m) for m in members_of(table, foe)], sign=-1.0
    )


def _of_most_mm(heights_mm: list[float], sign: float = 1.0) -> float:
    """The height that more than half of them reach; of negative heights, that more than half do not exceed."""
    return sign * sorted(heights_mm)[(len(heights_mm) - 1) // 2]


def _height_mm(table: Situation, id_: str, *, whole: bool) -> float:
    told = table.miniature(id_).elevation_mm
    under = table.terrain_under(id_) if whole and told is None else []
    if any(depth_of_base(table.base(id_), (table.area(t.id),)) < _WHOLLY_MM for t in under):
        return 0.0
    return height_of_ground(table, id_)


def high_ground_doubts(table: Situation, unit: str, foe: str) -> tuple[str, ...]:
    """The house rule of high ground, where its readings find other heights."""
    found = {stands_at_mm(one, unit, foe) for one in (table, *table.otherwise(_KEY))}
    return (_KEY,) if len(found) > 1 else ()
