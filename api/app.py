"""The server: what a phone, an overlay or a script can ask of the table."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import APIRouter, FastAPI

import referee
from api.choices import choices
from api.corrections.routes import correcting
from api.crew import Crew
from api.foresight import Foresight
from api.halted import Referees, referees
from api.heap import GivingBack
from api.hub import Hub
from api.in_order import InOrder, give_way
from api.judging import Judging, add_judges_page, judging
from api.memory import Ask, Remembering
from api.minding import minding
from api.moments import Moments, timeline
from api.openapi import add_openapi
from api.overlay.loader import add_overlay_page
from api.phone_page import add_phone_page
from api.problems import add_problem_handlers
from api.proposing import proposing
from api.questions import questions
from api.same_origin import SameOrigin
from api.seats.routes import joining
from api.seats.seats import Seats
from api.setups.routes import setups
from api.setups.shelf import Shelf
from api.socket import live
from api.table_routes import table
from api.tables.routes import tables
from api.turns import Turns
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
    """The referee's answer, interrupted for what is wanted earlier."""
    return referee.ask(state, query, between=give_way)


def create_app(
    hub: Hub,
    *,
    ask: Ask = by_the_book,
    camera: Running = nothing_else,
    seats: Seats | None = None,
    shelf: Shelf | None = None,
    crew: Crew | None = None,
) -> FastAPI:
    """The server over this hub; `camera` feeds the hub for as long as the server runs.

    Without `seats` everybody is trusted with everything; without a `shelf` setups end with the server. A `crew`
    answers as `ask` does.
    """

    remembering = Remembering(InOrder(ask), crew=crew)
    judges = referees(hub, remembering)
    desk = Judging(hub)
    app = FastAPI(
        title="Tableside",
        version="1",
        description=ABOUT,
        lifespan=_living(hub, camera, crew or Crew(workers=0), Foresight(hub, remembering)),
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.seats = seats
    app.state.endings = (hub.close, desk.close)
    app.add_middleware(SameOrigin)
    add_problem_handlers(app)
    for router in _routers(hub, judges, desk, shelf or Shelf()):
        app.include_router(router)
    for add_page in (add_phone_page, add_judges_page, add_unsure_page, add_overlay_page):
        add_page(app)
    add_openapi(app)
    return app


def _routers(hub: Hub, judges: Referees, desk: Judging, shelf: Shelf) -> Iterator[APIRouter]:
    """All routes, in the order of the document."""
    moments, turns = Moments(hub), Turns()
    yield joining()
    yield unsure(hub)
    yield table(hub, moments)
    yield timeline(moments)
    yield questions(moments, ask=judges, overhear=desk.overlay.hear, turns=turns)
    yield choices()
    yield what_if(moments, ask=judges.now, turns=turns)
    yield judging(desk, moments, ask=judges)
    yield correcting(hub)
    yield proposing(hub)
    yield setups(hub, shelf)
    yield tables(hub)
    yield live(hub)
    yield minding(hub)


def _living(
    hub: Hub, camera: Running, crew: Crew, foresight: Foresight
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """What goes on for as long as the server runs: its camera, and the heartbeat."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with camera(hub):
            going_on = [asyncio.create_task(_beat(hub))]
            if crew.workers:
                going_on.append(asyncio.create_task(foresight.run()))
            crew.start()
            yield
            crew.close()
            for task in going_on:
                task.cancel()
            await asyncio.gather(*going_on, return_exceptions=True)

    return lifespan


async def _beat(hub: Hub) -> None:
    give_back = GivingBack()
    while True:
        await asyncio.sleep(BEAT_S)
        hub.beat()
        await asyncio.to_thread(give_back)
