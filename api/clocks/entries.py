"""What the journal keeps of the clocks."""

from typing import Annotated, Literal

from pydantic import Field

from api.journal.entry import Entry
from api.seats.seat import Seat

MINUTE_S = 60.0
Why = Annotated[str, Field(min_length=1, max_length=80)]


class ClocksSet(Entry):
    """Both clocks show this long, and stand."""

    type: Literal["clocks-set"] = "clocks-set"
    by: Seat
    total_s: float = Field(gt=0, le=24 * 60 * MINUTE_S)


class ClockPassed(Entry):
    """This player's clock runs from now on."""

    type: Literal["clock-passed"] = "clock-passed"
    by: Seat
    to: Literal["player-a", "player-b"]


class ClocksStopped(Entry):
    """Nobody's clock runs."""

    type: Literal["clocks-stopped"] = "clocks-stopped"
    by: Seat
    why: Why = "ruling"


class ClocksStarted(Entry):
    """The clock that was stopped runs on."""

    type: Literal["clocks-started"] = "clocks-started"
    by: Seat


class ClocksExtended(Entry):
    """A player is given this long, or has it taken away; null: the round ends as much later."""

    type: Literal["clocks-extended"] = "clocks-extended"
    by: Seat
    player: Literal["player-a", "player-b"] | None
    by_s: float = Field(ge=-3600, le=3600)
    note: Why


class ClocksPutAway(Entry):
    """This game is played without clocks, or is over."""

    type: Literal["clocks-put-away"] = "clocks-put-away"
    by: Seat
