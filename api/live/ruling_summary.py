"""Ruling summary: a judge's ruling in a few words, as lists, notices and rows show it."""

from pydantic import Field

from api.seats.permissions import Seat
from models.frozen import Frozen
from models.vocabulary import Id


class RulingSummary(Frozen):
    """A ruling on a list. It lies over the referee's answer while `ends` and `withdrawn` are null."""

    n: int = Field(description="its line of the journal, by which it is asked for")
    number: int = Field(description="which ruling of the game it is, from 1")
    at_s: float
    by: Seat
    slot: str
    said: str
    reason: str
    title: str
    headline: str | None
    a: str
    b: str
    ids: tuple[Id, Id]
    withdrawn: str | None
    ends: str | None = Field(None, description="what moved, so that it does not hold any more; null: it holds")
    waits_for: tuple[Seat, ...] = Field((), description="players at the table who have not tapped that they saw it")
