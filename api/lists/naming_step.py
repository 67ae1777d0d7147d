"""Naming step: entries and the bases they are -> one step that tells name, side, unit, card and command range.

A player chooses the bases, or they stand at known places when a recording begins.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import Field

from api.corrections.schemas import CorrectionGroup, MiniatureCorrection, PlacementCorrection, SingleCorrection
from api.errors import BadCorrection
from api.lists.schemas import NamingChoice
from api.setups.schemas import ExpectedMiniature, Roster
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import Profile
from models.state import TableState
from models.unit import Unit
from models.vocabulary import Id, Point
from referee import edition_of

_NEAR_MM = 20.0
_LEADERS = frozenset({"commander", "officer"})


def naming_correction(roster: Roster, state: TableState, choices: Sequence[NamingChoice]) -> CorrectionGroup:
    """One step for all of them. Raises: BadCorrection naming the entry or the base that is not there."""
    entries = {entry.entry: entry for entry in roster.expected if entry.entry is not None}
    units = {unit.id: unit for unit in state.units}
    corrections: list[SingleCorrection] = []
    for choice in choices:
        entry = entries.get(choice.entry)
        if entry is None:
            raise BadCorrection(f"No list has an entry {choice.entry!r}.", field="entry", value=choice.entry)
        ids = tuple(dict.fromkeys(id_ for named in choice.ids for id_ in _members(state, named)))
        corrections.append(_name(entry, ids, is_unit_kept=edition_of(state).plays_units))
        for unit in _units_of(entry, ids, state, units):
            units[unit.id] = unit
            corrections.append(PlacementCorrection(do="lay", units=(unit,)))
    return CorrectionGroup(do="several", corrections=tuple(corrections))


def _members(state: TableState, id_: Id) -> tuple[Id, ...]:
    """The bases of a unit, or the base itself. Raises: BadCorrection."""
    ids = tuple(m.id for m in state.miniatures if m.id == id_ or m.unit == id_)
    if not ids:
        raise BadCorrection(f"there is no {id_!r} on the table", field="ids", value=id_)
    return (id_,) if id_ in ids else ids


def _name(entry: ExpectedMiniature, ids: tuple[Id, ...], *, is_unit_kept: bool) -> MiniatureCorrection:
    """What is told of each; where the rulebook plays units, the measured unit is kept and only called by its name."""
    fields: dict[str, Any] = {
        "name": entry.name, "side": entry.side, "type": entry.type, "role": entry.role or None, "base": entry.base,
        "front_arc_deg": entry.front_arc_deg, "unit": None if is_unit_kept else entry.unit,
        "profile": entry.profile if entry.profile != Profile() else None,
    }  # fmt: skip
    return MiniatureCorrection(do="miniature", ids=ids, **{k: v for k, v in fields.items() if v is not None})


def _units_of(
    entry: ExpectedMiniature, ids: tuple[Id, ...], state: TableState, units: dict[Id, Unit]
) -> Iterator[Unit]:
    """The unit as its list calls it, with its command range and who leads it."""
    if edition_of(state).plays_units:
        kept = dict.fromkeys(m.unit for m in state.miniatures if m.id in ids and m.unit in units)
        for id_ in kept:
            fields: dict[str, Any] = dict(units[id_ or ""]) | {
                "name": entry.unit_name or entry.name,
                "side": entry.side,
            }
            yield Unit(**fields)
    elif entry.unit is not None:
        before = units.get(entry.unit)
        leader = ids[0] if _LEADERS & set(entry.role) else before.commander if before is not None else None
        changed: dict[str, Any] = {} if before is None else dict(before)
        changed |= {"id": entry.unit, "name": entry.unit_name, "side": entry.side, "commander": leader}
        if entry.command_in is not None:
            changed["command_in"] = entry.command_in
        yield Unit(**changed)


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
