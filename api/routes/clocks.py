"""Clock routes: players set the clocks and pass them to each other; everything else is the judge's."""

from typing import Annotated

from fastapi import APIRouter

from api.clocks.entries import (
    MINUTE_S,
    ClockDeed,
    ClockPassed,
    ClocksExtended,
    ClocksPutAway,
    ClocksSet,
    ClocksStarted,
    ClocksStopped,
)
from api.clocks.schemas import ClocksView, ExtendClocks, PassClock, SetClocks, StopClocks
from api.clocks.service import ClockService
from api.errors import JournalFailed, NoClocks, NotAllowed
from api.http.openapi import problem_responses
from api.routes.auth import needs
from api.seats.permissions import RIGHTS, Right, Seat

Judge = Annotated[Seat, needs(Right.RULE)]
AtTheTable = Annotated[Seat, needs(Right.CORRECT)]
PREFIX = "/api/v1/clocks"
_KEPT = problem_responses(JournalFailed)
_SET = problem_responses(NoClocks, JournalFailed)


def clock_router(desk: ClockService) -> APIRouter:
    """The routes of the death clocks. Each answers with the clocks; null while there are none."""
    router = APIRouter(tags=["clocks"])
    router.include_router(_player_routes(desk))
    router.include_router(_judge_routes(desk))
    return router


def _player_routes(desk: ClockService) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.get("")
    async def clocks() -> ClocksView | None:
        """The clocks as they stand."""
        return desk.shown()

    @router.post("/pass", responses=_SET)
    async def pass_clock(wanted: PassClock, seat: AtTheTable) -> ClocksView | None:
        """End a turn: the other's clock runs."""
        return _record(desk, ClockPassed(by=seat, to=wanted.to))

    @router.put("", responses=problem_responses(JournalFailed, NotAllowed))
    async def set_clocks(wanted: SetClocks, seat: AtTheTable) -> ClocksView | None:
        """Set both clocks anew. Players set them where there are none, and their own until the game begins."""
        is_open = desk.clocks is None or desk.clocks.are_players_own()
        if not is_open and Right.RULE not in RIGHTS[seat]:
            raise NotAllowed("Only the judge sets these clocks anew.", field="seat", value=seat)
        return _record(
            desk, ClocksSet(by=seat, total_s=wanted.minutes * MINUTE_S, increment_s=wanted.increment_s or None)
        )

    return router


def _judge_routes(desk: ClockService) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.delete("", responses=_KEPT)
    async def put_away(seat: Judge) -> ClocksView | None:
        """Play without clocks."""
        return _record(desk, ClocksPutAway(by=seat))

    @router.post("/stop", responses=_SET)
    async def stop(wanted: StopClocks, seat: Judge) -> ClocksView | None:
        """Stop the clocks, for a ruling or otherwise."""
        return _record(desk, ClocksStopped(by=seat, why=wanted.why))

    @router.post("/start", responses=_SET)
    async def start(seat: Judge) -> ClocksView | None:
        """Let the clock that was stopped run on."""
        return _record(desk, ClocksStarted(by=seat))

    @router.post("/extend", responses=_SET)
    async def extend(wanted: ExtendClocks, seat: Judge) -> ClocksView | None:
        """Give time, and note why."""
        by_s = wanted.minutes * MINUTE_S
        return _record(desk, ClocksExtended(by=seat, player=wanted.player, by_s=by_s, note=wanted.note))

    @router.post("/give-back", responses=_SET)
    async def give_back(seat: Judge) -> ClocksView | None:
        """Give back what ran while the server was away."""
        desk.give_back(by=seat)
        return desk.shown()

    return router


def _record(desk: ClockService, deed: ClockDeed) -> ClocksView | None:
    """The clocks after this deed."""
    desk.record(deed)
    return desk.shown()
