"""Journal entries of seats: the codes, the devices that joined, who plays in a seat, and how the game stands."""

from typing import Literal

from api.journal.entry import Entry
from api.seats.permissions import Door, Edge, Player, Seat


class CodesMade(Entry):
    """New codes open these doors from now on. The codes themselves are kept apart; older versions wrote them here."""

    type: Literal["codes-made"] = "codes-made"
    codes: dict[Door, str] = {}
    doors: tuple[Door, ...] = ()


class DeviceJoined(Entry):
    """A device has this seat from now on; its token is not kept, only what tells it again."""

    type: Literal["joined"] = "joined"
    seat: Seat
    token_sha256: str


class SeatsWithdrawn(Entry):
    """Who came in by this door until now holds no seat any more."""

    type: Literal["seats-withdrawn"] = "seats-withdrawn"
    by: Seat
    door: Door


class PlayerNamed(Entry):
    """Who plays in this seat: what the player is called, on which side, and at which edge of the table."""

    type: Literal["player-named"] = "player-named"
    by: Seat
    seat: Player
    name: str
    side: str | None = None
    edge: Edge | None = None


class ScoreSaid(Entry):
    """How the game stands, as somebody at the table says."""

    type: Literal["score-said"] = "score-said"
    by: Seat
    round: int | None = None
    points: dict[Player, float]
