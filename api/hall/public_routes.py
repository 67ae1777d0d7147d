"""Public routes of the hall: the clock, who plays where, and tables to watch."""

from collections.abc import Callable

from fastapi import APIRouter, Response
from fastapi.sse import EventSourceResponse

from api.errors import HallStoreFailed, NoSuchHallTable
from api.hall.hall_auth import Official
from api.hall.public_hall import PublicHall
from api.hall.spectated_table import SpectatedTable, TableSheet, read_sheet
from api.hall.spectators import Spectators
from api.hall.store import HallStore
from api.http.openapi import media_response, problem_responses
from api.http.sse_broadcast import EVENTS, SseBroadcast, stream_events

_TABLE = problem_responses(NoSuchHallTable, HallStoreFailed)


def public_router(
    store: HallStore,
    hall: SseBroadcast,
    spectators: Spectators,
    *,
    tables: frozenset[int],
    look: Callable[[], PublicHall],
) -> APIRouter:
    """What anybody may see, and a judge's sheet of a table beside it."""
    router = APIRouter(prefix="/api/v1/hall", tags=["spectators"])

    def known(number: int) -> int:
        if number not in tables:
            raise NoSuchHallTable(f"the event has no table {number}", field="number", value=number)
        return number

    @router.get("/public")
    async def public() -> PublicHall:
        """The round and its clock, who plays where, and the featured table."""
        return look()

    @router.get("/public/stream", response_class=Response, responses=media_response(EVENTS))
    async def public_stream() -> EventSourceResponse:
        """The same as server-sent events, whole each time it changes and every few seconds."""
        return stream_events(hall.events())

    @router.get("/tables/{number}/watch", responses=_TABLE)
    async def watch(number: int) -> SpectatedTable:
        """The table as it was a while ago."""
        return await spectators.look(known(number))

    @router.get("/tables/{number}/watch/stream", response_class=Response, responses=media_response(EVENTS) | _TABLE)
    async def watch_stream(number: int) -> EventSourceResponse:
        """The same as server-sent events, whole each time it changes."""
        return stream_events(spectators.events(known(number)))

    @router.get("/tables/{number}/sheet", responses=_TABLE)
    def sheet(number: int, _: Official) -> TableSheet:
        """The table as it is now, and the lists of its players."""
        return read_sheet(store, known(number))

    return router
