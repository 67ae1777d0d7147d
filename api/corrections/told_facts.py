"""Told facts: what one player said that no camera saw, until the other player agrees or the judge sets it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from api.corrections.placed_bases import is_where_seen
from api.corrections.schemas import (
    BaseCorrection,
    CompletionCorrection,
    ContactCorrection,
    Correction,
    CorrectionGroup,
    CorrectionStep,
    MiniatureCorrection,
    PlacementCorrection,
    RemovalCorrection,
    SingleCorrection,
    TableCorrection,
)
from api.seats.permissions import Seat
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import Profile
from models.state import TableState
from models.vocabulary import Id, Point

FactKind = Literal["facing", "card", "state", "contact", "thing", "removal", "base", "rules"]

_KINDS: Mapping[str, FactKind] = {
    "facing_deg": "facing",
    "front_arc_deg": "facing",
    "profile": "card",
    "status": "state",
    "role": "state",
    "type": "state",
}
"""What decides answers and no camera sees; a name, a side and a size change no measurement, or are seen."""

IF_TOLD: Mapping[FactKind, str] = {
    "facing": "if it faces so",
    "card": "if its card is so",
    "state": "if it is so",
    "contact": "if they touch so",
    "thing": "if it lies so",
    "removal": "if it is gone",
    "base": "if it stands so",
    "rules": "if it is played so",
}
"""What an answer says that rests on it."""

OF_THE_TABLE: tuple[FactKind, ...] = ("thing", "removal", "rules")
"""Kinds that tell of the table and not of one miniature: what lies there, or does not, and what it is played by."""

_PLAYERS: tuple[Seat, ...] = ("player-a", "player-b")
_CHANGED = "changed for this game"


class ToldFact(Frozen):
    """What a player said of these miniatures or things, in a step that nobody has agreed to yet."""

    n: int = Field(description="the step, by which it is agreed to or taken back")
    by: Seat
    kind: FactKind
    ids: tuple[Id, ...] = Field(description="of whom, of which things, or which settings of the table")


class RecordedFact(ToldFact):
    """What somebody said that no camera saw, for the record."""

    agreed_by: Seat | None = Field(description="the other player or the judge; null: nobody agreed")


@dataclass(frozen=True)
class _Statement:
    """One word of a step: what it is about, by which a later one replaces it, and whether it still says something."""

    key: tuple[str, str]
    kind: FactKind
    ids: tuple[Id, ...]
    is_told: bool = True


def recorded_facts(steps: Iterable[CorrectionStep], state: TableState) -> tuple[RecordedFact, ...]:
    """What holds on this table by somebody's word, agreed to or not, the oldest first."""
    held: dict[tuple[str, str], tuple[CorrectionStep, _Statement]] = {}
    for step in steps:
        if not step.is_undone:
            held |= {said.key: (step, said) for said in _statements(step, state)}
    ids: dict[tuple[int, FactKind], list[Id]] = {}
    made: dict[int, CorrectionStep] = {}
    for step, said in held.values():
        if said.is_told:
            ids.setdefault((step.n, said.kind), []).extend(said.ids)
            made[step.n] = step
    return tuple(
        RecordedFact(n=n, by=made[n].by, kind=kind, ids=tuple(dict.fromkeys(of)), agreed_by=made[n].agreed_by)
        for (n, kind), of in sorted(ids.items())
    )


def open_facts(steps: Iterable[CorrectionStep], state: TableState) -> tuple[ToldFact, ...]:
    """What holds on this table by one player's word alone, the oldest first."""
    return tuple(
        ToldFact(n=fact.n, by=fact.by, kind=fact.kind, ids=fact.ids)
        for fact in recorded_facts(steps, state)
        if fact.by in _PLAYERS and fact.agreed_by is None
    )


def without_facts(step: CorrectionStep, *, of_the_table_only: bool = False) -> Correction | None:
    """What the step corrects without what no camera sees; None where it tells nothing else."""
    each = (_without_facts(step, single, of_the_table_only) for single in _single_corrections(step.correction))
    rest = tuple(single for single in each if single is not None)
    if isinstance(step.correction, CorrectionGroup):
        return CorrectionGroup(do="several", corrections=rest) if rest else None
    return rest[0] if rest else None


