"""What the journal keeps of seats: the codes, and the devices that joined."""

from typing import Literal

from api.journal.entry import Entry
from api.seats.seat import Door, Seat


class CodesMade(Entry):
    """The codes of this table, made once, so that a printed one stays good."""

    type: Literal["codes-made"] = "codes-made"
    codes: dict[Door, str]


class Joined(Entry):
    """A device has this seat from now on; its token is not kept, only what tells it again."""

    type: Literal["joined"] = "joined"
    seat: Seat
    token_sha256: str
