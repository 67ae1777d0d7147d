"""From a table and a correction to the table as corrected."""

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

from pydantic import ValidationError

from api.corrections.correction import (
    AboutContact,
    AboutMiniature,
    AboutTable,
    Correction,
    Lay,
    Reject,
    Several,
    TakeAway,
)
from api.errors import BadCorrection
from api.supposing import TOLD_FACING_SIGMA_DEG
from models.miniature import Miniature
from models.state import Contact, TableState
from models.unit import Unit
from models.words import Id, Point

MOVED_MM = 2.0  # farther than that, beyond its doubt, and it stands in another place
NEAR_DEG = 45.0  # a thumb that points is this far off at most: it chooses among the measured facings


def corrected(state: TableState, correction: Correction) -> TableState:
    """The table with the correction laid over it; what it names and is not there is passed over.

    Raises: BadCorrection when that would be no table.
    """
    try:
        match correction:
            case AboutMiniature():
                return _about_miniatures(state, correction)
            case Lay():
                return _laid(state, correction)
            case TakeAway():
                return _taken_away(state, frozenset(correction.ids))
            case AboutContact():
                return _in_contact(state, correction)
            case Reject():
                return state
            case AboutTable():
                return _with(state, **correction.told())
            case Several():
                return reduce(corrected, correction.corrections, state)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadCorrection(f"{field or 'the table'}: {first['msg']}", field=field, value=None) from wrong


def missing(state: TableState, correction: Correction) -> tuple[str, Id] | None:
    """Field and id of the first that is named and is not on the table; None when all are."""
    match correction:
        case AboutMiniature():
            named = [(f"ids.{i}", id_) for i, id_ in enumerate(correction.ids)]
        case AboutContact():
            named = [("a", correction.a), ("b", correction.b)]
        case TakeAway():
            return next(((f"ids.{i}", id_) for i, id_ in enumerate(correction.ids) if id_ not in state.by_id), None)
        case Several():
            found = enumerate(missing(state, one) for one in correction.corrections)
            return next(((f"corrections.{i}.{one[0]}", one[1]) for i, one in found if one), None)
        case _:
            return None
    standing = {m.id for m in state.miniatures}
    return next(((field, id_) for field, id_ in named if id_ not in standing), None)


def _about_miniatures(state: TableState, told: AboutMiniature) -> TableState:
    miniatures = tuple(_told(m, told) if m.id in told.ids else m for m in state.miniatures)
    units = state.units
    if told.unit is not None and told.unit not in {unit.id for unit in units}:
        side = next((m.side for m in miniatures if m.id in told.ids), None)
        units = (*units, Unit(id=told.unit, name=told.unit, side=side))
    return _with(state, miniatures=miniatures, units=units)


def _told(miniature: Miniature, about: AboutMiniature) -> Miniature:
    """The miniature as it was told to be."""
    told = {name: value for name, value in about.told().items() if name != "facing_deg"}
    seen_mm = about.seen_mm.get(miniature.id)
    if about.facing_deg is not None and seen_mm is not None and _stands(miniature, seen_mm):
        told |= _facing(miniature, about.facing_deg)
    return Miniature.model_validate(miniature.model_dump() | told) if told else miniature


def _facing(miniature: Miniature, told_deg: float) -> dict[str, Any]:
    """The measured facing that the thumb meant, else the thumb's."""
    measured = [alternative.facing_deg for alternative in miniature.facing_alternatives]
    measured += [] if miniature.facing_deg is None else [miniature.facing_deg]
    nearest = min(measured, key=lambda deg: _apart_deg(deg, told_deg), default=None)
    is_meant = nearest is not None and _apart_deg(nearest, told_deg) <= NEAR_DEG
    sigma_deg = miniature.sigma.facing_deg if is_meant else TOLD_FACING_SIGMA_DEG
    return {
        "facing_deg": nearest if is_meant else told_deg,
        "facing_alternatives": (),
        "sigma": miniature.sigma.model_dump() | {"facing_deg": sigma_deg},
    }


def _apart_deg(a: float, b: float) -> float:
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _stands(miniature: Miniature, seen_mm: Point) -> bool:
    """Whether it still stands where it was seen, as far as anybody can tell."""
    (a, _), (_, d) = miniature.covariance()
    return math.dist(miniature.at_mm, seen_mm) <= MOVED_MM + 3 * math.sqrt(a + d)


def _laid(state: TableState, lay: Lay) -> TableState:
    changed = {}
    for name, laid in lay.things():
        ids = {thing.id for thing in laid}
        changed[name] = (*(thing for thing in getattr(state, name) if thing.id not in ids), *laid)
    return _with(state, **changed)


def _taken_away(state: TableState, ids: frozenset[Id]) -> TableState:
    stays: Callable[[Any], bool] = lambda thing: thing.id not in ids  # noqa: E731 - six lists are sifted by it
    miniatures = tuple(_without_unit(m) if m.unit in ids else m for m in state.miniatures if stays(m))
    return _with(
        state,
        miniatures=miniatures,
        units=tuple(filter(stays, state.units)),
        terrain=tuple(filter(stays, state.terrain)),
        effects=tuple(filter(stays, state.effects)),
        objectives=tuple(filter(stays, state.objectives)),
        zones=tuple(filter(stays, state.zones)),
        contacts=tuple(c for c in state.contacts if c.a not in ids and c.b not in ids),
    )


def _without_unit(miniature: Miniature) -> Miniature:
    return Miniature.model_validate(miniature.model_dump() | {"unit": None})


def _in_contact(state: TableState, told: AboutContact) -> TableState:
    standing = {m.id: m for m in state.miniatures}
    pair = {told.a, told.b}
    if not all(id_ in standing and id_ in told.seen_mm and _stands(standing[id_], told.seen_mm[id_]) for id_ in pair):
        return state
    others = tuple(contact for contact in state.contacts if {contact.a, contact.b} != pair)
    return _with(state, contacts=(*others, Contact(a=told.a, b=told.b, probability=float(told.is_touching))))


def _with(state: TableState, **changes: object) -> TableState:
    fields = {name: getattr(state, name) for name in type(state).model_fields}
    return TableState(**(fields | changes))
