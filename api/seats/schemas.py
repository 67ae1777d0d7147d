"""Seat schemas: joining by a code, who holds which seat, and the codes to hand out."""

from typing import Literal

from pydantic import Field

from api.seats.join_codes import LENGTH
from api.seats.permissions import Door, Right, Seat
from models.frozen import Frozen


class JoinRequest(Frozen):
    """The code somebody scanned or typed; case, blanks and dashes do not matter."""

    code: str = Field(min_length=LENGTH, max_length=40)


class SeatStatus(Frozen):
    """Who I am at this table. `token` is told once, to who joins: `Authorization: Bearer TOKEN`."""

    seat: Seat
    rights: tuple[Right, ...]
    has_joined: bool
    token: str | None = None


class SeatChange(Frozen):
    """The chair a player wants to take."""

    seat: Literal["player-a", "player-b"]


class Invitation(Frozen):
    """A code to hand out; `path` is what a QR code shows behind the server's address."""

    opens: Door
    code: str
    path: str


class SeatOverview(Frozen):
    """How many devices hold each seat, and the codes that the asker may hand out."""

    devices: dict[Seat, int]
    invitations: tuple[Invitation, ...]


class CodeRenewal(Frozen):
    """The door that gets a new code; the old one opens it no more."""

    door: Door
    withdraws: bool = Field(False, description="whether those who came in by the old code lose their seats")
