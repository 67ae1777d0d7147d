"""Settlement schemas: what the players did about a verdict that is too close to call."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue

from api.seats.permissions import Seat
from models.frozen import Frozen
from models.verdict import Answer

Way = Literal["agreed", "rolled", "judge-called"]
WAY_WORDS: Mapping[Way, str] = {
    "agreed": "Both agreed",
    "rolled": "Rolled for it",
    "judge-called": "The judge was called",
}


class NewSettlement(Frozen):
    """How a question was settled. `answer` is what was agreed; a roll finds its own, and a judge answers later."""

    query: dict[str, JsonValue] = Field(description="the question as its verdict repeats it")
    how: Way
    answer: Literal["yes", "no"] | None = Field(None, description="what was agreed; only where it was agreed")


class Settlement(Frozen):
    """A settled question; it holds until somebody it asks about moves."""

    n: int = Field(description="its line of the journal")
    at_s: float
    by: Seat
    query: dict[str, JsonValue] = Field(description="the question as its verdict repeats it")
    how: Way
    answer: Answer | None
    die: int | None = Field(None, ge=1, le=6, description="what the shared die shows")
