"""Journal entries of the hall: a player calls a judge, and what the hall asked of the table was done."""

from typing import Any, Literal

from pydantic import Field

from api.clocks.entries import Player
from api.hall.rounds import GameResult
from api.journal.entry import Entry
from api.seats.permissions import Seat


class JudgeCalled(Entry):
    """A player wants a judge at the table; `verdict` says in words what is in dispute, where one was attached."""

    type: Literal["judge-called"] = "judge-called"
    by: Seat
    verdict: str | None = Field(None, max_length=300)


class CallWithdrawn(Entry):
    """The players have settled it."""

    type: Literal["call-withdrawn"] = "call-withdrawn"
    by: Seat


class OrderDone(Entry):
    """What the hall asked for was done; the same number is not done again."""

    type: Literal["order-done"] = "order-done"
    number: int = Field(ge=1)
    kind: str
    facts: dict[str, Any]
    trouble: str | None = Field(None, description="why it could not be done")


class RoundBegun(Entry):
    """The hall has begun a round: who plays here."""

    type: Literal["round-begun"] = "round-begun"
    round: int
    players: dict[Player, str]


class ResultTold(Entry):
    """A player says how the game of this round ended."""

    type: Literal["result-told"] = "result-told"
    by: Player
    round: int
    table: int
    result: GameResult


HALL_ENTRIES: tuple[type[Entry], ...] = (JudgeCalled, CallWithdrawn, OrderDone, RoundBegun, ResultTold)
