"""Journal entries of rulings: everything the verdict stood on, so that it can be looked at for ever."""

from typing import Literal

from pydantic import Field

from api.answers.answer_line import Line
from api.corrections.told_facts import RecordedFact
from api.evidence.schemas import Evidence
from api.journal.entry import Entry
from api.rulings.basis import RulingBasis
from api.rulings.schemas import Decision, RulingSubject, TapeComparison
from api.seats.permissions import Seat
from models.state import TableState


class RulingMade(Entry):
    """The judge has decided. `state` is the table the verdict is about, as supposed by players and tape."""

    type: Literal["ruled"] = "ruled"
    by: Seat
    decision: Decision
    stands: str | None
    reason: str
    about: RulingSubject
    line: Line
    compared: TapeComparison | None
    state: TableState
    key: str | None = None
    evidence: Evidence | None = Field(None, description="files beside the journal; null: none could be kept")
    told: tuple[RecordedFact, ...] = Field((), description="what was said of the two and of the table, and who agreed")
    basis: RulingBasis | None = Field(None, description="what must not move; null: it lies over no verdict")
    waits_for: tuple[Seat, ...] = Field((), description="players at the table then: each is to see it")


class RollDecided(Entry):
    """The players rolled, as the judge had let them."""

    type: Literal["roll-decided"] = "roll-decided"
    by: Seat
    ruling: int = Field(ge=1)
    stands: str


class RulingSeen(Entry):
    """A player tapped that the ruling was seen."""

    type: Literal["ruling-seen"] = "ruling-seen"
    by: Seat
    ruling: int = Field(ge=1)


class RulingEnded(Entry):
    """Something that the ruling rests on moved: the referee's answer is plain again."""

    type: Literal["ruling-ended"] = "ruling-ended"
    ruling: int = Field(ge=1)
    why: str


class VerdictKept(Entry):
    """Somebody at the table keeps a verdict with its evidence; nothing is decided by it."""

    type: Literal["kept"] = "kept"
    by: Seat
    about: RulingSubject
    line: Line
    state: TableState
    evidence: Evidence = Field(description="files beside the journal")
    told: tuple[RecordedFact, ...] = Field((), description="what was said of the two and of the table, and who agreed")


class RulingWithdrawn(Entry):
    """The ruling does not hold any more; it stays in the journal."""

    type: Literal["ruling-withdrawn"] = "ruling-withdrawn"
    by: Seat
    ruling: int = Field(ge=1)
    reason: str = Field(min_length=1, max_length=400)


RULING_ENTRIES: tuple[type[Entry], ...] = (RulingMade, RollDecided, RulingSeen, RulingEnded, RulingWithdrawn)
