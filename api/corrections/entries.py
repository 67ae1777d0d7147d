"""What the journal keeps of corrections."""

from typing import Literal

from pydantic import Field

from api.corrections.correction import Correction
from api.journal.entry import Entry
from api.seats.seat import Seat


class Corrected(Entry):
    """A step; the number of its line names it."""

    type: Literal["corrected"] = "corrected"
    by: Seat
    correction: Correction


class Undone(Entry):
    """The step does not hold any more."""

    type: Literal["undone"] = "undone"
    by: Seat
    step: int = Field(ge=1)


class Redone(Entry):
    """The step holds again."""

    type: Literal["redone"] = "redone"
    by: Seat
    step: int = Field(ge=1)
