"""My army: each unit of a list with its losses, its state and its points, as seen on the table and as players told."""

from collections.abc import Iterable, Sequence

from api.corrections.army_states import UnitState, casualty_step, told_casualties, unit_states
from api.corrections.schemas import (
    AbsenceCorrection,
    ArmyCorrection,
    Correction,
    CorrectionGroup,
    CorrectionStep,
    MiniatureCorrection,
)
from api.errors import BadCorrection
from api.lists.schemas import ArmyPoints, ArmyUnit, Casualty, ListNaming, NamingEntry
from api.setups.schemas import ExpectedMiniature
from models.state import TableState
from models.vocabulary import Id


def with_losses(naming: ListNaming, steps: Sequence[CorrectionStep]) -> ListNaming:
    """The lists with what became of each entry and unit, and the points of each side."""
    states, losses = unit_states(steps), told_casualties(steps)
    entries = tuple(
        _with_casualties(entry, losses[entry.expected.entry or ""], states.get(unit_key(entry.expected)), steps)
        for entry in naming.entries
    )
    units = tuple(_describe_unit(key, of, states.get(key, UnitState())) for key, of in _by_unit(entries).items())
    sides = dict.fromkeys(unit.side for unit in units if unit.side is not None and unit.points is not None)
    points = tuple(_add_points(side, units) for side in sides)
    return ListNaming(**{**dict(naming), "entries": entries, "units": units, "points": points})


def unit_key(expected: ExpectedMiniature) -> Id:
    """By what the unit of an entry is called in corrections: its unit, or a single miniature's entry."""
    return expected.unit or expected.entry or ""


def _with_casualties(
    entry: NamingEntry, nameless: int, state: UnitState | None, steps: Sequence[CorrectionStep]
) -> NamingEntry:
    """Who left the table is lost, unless the unit is in reserve or inside another."""
    off_table = 0 if state is not None and state.is_away else len(entry.fallen)
    casualties = min(entry.expected.count, off_table + nameless)
    newest = casualty_step(steps, entry.expected.entry or "", entry.fallen)
    return NamingEntry(**{**dict(entry), "casualties": casualties, "casualty_step": newest})


def _by_unit(entries: Iterable[NamingEntry]) -> dict[Id, list[NamingEntry]]:
    units: dict[Id, list[NamingEntry]] = {}
    for entry in entries:
        units.setdefault(unit_key(entry.expected), []).append(entry)
    return units


def _describe_unit(key: Id, entries: Sequence[NamingEntry], state: UnitState) -> ArmyUnit:
    first = entries[0].expected
    count, casualties = sum(entry.expected.count for entry in entries), sum(entry.casualties for entry in entries)
    return ArmyUnit(
        unit=key, side=first.side, name=first.unit_name or first.name, count=count, casualties=casualties,
        is_destroyed=casualties >= count, points=first.points, state=state,
    )  # fmt: skip


def _add_points(side: str, units: Iterable[ArmyUnit]) -> ArmyPoints:
    """What the side's list costs, and its units of which nobody is left."""
    own = [unit for unit in units if unit.side == side]
    return ArmyPoints(
        side=side,
        total=sum(unit.points or 0 for unit in own),
        destroyed=sum(unit.points or 0 for unit in own if unit.is_destroyed),
    )


def casualty_correction(naming: ListNaming, state: TableState | None, casualty: Casualty) -> Correction:
    """One of an entry is lost: the miniature that is named, which then stands in no answer, else one that has no name.

    Raises: BadCorrection when the entry is not there, has nobody left, or it is not said which of its bases fell.
    """
    entry = next((known for known in naming.entries if known.expected.entry == casualty.entry), None)
    if entry is None:
        raise BadCorrection(f"No list has an entry {casualty.entry!r}.", field="entry", value=casualty.entry)
    if casualty.id is not None:
        return _remove(entry, state, casualty.id)
    nameless = entry.expected.count - len(entry.named) - entry.casualties
    if nameless < 1:
        says = "Say which of its bases fell." if entry.named else f"Nobody is left of {entry.expected.name}."
        raise BadCorrection(says, field="id", value=None)
    return AbsenceCorrection(
        do="absent", why="casualty", side=entry.expected.side, base=entry.expected.base, entry=casualty.entry
    )


def _remove(entry: NamingEntry, state: TableState | None, id_: Id) -> MiniatureCorrection:
    standing = {m.id: m for m in (() if state is None else state.miniatures)}
    if id_ not in entry.named or id_ not in standing:
        raise BadCorrection(f"{id_!r} does not stand as {entry.expected.name}.", field="id", value=id_)
    return MiniatureCorrection(do="miniature", ids=(id_,), status=(*standing[id_].status, "removed"), seen_mm={})


def new_turn(naming: ListNaming, side: str) -> CorrectionGroup:
    """A turn of this side begins: none of its units has activated. Raises: BadCorrection when none had."""
    spent = [unit.unit for unit in naming.units if unit.side == side and unit.state.is_activated]
    if not spent:
        raise BadCorrection(f"No unit of {side} is marked as activated.", field="side", value=side)
    rested = tuple(ArmyCorrection(do="army", unit=unit, is_activated=False) for unit in spent)
    return CorrectionGroup(do="several", corrections=rested)
