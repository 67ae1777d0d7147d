"""Journal entries of the clocks: set, passed, stopped, extended."""

from typing import Annotated, Literal

from pydantic import Field

from api.journal.entry import Entry
from api.seats.permissions import Seat

MINUTE_S = 60.0
MOST_GIVEN_S = 24 * 60 * MINUTE_S  # a night without the server, given back
Why = Annotated[str, Field(min_length=1, max_length=80)]


class ClockDeed(Entry):
    """Something is done to the clocks. `clock_s` is when by a clock that nobody sets while the server runs.

    It shows seconds since 1970 when its server starts; null: an older server went by the machine's clock.
    """

    clock_s: float | None = None


class ClocksSet(ClockDeed):
    """Both clocks show this long, and stand."""

    type: Literal["clocks-set"] = "clocks-set"
    by: Seat
    total_s: float = Field(gt=0, le=24 * 60 * MINUTE_S)
    increment_s: float | None = Field(None, gt=0, le=10 * MINUTE_S, description="what each turn ended gains")


class ClockPassed(ClockDeed):
    """This player's clock runs from now on."""

    type: Literal["clock-passed"] = "clock-passed"
    by: Seat
    to: Literal["player-a", "player-b"]


class ClockRunOut(ClockDeed):
    """This player's time is over: the flag has fallen."""

    type: Literal["clock-run-out"] = "clock-run-out"
    player: Literal["player-a", "player-b"]


class ClocksStopped(ClockDeed):
    """Nobody's clock runs."""

    type: Literal["clocks-stopped"] = "clocks-stopped"
    by: Seat
    why: Why = "ruling"


class ClocksStarted(ClockDeed):
    """The clock that was stopped runs on."""

    type: Literal["clocks-started"] = "clocks-started"
    by: Seat


class ClocksExtended(ClockDeed):
    """A player is given this long, or has it taken away; null: the round ends as much later."""

    type: Literal["clocks-extended"] = "clocks-extended"
    by: Seat
    player: Literal["player-a", "player-b"] | None
    by_s: float = Field(ge=-3600, le=MOST_GIVEN_S)
    note: Why


class ClocksPutAway(ClockDeed):
    """This game is played without clocks, or is over."""

    type: Literal["clocks-put-away"] = "clocks-put-away"
    by: Seat


class ClocksKept(ClockDeed):
    """A clock runs, and so does the server: where these lines break off, it was away."""

    MUST_LAST = False
    type: Literal["clocks-kept"] = "clocks-kept"
