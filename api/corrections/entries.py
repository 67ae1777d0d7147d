"""Journal entries of corrections: made, undone, redone."""

from typing import Literal

from pydantic import Field

from api.corrections.schemas import Correction
from api.journal.entry import Entry
from api.seats.permissions import Seat


class CorrectionMade(Entry):
    """A step; the number of its line names it."""

    type: Literal["corrected"] = "corrected"
    by: Seat
    correction: Correction
    has_opponent: bool = Field(False, description="whether the other player had a seat, and can agree or not")


class CorrectionUndone(Entry):
    """The step does not hold any more."""

    type: Literal["undone"] = "undone"
    by: Seat
    step: int = Field(ge=1)


class CorrectionAgreed(Entry):
    """The other player, or the judge, agrees to what the step tells."""

    type: Literal["agreed"] = "agreed"
    by: Seat
    step: int = Field(ge=1)


class CorrectionRedone(Entry):
    """The step holds again."""

    type: Literal["redone"] = "redone"
    by: Seat
    step: int = Field(ge=1)
