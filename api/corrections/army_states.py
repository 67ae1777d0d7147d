"""Army states: how each unit of an army list fares by what players told: away, damaged, activated, lost."""

from collections import Counter
from collections.abc import Iterable, Iterator

from pydantic import Field

from api.corrections.schemas import (
    AbsenceCorrection,
    ArmyCorrection,
    CorrectionGroup,
    CorrectionStep,
    MiniatureCorrection,
    SingleCorrection,
)
from models.frozen import Frozen
from models.vocabulary import Id


class UnitState(Frozen):
    """What players told of a unit, beside its miniatures on the table."""

    is_in_reserve: bool = False
    inside: str = Field("", description="of which unit of the list; empty: of none")
    damage: str = Field("", description="wounds or boxes as a player writes them")
    is_activated: bool = Field(False, description="this turn")
    note: str = ""

    @property
    def is_away(self) -> bool:
        """Whether it stands nowhere for a reason other than a loss."""
        return self.is_in_reserve or self.inside != ""


def unit_states(steps: Iterable[CorrectionStep]) -> dict[Id, UnitState]:
    """The state of each unit that somebody told of; the newest word of each kind holds."""
    states: dict[Id, UnitState] = {}
    for _, single in _holding(steps):
        if isinstance(single, ArmyCorrection):
            known = states.get(single.unit, UnitState())
            states[single.unit] = UnitState(**{**dict(known), **single.stated_fields()})
    return states


def told_casualties(steps: Iterable[CorrectionStep]) -> Counter[Id]:
    """How many of each entry are told to be casualties without a miniature of their own."""
    casualties: Counter[Id] = Counter()
    for _, single in _holding(steps):
        if isinstance(single, AbsenceCorrection) and single.why == "casualty" and single.entry is not None:
            casualties[single.entry] += single.count
    return casualties


def casualty_step(steps: Iterable[CorrectionStep], entry: Id, ids: Iterable[Id]) -> int | None:
    """The newest step that told a casualty of this entry, or took one of these miniatures from play; None: none did."""
    fallen = frozenset(ids)
    return max((n for n, single in _holding(steps) if _is_loss(single, entry, fallen)), default=None)


def _holding(steps: Iterable[CorrectionStep]) -> Iterator[tuple[int, SingleCorrection]]:
    for step in steps:
        if not step.is_undone:
            made = step.correction
            singles = made.corrections if isinstance(made, CorrectionGroup) else (made,)
            yield from ((step.n, single) for single in singles)


def _is_loss(single: SingleCorrection, entry: Id, fallen: frozenset[Id]) -> bool:
    match single:
        case AbsenceCorrection(why="casualty"):
            return single.entry == entry
        case MiniatureCorrection(status=status):
            return "removed" in (status or ()) and not fallen.isdisjoint(single.ids)
        case _:
            return False
