"""Guided set-up routes: the page that leads from four printed pages to a table, and the server it runs on.

For the players, who hold the table's code: what a camera sees is the room.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from api.errors import JournalFailed, NoPicture, NoSuchSetup, NotAllowed, TooMuch
from api.http.openapi import media_response, problem_responses
from api.http.refusals import MOST_PHOTOGRAPH_BYTES, add_request_checks
from api.http.security_headers import add_phone_page
from api.http.source_offer import add_source_offer
from api.printing.boards import render_setup_pages
from api.printing.paper import PaperName
from api.routes import seats as seat_routes
from api.routes.auth import is_seated, needs
from api.seats.permissions import Right
from api.seats.sessions import SeatSessions
from api.setup_pictures.draft import PieceChoice, TerrainName, TerrainStatus
from api.setup_pictures.marked_photograph import Rim
from api.setup_pictures.schemas import (
    CameraChoice,
    MarkedPose,
    PhotographMarks,
    SetupChoice,
    SetupStarted,
    SetupStatus,
    SheetTaps,
    TapPicture,
)
from api.setup_pictures.setup_guide import SetupGuide
from models.errors import BadFile, BadInput, SourceLost
from models.vocabulary import Id

MOST_AT_ONCE = 1  # photographs being read: each may have 64 million pixels

Cameras = Callable[[], tuple[CameraChoice, ...]]
Preview = Callable[[str], bytes]
"""A small picture of what a camera sees, as JPEG."""


@dataclass(frozen=True)
class SetupServices:
    """What the routes of the set-up stand on; `begin` ends this server."""

    guide: SetupGuide
    cameras: Cameras
    preview: Preview
    begin: Callable[[], None]
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))


async def services_of(request: Request) -> SetupServices:
    services: SetupServices = request.app.state.setup
    return services


async def guide_of(request: Request) -> SetupGuide:
    return (await services_of(request)).guide


Services = Annotated[SetupServices, Depends(services_of)]
Guide = Annotated[SetupGuide, Depends(guide_of)]
router = APIRouter(prefix="/api/v1/setup", tags=["set-up"], dependencies=[needs(Right.MIND)])
_UNKEPT = {"Cache-Control": "no-store"}
_JPEG, _SVG = media_response("image/jpeg"), media_response("image/svg+xml")
_CHANGING = problem_responses(NotAllowed, BadInput, BadFile)
_LOOKING = problem_responses(NotAllowed, SourceLost, BadFile, BadInput)


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
    app.state.setup = SetupServices(setup, cameras, preview, begin)
    add_request_checks(app, is_seated=is_seated, names=names)
    app.include_router(seat_routes.router)
    app.include_router(router)
    add_phone_page(app, name="setup.html")
    add_source_offer(app)
    return app


@router.get("/cameras", responses=problem_responses(NotAllowed))
def list_cameras(services: Services) -> tuple[CameraChoice, ...]:
    """The cameras that this computer sees."""
    return services.cameras()


@router.get("/preview.jpg", response_class=Response, responses=_JPEG | problem_responses(SourceLost), name="picture")
def preview(source: Annotated[str, Query(max_length=500)], services: Services) -> Response:
    """What a camera sees, small."""
    return Response(services.preview(source), media_type="image/jpeg", headers=_UNKEPT)


@router.post(
    "/pictures",
    responses=problem_responses(NotAllowed, BadFile, BadInput, TooMuch),
    max_body_size=MOST_PHOTOGRAPH_BYTES,
    name="add",
)
async def add_photograph(
    request: Request, name: Annotated[str, Query(min_length=1, max_length=200)], services: Services
) -> SetupStatus:
    """Read the pages in this photograph (the request's whole body); the photograph is written nowhere."""
    async with services.reading:
        return await run_in_threadpool(services.guide.add_photograph, await request.body(), name)


@router.post("/pictures/look", responses=_LOOKING, name="look")
def take_look(guide: Guide) -> SetupStatus:
    """Take a picture with the chosen camera."""
    return guide.take_look()


@router.delete("/pictures/{name}", responses=problem_responses(NotAllowed, BadInput), name="remove")
def remove_picture(name: str, guide: Guide) -> SetupStatus:
    """Leave a picture out."""
    return guide.remove(name)


@router.post("/sheets/look", responses=_LOOKING, name="look")
def take_sheet_picture(guide: Guide) -> TapPicture:
    """Take a picture of two blank sheets with the chosen camera."""
    return guide.take_sheet_picture()


@router.get(
    "/sheets/look/{version}.jpg",
    response_class=Response,
    responses=_JPEG | problem_responses(NotAllowed, NoPicture),
    name="picture",
)
def sheet_picture(version: int, guide: Guide) -> Response:
    """That picture; only the newest is held."""
    return Response(guide.sheet_jpeg(version), media_type="image/jpeg", headers=_UNKEPT)


@router.post("/sheets", responses=_CHANGING, name="tap")
def tap_sheets(taps: SheetTaps, guide: Guide) -> SetupStatus:
    """Solve lens and pose by the sheets' tapped corners."""
    return guide.tap_sheets(taps)


@router.post(
    "/photograph",
    responses=problem_responses(NotAllowed, BadFile, BadInput, TooMuch),
    max_body_size=MOST_PHOTOGRAPH_BYTES,
    name="add",
)
async def take_photograph(
    request: Request, name: Annotated[str, Query(min_length=1, max_length=200)], services: Services,
    another_view: Annotated[bool, Query(description="of the same moment as the marked one: both are joined")] = False,
) -> TapPicture:  # fmt: skip
    """Hold one photograph of a game (the request's whole body), to be marked; it is written nowhere yet."""
    async with services.reading:
        data = await request.body()
        return await run_in_threadpool(services.guide.take_photograph, data, name, is_beside=another_view)


@router.get(
    "/photograph/{version}.jpg",
    response_class=Response,
    responses=_JPEG | problem_responses(NotAllowed, NoPicture),
    name="picture",
)
def photograph(version: int, guide: Guide) -> Response:
    """That photograph, upright; only the newest is held."""
    return Response(guide.photograph_jpeg(version), media_type="image/jpeg", headers=_UNKEPT)


@router.get("/photograph/{version}/discs", responses=problem_responses(NotAllowed, NoPicture), name="discs")
def photograph_discs(version: int, guide: Guide) -> tuple[Rim, ...]:
    """Places round the rims of what may be discs in it, the likeliest first: markers and bases to be pointed at."""
    return guide.photograph_discs(version)


@router.post("/photograph/marks", responses=_CHANGING, name="mark")
def mark_photograph(marks: PhotographMarks, guide: Guide) -> MarkedPose:
    """Solve lens and pose by the corners, sides and discs that are marked; the table in it is kept from now on."""
    return guide.mark_photograph(marks)


@router.get("/terrain", responses=problem_responses(NotAllowed), name="status")
def terrain_status(guide: Guide) -> TerrainStatus:
    """What is proposed, chosen and kept."""
    return guide.terrain.status(guide.draft)


@router.post("/terrain/propose", responses=_CHANGING, name="propose")
def propose_terrain(guide: Guide) -> TerrainStatus:
    """Propose terrain, with its height where pictures from several sides tell it."""
    return guide.terrain.propose()


@router.get(
    "/terrain/look/{version}.jpg",
    response_class=Response,
    responses=_JPEG | problem_responses(NotAllowed, NoPicture),
    name="picture",
)
def terrain_picture(version: int, guide: Guide) -> Response:
    """The table from straight above, while its pictures are held."""
    return Response(guide.terrain.jpeg(version), media_type="image/jpeg", headers=_UNKEPT)


@router.put("/terrain/pieces/{id}", responses=_CHANGING, name="choose")
def choose_piece(id: Annotated[Id, Path()], choice: PieceChoice, guide: Guide) -> TerrainStatus:
    """Take a piece as what it is, with its height, or leave it out."""
    return guide.terrain.choose(id, choice)


@router.post("/terrain/keep", responses=_CHANGING | problem_responses(JournalFailed), name="keep")
def keep_terrain(under: TerrainName, guide: Guide) -> TerrainStatus:
    """Keep the chosen pieces under a name; the pictures are held no longer."""
    return guide.terrain.keep(under.name)


@router.post("/terrain/take-up", responses=_CHANGING | problem_responses(NoSuchSetup), name="take_up")
def take_up_terrain(under: TerrainName, guide: Guide) -> TerrainStatus:
    """Begin with terrain that was kept before."""
    return guide.terrain.take_up(under.name)


@router.post("/terrain/leave", responses=_CHANGING, name="leave")
def leave_terrain(guide: Guide) -> TerrainStatus:
    """Begin without terrain; the pictures are held no longer."""
    return guide.terrain.leave()


@router.get("", responses=problem_responses(NotAllowed))
def status(guide: Guide) -> SetupStatus:
    """How far the set-up is."""
    return guide.status()


@router.put("", responses=_CHANGING)
def choose(choice: SetupChoice, guide: Guide) -> SetupStatus:
    """Choose camera, size, ruler or edition."""
    return guide.choose(choice)


@router.get("/pages.pdf", response_class=Response, responses=media_response("application/pdf"))
def pages(paper: PaperName = PaperName.A4) -> Response:
    """The four pages to print."""
    return Response(render_setup_pages(paper), media_type="application/pdf")


@router.get("/doubt.svg", response_class=Response, responses=_SVG | problem_responses(NoPicture))
def doubt(guide: Guide) -> Response:
    """How surely places on the table are known."""
    svg = guide.folder.doubt_svg()
    if svg is None:
        raise NoPicture("Nothing is solved yet.")
    return Response(svg, media_type="image/svg+xml", headers=_UNKEPT)


@router.post("/begin", responses=_CHANGING)
async def play(services: Services) -> SetupStarted:
    """Open the table; this server ends and the table's answers in its place."""
    await run_in_threadpool(services.guide.begin)
    asyncio.get_running_loop().call_later(0.2, services.begin)
    return SetupStarted(path="/")
