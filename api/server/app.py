"""Server app: what a phone, an overlay or a script can ask of the table."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.middleware.body_limit import RequestBodyLimitMiddleware

from api.answers.precompute import Precompute
from api.answers.word_finder import WordFinder
from api.cards.library import CardLibrary, load_library
from api.evaluation.cache import Ask, VerdictCache
from api.evaluation.request_priority import RequestPriority
from api.evaluation.scheduler import DeadlineScheduler, yield_to_urgent
from api.evaluation.worker_pool import WorkerPool
from api.evidence.service import EvidenceKeeper
from api.hall.call_routes import call_router
from api.hall.match_routes import match_router
from api.hall.table_link import TableLink
from api.http.host_check import HostCheck
from api.http.openapi import add_openapi
from api.http.problems import add_problem_handlers
from api.http.refusals import MOST_BYTES, PacedRefusals, RightFirst
from api.http.same_origin import SameOrigin
from api.http.security_headers import SecurityHeaders
from api.http.source_offer import add_source_offer
from api.http.static_pages import add_phone_page
from api.live.halt_guard import RefereePorts, referee_ports
from api.live.hub import Hub
from api.live.moments import Moments
from api.malloc import HeapTrimmer
from api.overlay.cues import Cues
from api.routes.auth import is_seated
from api.routes.camera import camera_router
from api.routes.corrections import correction_router
from api.routes.identity import add_unsure_page, identity_router
from api.routes.judge import add_judges_page, judge_router
from api.routes.lists import list_router
from api.routes.moments import moment_router
from api.routes.overlay_page import add_overlay_page
from api.routes.qr_code import qr_router
from api.routes.question_desk import QuestionDesk
from api.routes.questions import question_router
from api.routes.rulebooks import rulebook_router
from api.routes.scoreboard import scoreboard_router
from api.routes.seats import seat_router
from api.routes.settlements import settlement_router
from api.routes.setups import setup_router
from api.routes.table import table_router
from api.routes.tables import summarise_table, tables_router
from api.routes.terrain_proposals import terrain_proposal_router
from api.routes.websocket import websocket_router
from api.routes.what_if import what_if_router
from api.rulings.bench import JudgesBench
from api.seats.sessions import SeatSessions
from api.server.game_download import game_router
from api.setups.store import SetupStore
from api.tables.schemas import TableSummary
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from referee import ask as ask_referee

BEAT_S = 1.0
WORKERS = "workers"
ABOUT = "A referee beside a real table. Millimetres and degrees; what is wrong is told as an RFC 9457 problem."

CameraRunner = Callable[[Hub], AbstractAsyncContextManager[None]]
Link = Callable[[], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def no_camera(_: Hub) -> AsyncIterator[None]:
    """A server without a camera."""
    yield


def ask_interruptibly(state: TableState, query: BaseQuery) -> Verdict:
    """The referee's answer; it yields to what is wanted earlier."""
    return ask_referee(state, query, between=yield_to_urgent)


def create_app(
    hub: Hub,
    *,
    ask: Ask = ask_interruptibly,
    camera: CameraRunner = no_camera,
    seats: SeatSessions | None = None,
    shelf: SetupStore | None = None,
    cards: Callable[[], CardLibrary] = load_library,
    pool: WorkerPool | None = None,
    hall: TableLink | None = None,
    clock: Callable[[], float] = time.time,
    names: Collection[str] = (),
    evidence: EvidenceKeeper | None = None,
    game: Path | None = None,
    cues: Cues | None = None,
) -> FastAPI:
    """The server over this hub; `camera` feeds the hub for as long as the server runs, `evidence` keeps its pictures.

    Without `seats` everybody is trusted with everything; without a `shelf` setups end with the server. A `pool` of
    workers answers as `ask` does; `hall` links the table to the hub of a hall, `cues` to the programs of a studio. What
    is on air comes and goes by `clock`, seconds since 1970; `game` is the folder that keeps it all. The table answers
    to addresses, names of the local network and these `names`.
    """

    cache = VerdictCache(DeadlineScheduler(ask), pool=pool)
    ports = referee_ports(hub, cache)
    desk = JudgesBench(hub, clock=clock, evidence=evidence)
    link = partial(_link_outside, partial(_link_hall, hall, desk, seats, cards), cues or Cues())
    if cues is not None:
        desk.overlay.cue = cues.send
    app = FastAPI(
        title="Tableside",
        version="1",
        description=ABOUT,
        lifespan=_make_lifespan(hub, camera, pool or WorkerPool(workers=0), Precompute(hub, cache), desk, link=link),
        openapi_url=None,  # `add_openapi` tells it
        docs_url=None,
        redoc_url=None,
    )
    app.state.seats = seats
    app.state.endings = (hub.broadcast.close, desk.close)
    app.add_middleware(RightFirst)
    app.add_middleware(SameOrigin)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=MOST_BYTES)
    app.add_middleware(PacedRefusals, is_seated=is_seated)
    app.add_middleware(HostCheck, names=names)
    app.add_middleware(SecurityHeaders)
    add_problem_handlers(app)
    for router in _routers(hub, ports, desk, shelf or SetupStore(), cards):
        app.include_router(router)
    app.include_router(call_router(desk, hall))
    app.include_router(match_router(hub.journal, hall))
    app.include_router(game_router(game))
    for add_page in (add_phone_page, add_judges_page, add_unsure_page, add_overlay_page, add_source_offer):
        add_page(app)
    add_openapi(app)
    return app


