"""Seat schemas: joining by a code, who holds which seat, the codes to hand out, who plays and how the game stands."""

import secrets
from typing import Annotated

from pydantic import AfterValidator, Field

from api.seats.permissions import CALLED, Door, Edge, Player, Right, Seat
from models.frozen import Frozen

MOST_POINTS = 10_000
LONGEST_NAME = 40


def _check_name(name: str) -> str:
    """The name without blanks around it. Raises: ValueError when it cannot be read, or is that of a seat."""
    name = " ".join(name.split(" ")).strip()
    if not name.isprintable() or not any(letter.isalnum() for letter in name):
        raise ValueError("a name has letters, and nothing that cannot be seen")
    if name.casefold() in {called.casefold() for called in CALLED.values()}:
        raise ValueError("that is what a seat is called")
    return name


PlayerName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_check_name)]
SideName = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_check_name)]


CODE_LENGTH = 6
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no 0 and O, 1, I and L, no U that is heard as V: 30 ** 6 codes


def new_code() -> str:
    """A random code of `CODE_LENGTH` letters."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def normalise_code(typed: str) -> str:
    """The code that was meant, whatever its case, blanks and dashes."""
    return "".join(typed.upper().split()).replace("-", "")


class JoinRequest(Frozen, json_schema_extra={"examples": [{"code": "7K2M4P"}]}):
    """The code somebody scanned or typed; case, blanks and dashes do not matter."""

    code: str = Field(min_length=CODE_LENGTH, max_length=40)


class SeatStatus(Frozen):
    """Who I am at this table. `token` is told once, to who joins: `Authorization: Bearer TOKEN`."""

    seat: Seat
    rights: tuple[Right, ...]
    has_joined: bool
    token: str | None = None
    table_key: str | None = Field(None, description="the key that signs this table's journal, in words; note it down")


class SeatChange(Frozen, json_schema_extra={"examples": [{"seat": "player-b"}]}):
    """The chair a player wants to take."""

    seat: Player


class Invitation(Frozen):
    """A code to hand out; `path` is what a QR code shows behind the server's address."""

    opens: Door
    code: str
    path: str


class SeatOverview(Frozen):
    """How many devices hold each seat, and the codes that the asker may hand out."""

    devices: dict[Seat, int]
    invitations: tuple[Invitation, ...]


class CodeRenewal(Frozen, json_schema_extra={"examples": [{"door": "players"}]}):
    """The door that gets a new code; the old one opens it no more."""

    door: Door
    withdraws: bool = Field(False, description="whether those who came in by the old code lose their seats")


class NewPlayer(Frozen, json_schema_extra={"examples": [{"name": "Mara", "side": "blue", "edge": "near"}]}):
    """What a player is called, on which side, and at which edge; `seen` is the line of what the asker knew of it."""

    name: PlayerName
    side: SideName | None = None
    edge: Edge | None = None
    seen: int | None = Field(None, ge=0, description="0: nothing; null: it need not be compared")


class NewScore(Frozen, json_schema_extra={"examples": [{"round": 2, "points": {"player-a": 3, "player-b": 1}}]}):
    """How the game stands; `seen` is the line of the score that the asker knew of."""

    round: int | None = Field(None, ge=1, le=99)
    points: dict[Player, Annotated[float, Field(ge=0, le=MOST_POINTS)]] = Field(min_length=2, max_length=2)
    seen: int | None = Field(None, ge=0, description="0: none; null: it need not be compared")


class SeatedPlayer(Frozen):
    """Who plays in a seat; `n` is the line of the journal that says so."""

    n: int
    by: Seat = Field(description="who said it")
    name: str
    side: str | None
    edge: Edge | None


class Score(Frozen):
    """How the game stands; `n` is the line of the journal that says so."""

    n: int
    by: Seat = Field(description="who said it")
    round: int | None
    points: dict[Player, float]


class Scoreboard(Frozen):
    """Who plays, and how the game stands; null: nobody has said."""

    players: dict[Player, SeatedPlayer] = {}
    score: Score | None = None
