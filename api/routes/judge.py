"""Judge routes: the bench, which shows clocks, rulings, and what the stream shows."""

from fastapi import APIRouter, Response
from fastapi.sse import EventSourceResponse

from api.errors import JournalFailed
from api.http.openapi import media_response, problem_responses
from api.http.sse_broadcast import EVENTS, stream_events
from api.live.table_schemas import DrawnTable
from api.live.table_view import table_view
from api.routes.auth import Judge
from api.routes.services import AskedTable, At, Table
from api.rulings.schemas import Bench, PastChoice

router = APIRouter(prefix="/api/v1/bench", tags=["rulings"])


@router.get("")
async def bench(table: Table) -> Bench:
    """Clocks, rulings, and how the stream is fed."""
    return table.bench.bench()


@router.get("/stream", response_class=Response, responses=media_response(EVENTS))
async def stream(table: Table) -> EventSourceResponse:
    """The bench, whole, each time it changes and every few seconds, as server-sent events."""
    return stream_events(table.bench.bench_stream.events())


@router.get("/table")
def drawn_table(state: AskedTable, table: Table, at: At = None) -> DrawnTable:
    """The table as it is drawn, now or at an earlier moment."""
    return table_view(state, table.moments.rest(at))


@router.put("/past", responses=problem_responses(JournalFailed))
async def open_past(wanted: PastChoice, seat: Judge, table: Table) -> Bench:
    """Let players measure at earlier moments what the rulebook does not let them measure now, or no more."""
    table.hub.open_past(by=seat, is_open=wanted.is_open)
    return table.bench.bench()