def _no_picture(_: int) -> None:
    """Nothing is kept."""


def _routers(
    hub: Hub, ports: RefereePorts, desk: JudgesBench, shelf: SetupStore, cards: Callable[[], CardLibrary]
) -> Iterator[APIRouter]:
    """All routes, in the order of the document."""
    moments, priority, questions = Moments(hub), RequestPriority(), QuestionDesk()
    words = WordFinder(hub, moments)
    yield seat_router()
    yield scoreboard_router(hub)
    yield identity_router(hub)
    yield table_router(hub, moments)
    yield moment_router(moments, desk.evidence.picture if desk.evidence else _no_picture)
    yield question_router(
        moments,
        ask=ports,
        overhear=desk.overlay.note_sheet,
        lay_rulings=lambda sheet, at: desk.rulings.lay_over(sheet, at=at),
        words=words,
        priority=priority,
        desk=questions,
    )
    yield rulebook_router(hub)
    yield what_if_router(
        moments,
        ask=ports,
        lay_rulings=lambda sheet, at: desk.rulings.lay_around(sheet, at=at),
        words=words,
        priority=priority,
        desk=questions,
    )
    yield judge_router(desk, moments, ask=ports, words=words, questions=questions)
    yield correction_router(hub)
    yield settlement_router(hub, moments)
    yield terrain_proposal_router(hub, questions)
    yield setup_router(hub, shelf, questions)
    yield list_router(hub, cards)
    yield tables_router(hub)
    yield qr_router()
    yield websocket_router(hub)
    yield camera_router(hub)


def _make_lifespan(
    hub: Hub,
    camera: CameraRunner,
    pool: WorkerPool,
    precompute: Precompute,
    desk: JudgesBench,
    *,
    link: Link,
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """What goes on for as long as the server runs: its camera, and the heartbeat."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with camera(hub), link():
            going_on = [asyncio.create_task(_send_heartbeats(hub, desk))]
            if pool.workers:
                going_on.append(asyncio.create_task(precompute.run()))
            pool.tell = _tell_missing_workers(hub, asyncio.get_running_loop())
            pool.start()
            yield
            pool.close()
            for task in going_on:
                task.cancel()
            await asyncio.gather(*going_on, return_exceptions=True)

    return lifespan


def _tell_missing_workers(hub: Hub, loop: asyncio.AbstractEventLoop) -> Callable[[int], None]:
    """Has the hub tell of missing workers; may be called from any thread."""

    def tell(missing: int) -> None:
        says = f"{missing} of the processes that work out long answers ended; others are started in their place."
        standing = {WORKERS: says} if missing else {}
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
            loop.call_soon_threadsafe(hub.alarms.replace_group, WORKERS, standing)

    return tell


@asynccontextmanager
async def _link_hall(
    hall: TableLink | None, desk: JudgesBench, seats: SeatSessions | None, cards: Callable[[], CardLibrary]
) -> AsyncIterator[None]:
    """The table is linked to its hall, where it has one."""

    def summarise() -> TableSummary:
        return summarise_table(desk.hub, devices={} if seats is None else seats.count_devices())

    if hall is None:
        yield
        return
    async with hall.run(desk, summarise, cards):
        yield


@asynccontextmanager
async def _link_outside(link_hall: Link, cues: Cues) -> AsyncIterator[None]:
    """Hall and studio hear of the table."""
    async with link_hall(), cues.run():
        yield


async def _send_heartbeats(hub: Hub, desk: JudgesBench) -> None:
    give_back = HeapTrimmer()
    while True:
        await asyncio.sleep(BEAT_S)
        hub.beat()
        desk.keep_clocks()
        await asyncio.to_thread(give_back)
