"""The server: what a phone, an overlay or a script can ask of the table."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from fastapi import FastAPI

import referee
from api.choices import choices
from api.corrections.routes import correcting
from api.halted import referees
from api.hub import Hub
from api.judging import Judging, add_judges_page, judging
from api.memory import Ask, Remembering
from api.minding import minding
from api.moments import Moments, timeline
from api.openapi import add_openapi
from api.overlay.loader import add_overlay_page
from api.phone_page import add_phone_page
from api.problems import add_problem_handlers
from api.questions import questions
from api.same_origin import SameOrigin
from api.seats.routes import joining
from api.seats.seats import Seats
from api.setups.routes import setups
from api.setups.shelf import Shelf
from api.socket import live
from api.table_routes import table
from api.tables.routes import tables
from api.unsure.routes import add_unsure_page, unsure
from api.what_if import what_if
from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict

BEAT_S = 1.0
ABOUT = "A referee beside a real table. Millimetres and degrees; what is wrong is told as an RFC 9457 problem."

Running = Callable[[Hub], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def nothing_else(_: Hub) -> AsyncIterator[None]:
    """A server without a camera."""
    yield


def by_the_book(state: TableState, query: Asked) -> Verdict:
    """The referee's answer."""
    return referee.ask(state, query)


def create_app(
    hub: Hub,
    *,
    ask: Ask = by_the_book,
    camera: Running = nothing_else,
    seats: Seats | None = None,
    shelf: Shelf | None = None,
) -> FastAPI:
    """The server over this hub; `camera` feeds the hub for as long as the server runs.

    Without `seats` everybody is trusted with everything; without a `shelf` setups end with the server.
    """

    judges = referees(hub, Remembering(ask))
    desk = Judging(hub)
    moments = Moments(hub)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with camera(hub):
            heart = asyncio.create_task(_beat(hub))
            yield
            heart.cancel()
            with suppress(asyncio.CancelledError):
                await heart

    app = FastAPI(
        title="Tableside",
        version="1",
        description=ABOUT,
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.seats = seats
    app.state.endings = (hub.close, desk.close)
    app.add_middleware(SameOrigin)
    add_problem_handlers(app)
    app.include_router(joining())
    app.include_router(unsure(hub))
    app.include_router(table(hub, moments))
    app.include_router(timeline(moments))
    app.include_router(questions(moments, ask=judges, overhear=desk.overlay.hear))
    app.include_router(choices())
    app.include_router(what_if(moments, ask=judges.now))
    app.include_router(judging(desk, moments, ask=judges))
    app.include_router(correcting(hub))
    app.include_router(setups(hub, shelf or Shelf()))
    app.include_router(tables(hub))
    app.include_router(live(hub))
    app.include_router(minding(hub))
    add_phone_page(app)
    add_judges_page(app)
    add_unsure_page(app)
    add_overlay_page(app)
    add_openapi(app)
    return app


async def _beat(hub: Hub) -> None:
    while True:
        await asyncio.sleep(BEAT_S)
        hub.beat()
