"""Journal entries of settlements: a question that was too close to call was settled."""

from typing import Any, Literal

from api.journal.entry import Entry
from api.seats.permissions import Seat
from api.settlements.schemas import Way
from models.verdict import Answer
from models.vocabulary import Id, Point


class DoubtSettled(Entry):
    """The players settled it; `stood_mm` is where those stood whom the question names."""

    type: Literal["doubt-settled"] = "doubt-settled"
    by: Seat
    query: dict[str, Any]
    how: Way
    answer: Answer | None
    die: int | None = None
    stood_mm: dict[Id, Point]
