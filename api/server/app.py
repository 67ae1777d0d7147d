"""Server app: what a phone, an overlay or a script can ask of the table."""

import asyncio
import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from api.answers.pair_sheet import Precompute
from api.cards.card_file import CardLibrary, load_library
from api.errors import JournalFailed, NothingKept
from api.evaluation.cache import Ask, VerdictCache
from api.evaluation.scheduler import DeadlineScheduler, yield_to_urgent
from api.evaluation.worker_pool import WorkerPool
from api.evidence.service import EvidenceKeeper
from api.hall.call_routes import call_router, match_router
from api.hall.table_link import TableLink
from api.http.metrics import add_metrics
from api.http.openapi import add_openapi, media_response, problem_responses
from api.http.refusals import add_request_checks
from api.http.security_headers import add_page, add_phone_page, add_red_line
from api.http.source_offer import add_source_offer
from api.journal.signature import ChainSigner, HeadSigned
from api.journal.timestamp import EVERY_S as STAMP_EVERY_S
from api.journal.timestamp import request_stamp
from api.live.alarms import PROOF
from api.live.hub import Hub
from api.malloc import HeapTrimmer
from api.overlay.cues import Cues
from api.routes import (
    camera,
    clocks,
    corrections,
    overlay,
    proof,
    questions,
    rulebooks,
    rulings,
    seats,
    setups,
    table,
    tap_measurement,
)
from api.routes.auth import Judge, is_seated
from api.routes.overlay import add_overlay_page
from api.routes.services import TableServices
from api.rulings.bench import JudgesBench
from api.seats.sessions import SeatSessions
from api.server.table_events import TableEvents
from api.server.table_facts import table_facts, table_gauges
from api.setups.store import SetupStore
from api.supervision import Work
from api.tables.schemas import TableSummary
from api.tap_measurement.service import TapMeasurementService
from models.errors import BadFile, BadInput
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from referee import ask as ask_referee

BEAT_S = 1.0
WORKERS = "workers"
STAMP, STAMP_AGAIN_S = "timestamp", 60.0
ABOUT = "A referee beside a real table. Millimetres and degrees; what is wrong is told as an RFC 9457 problem."

ROUTERS = (
    seats.router,
    seats.scoreboard_router,
    camera.identity_router,
    table.router,
    questions.router,
    rulebooks.router,
    questions.what_if_router,
    rulings.bench_router,
    clocks.router,
    rulings.router,
    rulings.kept_router,
    rulings.link_router,
    proof.router,
    overlay.router,
    corrections.router,
    corrections.settlement_router,
    corrections.dispute_router,
    corrections.proposal_router,
    tap_measurement.router,
    tap_measurement.roll_call_router,
    setups.router,
    setups.list_router,
    table.tables_router,
    table.qr_router,
    table.socket_router,
    camera.router,
)
"""All routes of a table, in the order of the document."""

CameraRunner = Callable[[Hub], AbstractAsyncContextManager[None]]
Link = Callable[[], AbstractAsyncContextManager[None]]
NAME = "game.zip"
_EXPORT = (sys.executable, "-c", "from api.cli import main; main()", "export")
_router = APIRouter(prefix="/api/v1")


@asynccontextmanager
async def no_camera(_: Hub) -> AsyncIterator[None]:
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
    taps: TapMeasurementService | None = None,
    signer: ChainSigner | None = None,
    timestamp: str | None = None,
) -> FastAPI:
    """The server over this hub; `camera` feeds the hub for as long as the server runs, `evidence` keeps its pictures.

    Without `seats` everybody is trusted with everything; without a `shelf` setups end with the server. A `pool` of
    workers answers as `ask` does; `hall` links the table to the hub of a hall, `cues` to the programs of a studio. What
    is on air comes and goes by `clock`, seconds since 1970; `game` is the folder that keeps it all. Without `taps`
    taps are measured on a bare table. The table answers to addresses, names of the local network and these `names`;
    `signer` signs the journal as it grows, and the authority `timestamp` stamps what it signed.
    """

    cache = VerdictCache(DeadlineScheduler(ask), pool=pool)
    bench = JudgesBench(hub, clock=clock, evidence=evidence)
    cues, facts = cues or Cues(), partial(table_facts, hub, seats)
    events = TableEvents(bench, cues.send, clock=clock)
    link = partial(_link_outside, partial(_link_hall, hall, bench, seats, cards), partial(cues.run, hub.tasks, facts))
    bench.overlay.cue = cues.send
    app = FastAPI(
        title="Tableside",
        version="1",
        description=ABOUT,
        lifespan=_make_lifespan(
            hub,
            camera,
            pool or WorkerPool(workers=0),
            Precompute(hub, cache),
            bench,
            link=link,
            signer=signer,
            timestamp=timestamp,
            tell=events.beat,
        ),
        openapi_url=None,  # `add_openapi` gives it
        docs_url=None,
        redoc_url=None,
    )
    app.state.seats = seats
    app.state.table = services = TableServices(bench, cache, shelf=shelf or SetupStore(), cards=cards, taps=taps)
    app.state.endings = (hub.broadcast.close, bench.close, services.taps.close)
    add_request_checks(app, is_seated=is_seated, names=names)
    for router in ROUTERS:
        app.include_router(router)
    app.include_router(call_router(bench, hall))
    app.include_router(match_router(hub.journal, hall))
    add_game_download(app, game)
    add_red_line(app, lambda: None if (alarm := hub.alarms.find(PROOF)) is None else alarm.says)
    add_phone_page(app)
    add_page(app, "/judge", "judge.html")
    add_page(app, "/unsure", "unsure.html")
    add_page(app, "/measure", "measure.html")
    add_page(app, "/docs", "docs.html")
    add_overlay_page(app)
    add_source_offer(app)
    add_metrics(app, lambda: table_gauges(facts()))
    add_openapi(app)
    return app


