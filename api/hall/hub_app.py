"""Hub app: tables hand their lines over here, and judges look at the whole hall."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.body_limit import RequestBodyLimitMiddleware

from api.hall.hall_auth import is_known_in_hall
from api.hall.hall_board import HallBoard
from api.hall.hall_records import HallRecords
from api.hall.hall_routes import add_hall_pages, card_router, hall_router, public_router
from api.hall.join_routes import join_router
from api.hall.keys import EventKeys
from api.hall.round_routes import penalty_router, round_router
from api.hall.spectators import Spectators
from api.hall.store import HallStore
from api.hall.table_routes import table_link_router
from api.http.openapi import add_openapi
from api.http.problems import add_problem_handlers
from api.http.refusals import MOST_BYTES, PacedRefusals, RightFirst
from api.http.same_origin import HostCheck, SameOrigin
from api.http.security_headers import SecurityHeaders

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

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with broker(store, board):
            drawing = asyncio.gather(board.run(), spectators.run())
            yield
            board.stop()
            spectators.stop()
            await drawing

    app = FastAPI(
        title="Tableside hall",
        version="1",
        lifespan=lifespan,
        openapi_url=None,  # `add_openapi` tells it
        docs_url=None,
        redoc_url=None,
    )
    app.state.keys = keys
    app.state.endings = (board.broadcast.close, board.public_stream.close, spectators.close)
    app.add_middleware(RightFirst)
    app.add_middleware(SameOrigin)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=MOST_BYTES)
    app.add_middleware(PacedRefusals, is_seated=is_known_in_hall)
    app.add_middleware(HostCheck, names=names)
    app.add_middleware(SecurityHeaders)
    add_problem_handlers(app)
    app.include_router(table_link_router(store, board, keys))
    app.include_router(hall_router(store, board, keys))
    app.include_router(round_router(records, event=keys.event, tables=tables))
    app.include_router(penalty_router(records, tables=tables))
    app.include_router(public_router(store, board.public_stream, spectators, tables=tables, look=board.public))
    app.include_router(join_router(keys))
    app.include_router(card_router(store, board, keys))
    add_hall_pages(app)
    add_openapi(app)
    return app
