"""Hub app: tables hand their lines over here, and judges look at the whole hall."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response

from api.errors import TooMuch
from api.hall.call_store import OPEN
from api.hall.envelope import QUARANTINED, read_envelope, read_json, source_of
from api.hall.errors import BadEnvelope, HallStoreFailed, RestoredCopy, TableTwice, WrongKey
from api.hall.hall_auth import Numbered, is_known_in_hall, join_router
from api.hall.hall_board import HallBoard
from api.hall.hall_records import HallRecords
from api.hall.hall_routes import (
    add_hall_pages,
    card_router,
    export_router,
    hall_router,
    penalty_router,
    public_router,
    round_router,
)
from api.hall.keys import EventKeys, TableEntry
from api.hall.schemas import TableGlance
from api.hall.spectators import Spectators
from api.hall.store import HallStore
from api.hall.swiss_routes import swiss_router
from api.hall.transport import Order, Tail
from api.http.metrics import Gauge, add_metrics
from api.http.openapi import add_openapi, problem_responses, raises
from api.http.refusals import add_request_checks
from api.http.security_headers import add_page
from api.routes.auth import token_of
from api.routes.table import qr_router

ABOUT = "The hub of an event: many tables, one hall. Seconds and minutes; what is wrong is told as an RFC 9457 problem."
Feed = Callable[[HallStore, HallBoard], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def no_broker(_: HallStore, __: HallBoard) -> AsyncIterator[None]:
    """A hub to which tables speak by HTTP alone."""
    yield


def create_hub_app(
    store: HallStore,
    keys: EventKeys,
    *,
    broker: Feed = no_broker,
    names: Collection[str] = (),
    lists: Path | None = None,
) -> FastAPI:
    """The hub of an event; `broker` brings what tables send by NATS, for as long as the hub runs.

    It answers to addresses, names of the local network and these `names`, as a table does. `lists` is the folder of
    army lists that pairings name.
    """
    records = HallRecords(store, lists=lists)
    board = HallBoard(records, keys.event)
    spectators = Spectators(board)
    tables = frozenset(entry.table for entry in keys.tables)

    app = FastAPI(
        title="Tableside hall",
        version="1",
        description=ABOUT,
        lifespan=lambda _: _draw(broker(store, board), board, spectators),
        openapi_url=None,  # `add_openapi` tells it
        docs_url=None,
        redoc_url=None,
    )
    app.state.keys = keys
    app.state.board = board
    app.state.endings = (board.broadcast.close, board.public_stream.close, spectators.close)
    add_request_checks(app, is_seated=is_known_in_hall, names=names)
    app.include_router(table_link_router(store, board, keys))
    app.include_router(hall_router(store, board, keys))
    app.include_router(round_router(records, tables=tables))
    app.include_router(swiss_router(records.players, store.settings, tables=tables))
    app.include_router(export_router(records, event=keys.event))
    app.include_router(qr_router)
    app.include_router(penalty_router(records, tables=tables))
    app.include_router(public_router(store, board.public_stream, spectators, keys, tables=tables, look=board.public))
    app.include_router(join_router(keys))
    app.include_router(card_router(store, board, keys))
    add_hall_pages(app)
    add_page(app, "/docs", "docs.html")
    add_metrics(app, lambda: _gauges(board))
    add_openapi(app)
    return app


def _gauges(board: HallBoard) -> Iterator[Gauge]:
    hall = board.view()
    yield Gauge("hall_alarms", "What is not as it should be with the hub.", len(hall.alarms))
    open_calls = sum(call.state in OPEN for call in hall.calls)
    yield Gauge("hall_calls_open", "Calls for a judge that nobody has closed.", open_calls)
    for table in hall.tables:
        label = {"table": str(table.number)}
        yield Gauge("hall_table_line", "Newest line of the table's journal that has arrived.", table.line, label)
        if table.heard_s is not None:
            age_s = hall.now_s - table.heard_s
            yield Gauge("hall_table_silent_seconds", "Since the table was last heard of.", age_s, label)


@asynccontextmanager
async def _draw(
    broker: AbstractAsyncContextManager[None], board: HallBoard, spectators: Spectators
) -> AsyncIterator[None]:
    """Take in what the broker brings and draw it, for as long as the hub runs."""

    async def stop() -> None:
        board.stop()
        spectators.stop()

    async with broker, board.tasks.keep({"hall": board.run, "spectators": spectators.run}, stop=stop):
        yield


MOST_BATCH_BYTES = 64 * 2**20


def table_link_router(store: HallStore, board: HallBoard, keys: EventKeys) -> APIRouter:
    """What `HttpTransport` speaks to."""
    router = APIRouter(prefix="/api/v1/hall/tables/{number}", tags=["tables"])

    @raises(WrongKey)
    def own_table(number: Numbered, request: Request) -> TableEntry:
        entry = keys.entry_of_table(number, token_of(request))
        if entry is None:
            raise WrongKey(f"this is not the key of table {number} of {keys.event}", field="table", value=number)
        return entry

    own_table.key = "table"  # type: ignore[attr-defined]  # the OpenAPI document tells it
    Own = Annotated[TableEntry, Depends(own_table)]

    @router.get("/journal", responses=problem_responses(HallStoreFailed))
    def read_tail(own: Own) -> Tail | None:
        """The newest line that is held of the table; null: none."""
        return store.tail_of(own.table)

    @router.post(
        "/journal",
        status_code=204,
        max_body_size=MOST_BATCH_BYTES,
        responses=problem_responses(BadEnvelope, TableTwice, RestoredCopy, TooMuch, HallStoreFailed),
    )
    async def take_lines(own: Own, request: Request) -> Response:
        """Keep a batch of CloudEvents, all or nothing; the header `Tableside-Quarantined` tells what is kept unread."""
        return await asyncio.to_thread(_take_batch, store, own.table, keys.event, await request.body())

    @router.put("/glance", status_code=204, responses=problem_responses(BadEnvelope))
    async def note_glance(own: Own, glance: TableGlance, request: Request) -> Response:
        """How the table is now."""
        board.note_glance(own.table, glance, place=request.client.host if request.client else None)
        return Response(status_code=204)

    @router.get("/orders", responses=problem_responses(HallStoreFailed))
    async def read_orders(own: Own, after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> list[Order]:
        """What the hall asks of the table, the oldest first."""
        return await board.orders_of(own.table, after=after)

    return router


def _take_batch(store: HallStore, table: int, event: str, text: bytes) -> Response:
    body = read_json(text)
    if not isinstance(body, list):
        raise BadEnvelope("a batch is a list of messages", field="message", value=str(body)[:80])
    source = source_of(event, table)
    quarantined = store.take(table, [read_envelope(line, source=source) for line in body])
    headers = {QUARANTINED: "; ".join(line.says for line in quarantined)} if quarantined else None
    return Response(status_code=204, headers=headers)
