"""What the journal keeps of rulings: everything the verdict stood on, so that it can be looked at for ever."""

from typing import Literal

from pydantic import Field

from api.journal.entry import Entry
from api.line import Line
from api.rulings.ruling import About, Decision
from api.rulings.tape import Compared
from api.seats.seat import Seat
from models.state import TableState


class Ruled(Entry):
    """The judge has decided. `state` is the table the verdict is about, as supposed by players and tape."""

    type: Literal["ruled"] = "ruled"
    by: Seat
    decision: Decision
    stands: str | None
    reason: str
    about: About
    line: Line
    compared: Compared | None
    state: TableState
    key: str | None = None


class RulingWithdrawn(Entry):
    """The ruling does not hold any more; it stays in the journal."""

    type: Literal["ruling-withdrawn"] = "ruling-withdrawn"
    by: Seat
    ruling: int = Field(ge=1)
    reason: str = Field(min_length=1, max_length=400)
