"""Journal entries of seats: the codes, and the devices that joined."""

from typing import Literal

from api.journal.entry import Entry
from api.seats.permissions import Door, Seat


class CodesMade(Entry):
    """Codes of this table, made once, so that a printed one stays good; later ones replace those of the same doors."""

    type: Literal["codes-made"] = "codes-made"
    codes: dict[Door, str]


class DeviceJoined(Entry):
    """A device has this seat from now on; its token is not kept, only what tells it again."""

    type: Literal["joined"] = "joined"
    seat: Seat
    token_sha256: str


class SeatsWithdrawn(Entry):
    """Whoever came in by this door until now holds no seat any more."""

    type: Literal["seats-withdrawn"] = "seats-withdrawn"
    by: Seat
    door: Door
