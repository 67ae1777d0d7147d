"""Clock routes: players set the clocks and pass them to each other; everything else is the judge's.

Each answers with the clocks; null while there are none.
"""

from fastapi import APIRouter

from api.clocks import entries
from api.clocks.schemas import ClocksView, ExtendClocks, PassClock, SetClocks, StopClocks
from api.errors import JournalFailed, NoClocks, NotAllowed
from api.http.openapi import problem_responses
from api.routes.auth import AtTheTable, Judge
from api.routes.services import Table
from api.seats.permissions import RIGHTS, Right

router = APIRouter(prefix="/api/v1/clocks", tags=["clocks"])
_KEPT = problem_responses(JournalFailed)
_SET = problem_responses(NoClocks, JournalFailed)


@router.get("")
async def clocks(table: Table) -> ClocksView | None:
    """The clocks as they stand."""
    return table.hub.clocks.shown()


@router.post("/pass", responses=_SET)
async def pass_clock(wanted: PassClock, seat: AtTheTable, table: Table) -> ClocksView | None:
    """End a turn: the other's clock runs."""
    deed = entries.ClockLent if wanted.is_lent else entries.ClockPassed
    return _record(table, deed(by=seat, to=wanted.to))


@router.put("", responses=problem_responses(JournalFailed, NotAllowed))
async def set_clocks(wanted: SetClocks, seat: AtTheTable, table: Table) -> ClocksView | None:
    """Set both clocks. Players set them where there are none, and their own until the game begins."""
    clocks = table.hub.clocks.clocks
    if clocks is not None and not clocks.are_players_own() and Right.RULE not in RIGHTS[seat]:
        raise NotAllowed("Only the judge sets these clocks anew.", field="seat", value=seat)
    increment_s = wanted.increment_s or None
    return _record(
        table, entries.ClocksSet(by=seat, total_s=wanted.minutes * entries.MINUTE_S, increment_s=increment_s)
    )


@router.delete("", responses=_KEPT)
async def put_away(seat: Judge, table: Table) -> ClocksView | None:
    """Play without clocks."""
    return _record(table, entries.ClocksPutAway(by=seat))


@router.post("/stop", responses=_SET)
async def stop(wanted: StopClocks, seat: Judge, table: Table) -> ClocksView | None:
    """Stop the clocks, for a ruling or otherwise."""
    return _record(table, entries.ClocksStopped(by=seat, why=wanted.why))


@router.post("/start", responses=_SET)
async def start(seat: Judge, table: Table) -> ClocksView | None:
    """Let the clock that was stopped run on."""
    return _record(table, entries.ClocksStarted(by=seat))


@router.post("/extend", responses=_SET)
async def extend(wanted: ExtendClocks, seat: Judge, table: Table) -> ClocksView | None:
    """Give time, and note why."""
    by_s = wanted.minutes * entries.MINUTE_S
    return _record(table, entries.ClocksExtended(by=seat, player=wanted.player, by_s=by_s, note=wanted.note))


@router.post("/give-back", responses=_SET)
async def give_back(seat: Judge, table: Table) -> ClocksView | None:
    """Give back what ran while the server was away."""
    table.hub.clocks.give_back(by=seat)
    return table.hub.clocks.shown()


def _record(table: Table, deed: entries.ClockDeed) -> ClocksView | None:
    table.hub.clocks.record(deed)
    return table.hub.clocks.shown()