def _without_facts(
    step: CorrectionStep, correction: SingleCorrection, of_the_table_only: bool
) -> SingleCorrection | None:
    match correction:
        case TableCorrection():
            return None if step.has_opponent else correction
        case PlacementCorrection(units=units):
            return PlacementCorrection(do="lay", units=units) if units else None
        case RemovalCorrection():
            return None
        case BaseCorrection() if not of_the_table_only:
            return None if _is_by_hand(correction) else correction
        case ContactCorrection():
            return correction if of_the_table_only else None
        case MiniatureCorrection() if not of_the_table_only:
            kept = {name: value for name, value in correction if not (name in _KINDS and _is_told(name, correction))}
            is_left = correction.stated_fields().keys() & kept.keys()
            return MiniatureCorrection(**kept) if is_left else None
        case _:
            return correction


def is_open_step(step: CorrectionStep) -> bool:
    """Whether this step tells by one player's word what decides answers."""
    if step.by not in _PLAYERS or step.agreed_by is not None:
        return False
    return any(_decides(step, single) for single in _single_corrections(step.correction))


def _decides(step: CorrectionStep, correction: SingleCorrection) -> bool:
    match correction:
        case MiniatureCorrection():
            return any(_is_told(name, correction) for name in _KINDS)
        case PlacementCorrection():
            return bool(_laid_ids(correction))
        case TableCorrection() | CompletionCorrection():
            return step.has_opponent
        case BaseCorrection():
            return step.has_opponent and _is_by_hand(correction)
        case _:
            return isinstance(correction, RemovalCorrection | ContactCorrection)


def _statements(step: CorrectionStep, state: TableState) -> Iterator[_Statement]:
    """What it tells, as far as that holds on this table."""
    standing = {m.id: m for m in state.miniatures}
    for single in _single_corrections(step.correction):
        match single:
            case MiniatureCorrection():
                yield from _miniature_statements(single, standing)
            case ContactCorrection(a=a, b=b, seen_mm=seen_mm):
                if all(id_ in standing and _is_unmoved(standing[id_], seen_mm) for id_ in (a, b)):
                    yield _Statement((" ".join(sorted((a, b))), "contact"), "contact", (a, b))
            case PlacementCorrection():
                yield from (_Statement((id_, "thing"), "thing", (id_,)) for id_ in _laid_ids(single))
            case RemovalCorrection(ids=ids):
                yield from (_Statement((id_, "thing"), "removal", (id_,)) for id_ in ids)
            case BaseCorrection(id=id_) if step.has_opponent and id_ in standing and _is_by_hand(single):
                yield _Statement((id_, "place"), "base", (id_,), _holds_by_hand(single, standing[id_]))
            case TableCorrection():
                for name in single.stated_fields():
                    yield _Statement(("", name), "rules", (name.replace("_", " "),), step.has_opponent)


def is_waiting(step: CorrectionStep) -> bool:
    """Whether it holds only once the other player agrees: one player alone calls no table complete."""
    return isinstance(step.correction, CompletionCorrection) and is_open_step(step)


def _is_by_hand(correction: BaseCorrection) -> bool:
    """Whether it says what the camera has not borne out since."""
    return correction.measured_id is None and not correction.is_over


def _holds_by_hand(correction: BaseCorrection, miniature: Miniature) -> bool:
    """Whether place or size of this miniature still rest on it."""
    return miniature.placement == "by-hand" or miniature.base != (correction.seen_base or miniature.base)


def _miniature_statements(correction: MiniatureCorrection, standing: Mapping[Id, Miniature]) -> Iterator[_Statement]:
    for field in _KINDS.keys() & correction.stated_fields().keys():
        for id_ in correction.ids:
            if id_ in standing and (field != "facing_deg" or _is_unmoved(standing[id_], correction.seen_mm)):
                yield _Statement((id_, field), _KINDS[field], (id_,), _is_told(field, correction))


def _laid_ids(lay: PlacementCorrection) -> tuple[Id, ...]:
    """What it lays on the table; a unit lies nowhere."""
    return tuple(thing.id for name, laid in lay.things() if name != "units" for thing in laid)


def _is_unmoved(miniature: Miniature, seen_mm: Mapping[Id, Point]) -> bool:
    return miniature.id in seen_mm and is_where_seen(miniature, seen_mm[miniature.id])


def _is_told(field: str, correction: MiniatureCorrection) -> bool:
    """Whether somebody said it; a card that was read from a list or a library is nobody's word."""
    value = getattr(correction, field, None)
    if isinstance(value, Profile):
        return value.source is None or value.source.endswith(_CHANGED)
    return value is not None


def _single_corrections(correction: Correction) -> Iterator[SingleCorrection]:
    if isinstance(correction, CorrectionGroup):
        yield from correction.corrections
    else:
        yield correction
