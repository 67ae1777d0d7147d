"""Camera routes: commands to the camera, photographs sent instead of it, and who is who after it lost track."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI, Query, Request

from api.camera.photographs import Photographs
from api.errors import CameraFailed, NoCamera, NoSuchQuestion, TooMuch
from api.http.openapi import problem_responses
from api.http.refusals import MOST_PHOTOGRAPH_BYTES
from api.live.camera_control import IdentityAnswer, OpenQuestion
from api.routes.auth import AtTheTable, needs
from api.routes.services import Table
from api.seats.permissions import Right
from models.errors import BadFile, BadInput, CamerasDisagree, TableNotVisible, TooBlurred
from models.frozen import Frozen
from models.self_check import SelfCheck

MOST_AT_ONCE = 2  # photographs in memory: each may be as large as a whole film of the table's pictures
AnotherSide = Annotated[bool, Query(description="nothing was moved since the picture before: join them")]

router = APIRouter(prefix="/api/v1", tags=["camera"])
"""Commands are answered at once and done at the next frame; the live socket tells the outcome."""
identity_router = APIRouter(prefix="/api/v1/unsure", tags=["unsure"])
_photograph_router = APIRouter(tags=["camera"])
_mind = [needs(Right.MIND)]


class CameraRequest(Frozen):
    """What the camera was asked for."""

    asked: Literal["register", "check"]


class PhotographResult(Frozen):
    """What a photograph came to."""

    state_id: str
    miniatures: int


@router.post("/register", status_code=202, responses=problem_responses(NoCamera), dependencies=_mind)
async def register(table: Table) -> CameraRequest:
    """Find the table anew, after the camera was moved, and measure all of it."""
    table.hub.camera.reset_pose()
    return CameraRequest(asked="register")


@router.post("/check", status_code=202, responses=problem_responses(NoCamera), dependencies=_mind)
async def check(table: Table) -> CameraRequest:
    """Compare lengths that are known with what the camera measures."""
    table.hub.camera.request_self_check()
    return CameraRequest(asked="check")


@router.get("/check")
async def latest_self_check(table: Table) -> SelfCheck | None:
    """The newest self-check; null while there is none."""
    return table.hub.camera.check


@identity_router.get("")
async def open_questions(table: Table) -> tuple[OpenQuestion, ...]:
    """Every question that nobody has settled, the oldest first."""
    return table.hub.questions.all()


@identity_router.post("/{question}", status_code=202, responses=problem_responses(NoSuchQuestion, BadInput, NoCamera))
async def answer(question: str, right: IdentityAnswer, _: AtTheTable, table: Table) -> None:
    """Say who is who: names in all that was told since the question are corrected by a line of their own."""
    table.hub.camera.resolve_identity(question, right.ids)


def add_photographs(app: FastAPI, photographs: Photographs) -> None:
    """Let this app take photographs."""
    app.state.photographs = photographs, asyncio.Semaphore(MOST_AT_ONCE)
    app.include_router(_photograph_router)


@_photograph_router.post(
    "/api/v1/photographs",
    responses=problem_responses(BadFile, TooMuch, TableNotVisible, TooBlurred, CamerasDisagree, CameraFailed),
    dependencies=_mind,
    max_body_size=MOST_PHOTOGRAPH_BYTES,
)
async def send(request: Request, another_side: AnotherSide = False) -> PhotographResult:
    """The table as this picture (JPEG, PNG or HEIC, the request's whole body) shows it."""
    photographs, room = request.app.state.photographs
    async with room:
        state = await photographs.locate(await request.body(), is_another_side=another_side)
    return PhotographResult(state_id=state.state_id, miniatures=len(state.miniatures))
