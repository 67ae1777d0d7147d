"""The routes that tell what is known of the table: as data, as a picture, as video."""

from typing import Annotated

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, StreamingResponse

from api.annotated import MJPEG, annotated, video
from api.errors import NoPicture
from api.hub import Hub
from api.live import Freshness, Problem
from api.moments import Moments, asked_table
from api.openapi import content, problems
from models.frozen import Frozen
from models.state import TableState

_JPEG = content("image/jpeg") | problems(NoPicture)
_VIDEO = content("multipart/x-mixed-replace") | problems(NoPicture)
# Versions begin anew with each start of the server, so a picture that was kept might be another game's.
_UNKEPT = {"Cache-Control": "no-store"}


class Health(Frozen):
    """Whether the server lives, and what it knows."""

    seq: int
    title: str
    fresh: Freshness
    problem: Problem | None


def table(hub: Hub, moments: Moments) -> APIRouter:
    """What anybody may know."""
    router = APIRouter(prefix="/api/v1", tags=["table"])

    @router.get("/state", response_model=TableState)
    def state(state: Annotated[TableState, asked_table(moments)]) -> JSONResponse:
        """The whole state, as `tableside ask` reads it."""
        return JSONResponse(state.model_dump(mode="json", exclude_none=True))

    @router.get("/health")
    async def health() -> Health:
        """Whether the server lives, and what it knows."""
        now = hub.snapshot()
        return Health(seq=now.seq, title=now.title, fresh=now.fresh, problem=now.problem)

    @router.get("/picture.jpg", response_class=Response, responses=_JPEG)
    async def picture() -> Response:
        """The table from above, far edge up; nothing beyond the table's edge is in it."""
        hub.fetched_picture()
        if hub.picture is None:
            raise NoPicture("The camera has sent no picture of the table yet.")
        return Response(hub.picture, media_type="image/jpeg", headers=_UNKEPT)

    @router.get("/annotated.jpg", response_class=Response, responses=_JPEG)
    async def annotated_picture() -> Response:
        """The same with bases, facings, names and terrain drawn into it."""
        hub.fetched_picture()
        return Response(await annotated(hub), media_type="image/jpeg", headers=_UNKEPT)

    @router.get("/stream.mjpeg", response_class=Response, responses=_VIDEO)
    async def stream() -> StreamingResponse:
        """The annotated picture as video, a new frame whenever something changed."""
        await annotated(hub)  # here, so that its lack is a problem and no broken stream
        return StreamingResponse(video(hub), media_type=MJPEG, headers=_UNKEPT)

    return router
