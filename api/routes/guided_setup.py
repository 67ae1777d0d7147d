"""Guided set-up routes: the page that leads from four printed pages to a table, and the server it runs on."""

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.middleware.body_limit import RequestBodyLimitMiddleware

from api.errors import NoPicture, NotAllowed, TooMuch
from api.http.host_check import HostCheck
from api.http.openapi import media_response, problem_responses
from api.http.problems import add_problem_handlers
from api.http.refusals import MOST_BYTES, MOST_PHOTOGRAPH_BYTES, PacedRefusals, RightFirst
from api.http.same_origin import SameOrigin
from api.http.security_headers import SecurityHeaders
from api.http.source_offer import add_source_offer
from api.http.static_pages import add_phone_page
from api.printing.paper import PaperName
from api.printing.setup_pages import render_setup_pages
from api.routes.auth import is_seated, needs
from api.routes.seats import seat_router
from api.routes.setup_terrain import terrain_routes
from api.seats.permissions import Right
from api.seats.sessions import SeatSessions
from api.setup_pictures.schemas import CameraChoice, SetupChoice, SetupStarted, SetupStatus, SheetPicture, SheetTaps
from api.setup_pictures.setup_guide import SetupGuide
from models.errors import BadFile, BadInput, SourceLost

MOST_AT_ONCE = 1  # photographs being read: each may have 64 million pixels

Cameras = Callable[[], tuple[CameraChoice, ...]]
Preview = Callable[[str], bytes]
"""A small picture of what a camera sees, as JPEG."""


def create_setup_app(
    setup: SetupGuide,
    *,
    seats: SeatSessions,
    cameras: Cameras,
    preview: Preview,
    begin: Callable[[], None],
    names: tuple[str, ...] = (),
) -> FastAPI:
    """The page at `/` and what it asks for; `begin` ends this server, and the table's takes its place."""
    app = FastAPI(title="Tableside set-up", version="1", docs_url=None, redoc_url=None)
    app.state.seats = seats
    app.add_middleware(RightFirst)
    app.add_middleware(SameOrigin)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=MOST_BYTES)
    app.add_middleware(PacedRefusals, is_seated=is_seated)
    app.add_middleware(HostCheck, names=names)
    app.add_middleware(SecurityHeaders)
    add_problem_handlers(app)
    app.include_router(seat_router())
    app.include_router(_setup_router(setup, cameras, preview, begin))
    add_phone_page(app, name="setup.html")
    add_source_offer(app)
    return app


def _setup_router(setup: SetupGuide, cameras: Cameras, preview: Preview, begin: Callable[[], None]) -> APIRouter:
    """For the players, who hold the table's code: what a camera sees is the room."""
    router = APIRouter(prefix="/api/v1/setup", tags=["set-up"], dependencies=[needs(Right.MIND)])
    router.include_router(_camera_routes(cameras, preview))
    router.include_router(_picture_routes(setup))
    router.include_router(_sheet_routes(setup))
    router.include_router(terrain_routes(setup))

    @router.get("", responses=problem_responses(NotAllowed))
    def status() -> SetupStatus:
        """How far the set-up is."""
        return setup.status()

    @router.put("", responses=problem_responses(NotAllowed, BadInput, BadFile))
    def choose(choice: SetupChoice) -> SetupStatus:
        """Choose camera, size, ruler or edition."""
        return setup.choose(choice)

    @router.get("/pages.pdf", response_class=Response, responses=media_response("application/pdf"))
    def pages(paper: PaperName = PaperName.A4) -> Response:
        """The four pages to print."""
        return Response(render_setup_pages(paper), media_type="application/pdf")

    @router.get(
        "/doubt.svg", response_class=Response, responses=media_response("image/svg+xml") | problem_responses(NoPicture)
    )
    def doubt() -> Response:
        """How surely places on the table are known."""
        svg = setup.folder.doubt_svg()
        if svg is None:
            raise NoPicture("Nothing is solved yet.")
        return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    @router.post("/begin", responses=problem_responses(NotAllowed, BadInput, BadFile))
    async def play() -> SetupStarted:
        """Open the table; this server ends and the table's answers in its place."""
        await run_in_threadpool(setup.begin)
        asyncio.get_running_loop().call_later(0.2, begin)
        return SetupStarted(path="/")

    return router


def _camera_routes(cameras: Cameras, preview: Preview) -> APIRouter:
    router = APIRouter()

    @router.get("/cameras", responses=problem_responses(NotAllowed))
    def list_cameras() -> tuple[CameraChoice, ...]:
        """The cameras that this computer sees."""
        return cameras()

    @router.get(
        "/preview.jpg", response_class=Response, responses=media_response("image/jpeg") | problem_responses(SourceLost)
    )
    def picture(source: Annotated[str, Query(max_length=500)]) -> Response:
        """What a camera sees, small."""
        return Response(preview(source), media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    return router


def _picture_routes(setup: SetupGuide) -> APIRouter:
    router, reading = APIRouter(prefix="/pictures"), asyncio.Semaphore(MOST_AT_ONCE)

    @router.post(
        "", responses=problem_responses(NotAllowed, BadFile, BadInput, TooMuch), max_body_size=MOST_PHOTOGRAPH_BYTES
    )
    async def add(request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]) -> SetupStatus:
        """Read the pages in this photograph (the request's whole body); the photograph is written nowhere."""
        async with reading:
            return await run_in_threadpool(setup.add_photograph, await request.body(), name)

    @router.post("/look", responses=problem_responses(NotAllowed, SourceLost, BadFile, BadInput))
    def look() -> SetupStatus:
        """Take a picture with the chosen camera."""
        return setup.take_look()

    @router.delete("/{name}", responses=problem_responses(NotAllowed, BadInput))
    def remove(name: str) -> SetupStatus:
        """Leave a picture out."""
        return setup.remove(name)

    return router


def _sheet_routes(setup: SetupGuide) -> APIRouter:
    router = APIRouter(prefix="/sheets")

    @router.post("/look", responses=problem_responses(NotAllowed, SourceLost, BadFile, BadInput))
    def look() -> SheetPicture:
        """Take a picture of two blank sheets with the chosen camera."""
        return setup.take_sheet_picture()

    @router.get(
        "/look/{version}.jpg",
        response_class=Response,
        responses=media_response("image/jpeg") | problem_responses(NotAllowed, NoPicture),
    )
    def picture(version: int) -> Response:
        """That picture; only the newest is held."""
        return Response(setup.sheet_jpeg(version), media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @router.post("", responses=problem_responses(NotAllowed, BadInput, BadFile))
    def tap(taps: SheetTaps) -> SetupStatus:
        """Solve lens and pose by the sheets' tapped corners."""
        return setup.tap_sheets(taps)

    return router
