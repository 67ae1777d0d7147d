"""Table routes of the hub: what a table hands over and asks for, each by its own key and under its own number."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.errors import BadEnvelope, HallStoreFailed, RestoredCopy, TableTwice, TooMuch, WrongKey
from api.hall.envelope import QUARANTINED, read_envelope, read_json, source_of
from api.hall.hall_board import HallBoard
from api.hall.keys import EventKeys, TableEntry
from api.hall.schemas import TableGlance
from api.hall.store import HallStore
from api.hall.transport import Order, Tail
from api.http.openapi import problem_responses, raises
from api.routes.auth import token_of

MOST_BYTES = 64 * 2**20


def table_link_router(store: HallStore, board: HallBoard, keys: EventKeys) -> APIRouter:
    """What `HttpTransport` speaks to."""
    router = APIRouter(prefix="/api/v1/hall/tables/{number}", tags=["tables"])

    @raises(WrongKey)
    def own_table(number: int, request: Request) -> TableEntry:
        entry = keys.entry_of_table(number, token_of(request))
        if entry is None:
            raise WrongKey(f"this is not the key of table {number} of {keys.event}", field="table", value=number)
        return entry

    Own = Annotated[TableEntry, Depends(own_table)]

    @router.get("/journal", responses=problem_responses(HallStoreFailed))
    def read_tail(own: Own) -> Tail | None:
        """The newest line that is held of the table; null: none."""
        return store.tail_of(own.table)

    @router.post(
        "/journal",
        status_code=204,
        max_body_size=MOST_BYTES,
        responses=problem_responses(BadEnvelope, TableTwice, RestoredCopy, TooMuch, HallStoreFailed),
    )
    async def take_lines(own: Own, request: Request) -> Response:
        """Keep a batch of CloudEvents, all or nothing; the header `Tableside-Quarantined` tells what is kept unread."""
        return await asyncio.to_thread(_take_batch, store, own.table, keys.event, await request.body())

    @router.put("/glance", status_code=204, responses=problem_responses(BadEnvelope))
    async def note_glance(own: Own, glance: TableGlance) -> Response:
        """How the table is now."""
        board.note_glance(own.table, glance)
        return Response(status_code=204)

    @router.get("/orders", responses=problem_responses(HallStoreFailed))
    async def read_orders(own: Own, after: int = 0) -> list[Order]:
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
