"""Journal entries of corrections: made, undone, redone; and what the camera came to see of a placed base."""

from typing import Literal

from pydantic import Field

from api.corrections.schemas import Correction
from api.journal.entry import Entry
from api.seats.permissions import Seat
from models.vocabulary import Id


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


class BaseMeasured(Entry):
    """The camera measures a base where the step placed one by hand, or a known miniature was moved there."""

    type: Literal["base-measured"] = "base-measured"
    step: int = Field(ge=1)
    by: Seat | None = Field(None, description="who placed it; null: an older version wrote this")
    agreed_by: Seat | None = Field(None, description="who had agreed by then")
    id: Id
    measured_id: Id | None = Field(description="the base's name by the camera; null: a known miniature was moved there")