def _make_lifespan(
    hub: Hub,
    camera: CameraRunner,
    pool: WorkerPool,
    precompute: Precompute,
    bench: JudgesBench,
    *,
    link: Link,
    signer: ChainSigner | None,
    timestamp: str | None,
    tell: Callable[[], None],
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """What goes on for as long as the server runs: its camera, and the heartbeat."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with camera(hub), link():
            going_on: dict[str, Work] = {"heartbeat": partial(_send_heartbeats, hub, bench, signer, tell)}
            if pool.workers:
                going_on["precompute"] = precompute.run
            if signer is not None and timestamp is not None:
                going_on["timestamp"] = partial(_stamp_hourly, hub, timestamp)
            pool.tell = _alarm_of_workers(hub, asyncio.get_running_loop())
            pool.start()
            async with hub.tasks.keep(going_on):
                yield
                pool.close()
            if signer is not None:
                with contextlib.suppress(JournalFailed, BadFile):
                    signer.sign()

    return lifespan


def _alarm_of_workers(hub: Hub, loop: asyncio.AbstractEventLoop) -> Callable[[int], None]:
    """What sounds an alarm while workers are missing; may be called from any thread."""

    def sound(missing: int) -> None:
        says = f"{missing} of the processes that work out long answers ended; others are started in their place."
        standing = {WORKERS: says} if missing else {}
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
            loop.call_soon_threadsafe(hub.alarms.replace_group, WORKERS, standing)

    return sound


@asynccontextmanager
async def _link_hall(
    hall: TableLink | None, bench: JudgesBench, seats: SeatSessions | None, cards: Callable[[], CardLibrary]
) -> AsyncIterator[None]:
    def summarise() -> TableSummary:
        return table.summarise_table(bench.hub, devices={} if seats is None else seats.count_devices())

    if hall is None:
        yield
        return
    async with hall.run(bench, summarise, cards):
        yield


@asynccontextmanager
async def _link_outside(link_hall: Link, run_cues: Link) -> AsyncIterator[None]:
    async with link_hall(), run_cues():
        yield


async def _send_heartbeats(hub: Hub, bench: JudgesBench, signer: ChainSigner | None, tell: Callable[[], None]) -> None:
    give_back = HeapTrimmer()
    while True:
        await asyncio.sleep(BEAT_S)
        hub.beat()
        bench.keep_clocks()
        tell()
        if signer is not None:
            with contextlib.suppress(JournalFailed, BadFile):  # that it cannot be written stands with the alarms
                signer.beat()
        await asyncio.to_thread(give_back)


async def _stamp_hourly(hub: Hub, authority: str) -> None:
    """Have an authority outside stamp what the table's key signed last; while none comes, an alarm says so."""
    stamped = None
    while True:
        newest = hub.journal.newest(HeadSigned)
        head = newest.entry.head if newest is not None and isinstance(newest.entry, HeadSigned) else None
        if head is not None and head != stamped:
            try:
                hub.journal.write(await asyncio.to_thread(request_stamp, authority, head))
                stamped = head
                hub.alarms.end(STAMP)
            except JournalFailed:
                pass  # that it cannot be written stands with the alarms
            except BadInput as wrong:
                hub.alarms.sound(STAMP, f"The log has no new time stamp: {wrong.detail}")
        await asyncio.sleep(STAMP_EVERY_S if head == stamped else STAMP_AGAIN_S)


def add_game_download(app: FastAPI, data: Path | None) -> None:
    """Let this app hand out its game; `data`: where the table keeps it, if it does.

    A process of its own packs it, one at a time: drawing each table at rest would keep players waiting.
    """
    app.state.game = data, asyncio.Lock()
    app.include_router(_router)


@_router.get(
    "/game.zip",
    response_class=Response,
    responses=media_response("application/zip") | problem_responses(NothingKept, BadFile),
)
async def game(request: Request, _: Judge) -> FileResponse:
    """The game so far as `tableside export` writes it: event log, evidence, a picture of each table at rest.

    It holds what players said and were called: for who judges alone.
    """
    data, packing = request.app.state.game
    if data is None:
        raise NothingKept("start the table with --data FOLDER, and its game is kept", field="data", value=None)
    folder = Path(tempfile.mkdtemp(prefix="tableside-game-"))
    try:
        async with packing:
            await _pack(data, folder / NAME)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    cleaning = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(folder / NAME, media_type="application/zip", filename=NAME, background=cleaning)


async def _pack(data: Path, output: Path) -> None:
    """Raises: BadFile."""
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*_EXPORT, str(data), "-o", str(output), stdout=quiet, stderr=quiet)
    try:
        code = await process.wait()
    finally:
        if process.returncode is None:  # whoever asked has hung up
            with contextlib.suppress(ProcessLookupError):
                process.kill()
    if code != 0:
        raise BadFile("the game cannot be packed: see `tableside export`", field="game", value=data.name)
