"""Hall routes: the view of all tables, and what judges do with calls."""

from fastapi import APIRouter, Response
from fastapi.sse import EventSourceResponse

from api.errors import CallConflict, HallStoreFailed, NoSuchCall, NoSuchHallTable
from api.hall.call_store import CallStore
from api.hall.calls import Appeal, Call, Closing, NewHallRuling
from api.hall.hall_auth import Official, Organiser
from api.hall.hall_board import HallBoard
from api.hall.keys import EventKeys
from api.hall.schemas import Doorway, HallView
from api.hall.store import HallStore
from api.http.openapi import media_response, problem_responses
from api.http.sse_broadcast import EVENTS, stream_events

_CALL = problem_responses(NoSuchCall, CallConflict, HallStoreFailed)


def hall_router(store: HallStore, board: HallBoard, keys: EventKeys) -> APIRouter:
    """The routes of the judges' page."""
    router = APIRouter(prefix="/api/v1/hall", tags=["hall"])

    @router.get("")
    async def view(_: Official) -> HallView:
        """Every table from afar, and the calls."""
        return board.view()

    @router.get("/stream", response_class=Response, responses=media_response(EVENTS))
    async def stream(_: Official) -> EventSourceResponse:
        """The hall as server-sent events: whole at first, then what changes of it."""
        return stream_events(board.events())

    @router.get("/tables/{number}/door", responses=problem_responses(NoSuchHallTable, HallStoreFailed))
    def door(_: Official, number: int, response: Response) -> Doorway:
        """Where the table's judge's page opens without another code."""
        response.headers["Cache-Control"] = "no-store"
        cell, _trouble = store.cells([number]).get(number, (None, None))
        address = board.address_of(number)
        if cell is None or cell.judge_code is None or address is None:
            raise NoSuchHallTable(f"table {number} has not been heard of", field="number", value=number)
        return Doorway(url=f"{address}j/{cell.judge_code}")

    @router.post("/tables/{number}/release", status_code=204, responses=problem_responses(HallStoreFailed))
    async def release(_: Organiser, number: int) -> Response:
        """Let another journal have this table's number: a folder restored from a copy, or another machine."""
        await board.release(number)
        return Response(status_code=204)

    router.include_router(_call_router(board.desk.calls, keys))
    return router


def _call_router(calls: CallStore, keys: EventKeys) -> APIRouter:
    router = APIRouter(prefix="/calls/{id_}")

    @router.post("/take", responses=_CALL)
    def take(id_: int, seat: Official) -> Call:
        """I go; the others see it."""
        return calls.take(id_, seat.name, hears_appeals=keys.hears_appeals(seat))

    @router.post("/rule", responses=_CALL)
    def rule(id_: int, ruling: NewHallRuling, seat: Official) -> Call:
        """Rule, on the spot or from afar; the table's phones show it."""
        return calls.rule(id_, seat.name, ruling.said, ruling.reason)

    @router.post("/appeal", responses=_CALL)
    def appeal(id_: int, appeal: Appeal, _: Official) -> Call:
        """Ask the head judge; the first ruling stays beside the second."""
        return calls.appeal(id_, appeal.reason)

    @router.post("/close", responses=_CALL)
    def close(id_: int, closing: Closing, _: Official) -> Call:
        """The game goes on, with the time that was lost, when it is given."""
        return calls.close(id_, closing.extension_s)

    return router
