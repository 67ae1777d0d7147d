"""Placed names: miniatures by where they stand when a recording begins, so that the shown table has its names."""

import math
from collections.abc import Iterator

from pydantic import Field

from api.corrections.schemas import CorrectionGroup, MiniatureCorrection, SingleCorrection
from api.lists.naming_step import naming_correction
from api.lists.schemas import NamingChoice
from api.setups.schemas import Roster
from models.frozen import Frozen
from models.miniature import Miniature
from models.state import TableState
from models.vocabulary import Id, Point

_NEAR_MM = 20.0


class Place(Frozen):
    """Name, side and facing of the miniature that stands here."""

    name: str
    side: str
    at_mm: Point
    facing_deg: float | None = None


class Places(Frozen):
    """All miniatures on the table when it begins."""

    places: tuple[Place, ...] = Field(min_length=1)


def placed_correction(
    roster: Roster, state: TableState, places: Places, corrected: frozenset[Id] = frozenset()
) -> CorrectionGroup | None:
    """One step that names the miniatures at known places that no correction named; None where there is none."""
    standing = {place: m for place in places.places if (m := _at(place, state)) is not None and m.id not in corrected}
    choices = tuple(_choices(roster, standing))
    if not choices:
        return None
    named = naming_correction(roster, state, choices)
    facings: list[SingleCorrection] = [
        MiniatureCorrection(do="miniature", ids=(m.id,), facing_deg=place.facing_deg, seen_mm={})
        for place, m in standing.items()
        if place.facing_deg is not None and m.facing_deg is None
    ]
    return CorrectionGroup(do="several", corrections=(*named.corrections, *facings))


def _choices(roster: Roster, standing: dict[Place, Miniature]) -> Iterator[NamingChoice]:
    for entry in roster.expected:
        ids = tuple(m.id for place, m in standing.items() if (place.name, place.side) == (entry.name, entry.side))
        if ids and entry.entry is not None:
            yield NamingChoice(entry=entry.entry, ids=ids)


def _at(place: Place, state: TableState) -> Miniature | None:
    """The nearest that stands there; None where nobody does, or it bears the name already."""
    near = [m for m in state.miniatures if math.dist(m.at_mm, place.at_mm) <= _NEAR_MM]
    nearest = min(near, key=lambda m: math.dist(m.at_mm, place.at_mm), default=None)
    return None if nearest is None or nearest.name == place.name else nearest
