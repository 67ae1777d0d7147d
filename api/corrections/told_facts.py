"""Told facts: what one player said that no camera saw, until the other player agrees or the judge sets it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from pydantic import Field

from api.corrections.apply import is_where_seen
from api.corrections.schemas import Correction, CorrectionGroup, CorrectionStep, MiniatureCorrection
from api.seats.permissions import Seat
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import Profile
from models.state import TableState
from models.vocabulary import Id

FactKind = Literal["facing", "card", "state"]

_KINDS: Mapping[str, FactKind] = {
    "facing_deg": "facing",
    "front_arc_deg": "facing",
    "profile": "card",
    "status": "state",
    "role": "state",
    "type": "state",
}
"""What decides answers and no camera sees; a name, a side and a size change no measurement, or are seen."""

_PLAYERS: tuple[Seat, ...] = ("player-a", "player-b")
_CHANGED = "changed for this game"


class ToldFact(Frozen):
    """What a player said of these miniatures, in a step that nobody has agreed to yet."""

    n: int = Field(description="the step, by which it is agreed to or taken back")
    by: Seat
    kind: FactKind
    ids: tuple[Id, ...]


def open_facts(steps: Iterable[CorrectionStep], state: TableState) -> tuple[ToldFact, ...]:
    """What holds on this table by one player's word alone, the oldest first."""
    held: dict[tuple[Id, str], tuple[CorrectionStep, bool]] = {}
    for step in steps:
        if not step.is_undone:
            for one in _miniature_corrections(step.correction):
                held |= {(id_, field): (step, _is_open(step, field, one)) for id_, field in _facts_of(one, state)}
    told: dict[tuple[int, FactKind], list[Id]] = {}
    seats: dict[int, Seat] = {}
    for (id_, field), (step, is_open) in held.items():
        if is_open:
            told.setdefault((step.n, _KINDS[field]), []).append(id_)
            seats[step.n] = step.by
    return tuple(
        ToldFact(n=n, by=seats[n], kind=kind, ids=tuple(dict.fromkeys(ids))) for (n, kind), ids in sorted(told.items())
    )


def without_facts(correction: Correction) -> Correction | None:
    """The correction without what no camera sees; None where it tells nothing else."""
    if isinstance(correction, CorrectionGroup):
        rest = tuple(one for one in map(without_facts, correction.corrections) if one is not None)
        return CorrectionGroup(do="several", corrections=rest) if rest else None
    if not isinstance(correction, MiniatureCorrection):
        return correction
    kept = {name: value for name, value in correction if not (name in _KINDS and _is_told(name, correction))}
    rest_fields = set(correction.stated_fields()) & kept.keys()
    return MiniatureCorrection(**kept) if rest_fields else None


def is_open_step(step: CorrectionStep) -> bool:
    """Whether this step tells by one player's word what decides answers."""
    facts = (name for one in _miniature_corrections(step.correction) for name in _KINDS if _is_told(name, one))
    return step.by in _PLAYERS and step.agreed_by is None and next(facts, None) is not None


def _facts_of(told: MiniatureCorrection, state: TableState) -> Iterator[tuple[Id, str]]:
    """Of whom it tells which of the fields, as far as that holds on this table."""
    standing = {m.id: m for m in state.miniatures}
    for field in _KINDS.keys() & told.stated_fields().keys():
        for id_ in told.ids:
            if id_ in standing and (field != "facing_deg" or _is_unmoved(standing[id_], told)):
                yield id_, field


def _is_unmoved(miniature: Miniature, told: MiniatureCorrection) -> bool:
    seen_mm = told.seen_mm.get(miniature.id)
    return seen_mm is not None and is_where_seen(miniature, seen_mm)


def _is_open(step: CorrectionStep, field: str, told: MiniatureCorrection) -> bool:
    return step.by in _PLAYERS and step.agreed_by is None and _is_told(field, told)


def _is_told(field: str, told: MiniatureCorrection) -> bool:
    """Whether somebody said it; a card that was read from a list or a library is nobody's word."""
    value = getattr(told, field, None)
    if isinstance(value, Profile):
        return value.source is None or value.source.endswith(_CHANGED)
    return value is not None


def _miniature_corrections(correction: Correction) -> Iterator[MiniatureCorrection]:
    if isinstance(correction, CorrectionGroup):
        for one in correction.corrections:
            yield from _miniature_corrections(one)
    elif isinstance(correction, MiniatureCorrection):
        yield correction
