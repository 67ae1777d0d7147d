"""Naming: which bases each entry of a list may be, from size, side, formation and where armies deploy.

The largest units are looked for first, each as a group of bases that stand closer together than others; what is left is
for single miniatures. A proposal names nobody: a player confirms it with a tap.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from api.corrections.army_states import told_casualties
from api.corrections.schemas import (
    CorrectionGroup,
    CorrectionStep,
    MiniatureCorrection,
    PlacementCorrection,
    SingleCorrection,
)
from api.errors import BadCorrection
from api.lists.schemas import ListNaming, NamingChoice, NamingEntry
from api.setups.schemas import ExpectedMiniature, ProposedSides, Roster
from api.setups.store import is_named
from models.base import EDITION_BASES
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import Profile
from models.state import TableState
from models.unit import Unit
from models.vocabulary import EditionId, Id, Point
from referee import edition_of

_LINK_MM = 90.0  # bases this near, edge to edge, belong to the same group at a glance
_NEAR_MM = 20.0
_LEADERS = frozenset({"commander", "officer"})


@dataclass
class _Open:
    """Entries without miniatures, and the miniatures without a name."""

    entries: list[ExpectedMiniature]
    missing: dict[str, int]
    pool: list[Miniature]
    sides: Mapping[Id, str]
    proposed: dict[str, tuple[Id, ...]] = field(default_factory=dict)


def naming_of(
    roster: Roster, state: TableState | None, steps: Sequence[CorrectionStep] = (), looks: ProposedSides | None = None
) -> ListNaming:
    """Every entry with the miniatures of its name, those that left the table with it, and those that may be it."""
    entries = [entry for entry in roster.expected if entry.entry is not None]
    standing = [] if state is None else [m for m in state.miniatures if "removed" not in m.status]
    unit_names = {} if state is None else {unit.id: unit.name for unit in state.units}
    named = {entry.entry or "": [m.id for m in standing if is_named(m, entry, unit_names)] for entry in entries}
    fallen = _find_fallen(entries, steps, {m.id for m in standing})
    lost = told_casualties(steps)
    missing = {
        key: max(0, entry.count - len(named[key]) - len(fallen[key]) - lost[key])
        for entry in entries
        for key in (entry.entry or "",)
    }
    taken = {id_ for ids in named.values() for id_ in ids}
    pool = [m for m in standing if m.id not in taken]
    left = _Open(entries, missing, pool, {} if state is None else sides_of(state, looks))
    _propose(left, state)
    return ListNaming(
        lists=roster.lists,
        entries=tuple(
            NamingEntry(
                expected=entry,
                named=tuple(named[entry.entry or ""]),
                fallen=fallen[entry.entry or ""],
                proposed=left.proposed.get(entry.entry or "", ()),
                is_sure=_is_sure(entry, left, pool),
            )
            for entry in entries
        ),
        notes=tuple(_notes(roster, entries, standing, state)),
    )


def sides_of(state: TableState, looks: ProposedSides | None) -> dict[Id, str]:
    """Side of each base: as players say, else as its paint looks, else by the edge it stands nearer to."""
    side_by_id = {m.id: m.side for m in state.miniatures if m.side is not None}
    edges = {str(side.edge): side.id for side in state.sides if side.edge is not None}
    for group in looks.sides if looks is not None else ():
        name = group.name if group.name not in ("near", "far") else edges.get(group.name)
        for id_ in group.ids if name is not None else ():
            side_by_id.setdefault(id_, name or "")
    for m in state.miniatures:
        side = _side_by_edge(m, state, edges)
        if side is not None:
            side_by_id.setdefault(m.id, side)
    return side_by_id


def _side_by_edge(m: Miniature, state: TableState, edges: Mapping[str, str]) -> str | None:
    size = state.table
    far = {
        "near": m.at_mm[1],
        "far": size.depth_mm - m.at_mm[1],
        "left": m.at_mm[0],
        "right": size.width_mm - m.at_mm[0],
    }
    return edges.get(min((edge for edge in far if edge in edges), key=lambda edge: far[edge], default=""))


def _find_fallen(
    entries: Sequence[ExpectedMiniature], steps: Iterable[CorrectionStep], standing: set[Id]
) -> dict[str, tuple[Id, ...]]:
    """Named miniatures that left the table, by the newest name of each."""
    last: dict[Id, MiniatureCorrection] = {}
    for step in steps:
        correction = step.correction
        if step.is_undone:
            continue
        for single in correction.corrections if isinstance(correction, CorrectionGroup) else (correction,):
            if isinstance(single, MiniatureCorrection) and single.name is not None:
                last |= dict.fromkeys(single.ids, single)
    fallen: dict[str, list[Id]] = {entry.entry or "": [] for entry in entries}
    for id_, naming in last.items():
        if id_ in standing:
            continue
        for entry in entries:
            same = (naming.name, naming.side) == (entry.name, entry.side) and naming.unit in (None, entry.unit)
            if same:
                fallen[entry.entry or ""].append(id_)
                break
    return {key: tuple(ids) for key, ids in fallen.items()}


def _propose(left: _Open, state: TableState | None) -> None:
    units: dict[str, list[ExpectedMiniature]] = {}
    for entry in left.entries:
        if left.missing[entry.entry or ""] > 0:
            units.setdefault(entry.unit or entry.entry or "", []).append(entry)
    free = {m.id: m for m in left.pool}
    in_order = sorted(units.values(), key=lambda group: -sum(left.missing[entry.entry or ""] for entry in group))
    for group in in_order:
        for base in {entry.base for entry in group}:
            alike = [entry for entry in group if entry.base == base]
            wanted = sum(left.missing[entry.entry or ""] for entry in alike)
            fits = [m for m in free.values() if base in (None, m.base) and _is_of(m, group[0], left.sides)]
            chosen = _choose_group(fits, wanted)
            for entry in sorted(alike, key=lambda entry: left.missing[entry.entry or ""]):
                ids = tuple(m.id for m in chosen[: left.missing[entry.entry or ""]])
                chosen = chosen[len(ids) :]
                left.proposed[entry.entry or ""] = ids
                for id_ in ids:
                    del free[id_]


def _is_of(m: Miniature, entry: ExpectedMiniature, sides: Mapping[Id, str]) -> bool:
    return entry.side is None or sides.get(m.id, entry.side) == entry.side


def _choose_group(fits: Sequence[Miniature], wanted: int) -> list[Miniature]:
    """As many as are wanted that stand together: a measured unit or a group of that size, else the closest few."""
    if wanted == 0 or len(fits) <= wanted:
        return _in_line(fits)
    by_unit: dict[Id, list[Miniature]] = {}
    for m in fits:
        if m.unit is not None:
            by_unit.setdefault(m.unit, []).append(m)
    groups = [*by_unit.values(), *_clusters(fits)]
    exact = next((group for group in groups if len(group) == wanted), None)
    if exact is not None:
        return _in_line(exact)
    larger = [m for group in groups if len(group) > wanted for m in group] or list(fits)
    around = [sorted(larger, key=lambda m: math.dist(m.at_mm, seed.at_mm))[:wanted] for seed in larger]
    closest = min(around, key=_spread_mm)
    return _in_line(closest)


def _spread_mm(some: Sequence[Miniature]) -> float:
    return math.dist(some[0].at_mm, some[-1].at_mm)


def _clusters(fits: Sequence[Miniature]) -> list[list[Miniature]]:
    rest, groups = list(fits), list[list[Miniature]]()
    while rest:
        group, edge = list[Miniature](), [rest.pop()]
        while edge:
            linked = edge.pop()
            group.append(linked)
            near = [m for m in rest if math.dist(m.at_mm, linked.at_mm) - _half_mm(m) - _half_mm(linked) < _LINK_MM]
            rest = [m for m in rest if m not in near]
            edge += near
        groups.append(group)
    return groups


def _half_mm(m: Miniature) -> float:
    sizes = m.base.model_dump(exclude={"shape", "counts_as_mm"}).values()
    return float(max(sizes)) / 2


def _in_line(some: Iterable[Miniature]) -> list[Miniature]:
    """From left to right, so that the same table always gives the same proposal."""
    return sorted(some, key=lambda m: (m.rank or 0, m.file or 0, round(m.at_mm[0], 1), m.at_mm[1], m.id))


def _is_sure(entry: ExpectedMiniature, left: _Open, pool: Sequence[Miniature]) -> bool:
    """Whether those that fit are as many as are missing, and no other entry of theirs may be them."""
    wanted = left.missing[entry.entry or ""]
    fits = [m for m in pool if entry.base in (None, m.base) and _is_of(m, entry, left.sides)]
    rivals = [
        other
        for other in left.entries
        if other.entry != entry.entry and left.missing[other.entry or ""] > 0 and other.side == entry.side
        if other.base in (None, entry.base) or entry.base is None
    ]
    return wanted > 0 and len(fits) == wanted and not rivals


def _notes(
    roster: Roster, entries: Sequence[ExpectedMiniature], standing: Sequence[Miniature], state: TableState | None
) -> Iterable[str]:
    """What does not go together: too many for the table, the same name twice, sizes that nobody sells."""
    listed = sum(entry.count for entry in entries)
    if state is not None and entries and listed > 2 * max(1, len(standing)):
        yield f"The lists hold {listed} miniatures, and {len(standing)} stand on the table: are these the right lists?"
    sides = Counter((army.name, army.side) for army in roster.lists if army.name)
    names = Counter(name for name, _ in sides)
    for name, times in names.items():
        if times > 1:
            yield f"Both lists are called “{name}”: is one of them the other player's?"
    for entry in entries:
        if state is not None and entry.base is not None and entry.base not in EDITION_BASES[state.edition]:
            yield f"{entry.name}: no base of the rulebook is of the size the list tells. What is measured will hold."
    games = {army.game for army in roster.lists if army.edition is None and army.game}
    for game in sorted(game for game in games if state is None or not _names_game(game, state.edition)):
        yield f"{game} is no rulebook here: names, counts and base sizes are taken from it."


def _names_game(game: str, edition: EditionId) -> bool:
    """Whether a list calls the game that is played here without its edition, as most list builders do."""
    return set(game.lower().split()) <= set(edition.split("-"))


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
