"""The clocks over HTTP. Players pass the clock to each other; everything else is the judge's."""

import time
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from api.clocks.clocks import Player
from api.clocks.desk import ClockDesk
from api.clocks.entries import (
    MINUTE_S,
    ClockPassed,
    ClocksExtended,
    ClocksPutAway,
    ClocksSet,
    ClocksStarted,
    ClocksStopped,
    Why,
)
from api.clocks.told import ClocksTold
from api.errors import JournalFailed, NoClocks
from api.journal.entry import Entry
from api.openapi import problems
from api.seats.asking import needs
from api.seats.seat import Right, Seat
from models.frozen import Frozen

Judge = Annotated[Seat, needs(Right.RULE)]
AtTheTable = Annotated[Seat, needs(Right.CORRECT)]
PREFIX = "/api/v1/clocks"
_KEPT = problems(JournalFailed)
_SET = problems(NoClocks, JournalFailed)


class SetClocks(Frozen):
    """How long each player has."""

    minutes: float = Field(gt=0, le=24 * 60)


class PassClock(Frozen):
    """Whose turn it is now."""

    to: Player


class StopClocks(Frozen):
    """Why nobody's clock runs."""

    why: Why = "ruling"


class ExtendClocks(Frozen):
    """What a player is given, with a note why; without a player, what the round is longer."""

    player: Player | None = None
    minutes: float = Field(ge=-60, le=60)
    note: Why


def clocking(desk: ClockDesk) -> APIRouter:
    """The routes of the death clocks. Each answers with the clocks; null while there are none."""
    router = APIRouter(tags=["clocks"])
    router.include_router(_playing(desk))
    router.include_router(_judging(desk))
    return router


def _playing(desk: ClockDesk) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.get("")
    async def clocks() -> ClocksTold | None:
        """The clocks as they stand."""
        return desk.told(time.time())

    @router.post("/pass", responses=_SET)
    async def pass_clock(wanted: PassClock, seat: AtTheTable) -> ClocksTold | None:
        """End a turn: the other's clock runs."""
        return _done(desk, ClockPassed(by=seat, to=wanted.to))

    return router


def _judging(desk: ClockDesk) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.put("", responses=_KEPT)
    async def set_clocks(wanted: SetClocks, seat: Judge) -> ClocksTold | None:
        """Set both clocks anew."""
        return _done(desk, ClocksSet(by=seat, total_s=wanted.minutes * MINUTE_S))

    @router.delete("", responses=_KEPT)
    async def put_away(seat: Judge) -> ClocksTold | None:
        """Play without clocks."""
        return _done(desk, ClocksPutAway(by=seat))

    @router.post("/stop", responses=_SET)
    async def stop(wanted: StopClocks, seat: Judge) -> ClocksTold | None:
        """Stop the clocks, for a ruling or otherwise."""
        return _done(desk, ClocksStopped(by=seat, why=wanted.why))

    @router.post("/start", responses=_SET)
    async def start(seat: Judge) -> ClocksTold | None:
        """Let the clock that was stopped run on."""
        return _done(desk, ClocksStarted(by=seat))

    @router.post("/extend", responses=_SET)
    async def extend(wanted: ExtendClocks, seat: Judge) -> ClocksTold | None:
        """Give time, and note why."""
        by_s = wanted.minutes * MINUTE_S
        return _done(desk, ClocksExtended(by=seat, player=wanted.player, by_s=by_s, note=wanted.note))

    return router


def _done(desk: ClockDesk, deed: Entry) -> ClocksTold | None:
    """The clocks after this deed."""
    desk.do(deed)
    return desk.told(time.time())
