"""Table routes: the table as data, as a picture, as video."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse, StreamingResponse

from api.errors import NoPicture
from api.http.openapi import media_response, problem_responses
from api.http.sized_picture import WEBP, Accept, Width, picture_response
from api.live.annotated_video import MJPEG, annotate_picture, stream_frames
from api.live.hub import Hub
from api.live.messages import Freshness, Problem
from api.live.moments import Moments
from api.live.picture_sizes import PictureSizes, Wanted
from api.routes.moments import asked_table
from models.frozen import Frozen
from models.state import TableState

_JPEG = media_response("image/jpeg") | problem_responses(NoPicture)
_VIDEO = media_response("multipart/x-mixed-replace") | problem_responses(NoPicture)
# Versions begin anew with each start of the server, so a picture that was kept might be another game's.
Since = Annotated[str, Query(max_length=40, description="the version of the picture that the page holds")]
_UNKEPT = {"Cache-Control": "no-store"}


class Health(Frozen):
    """Whether the server lives, and what it knows."""

    seq: int
    title: str
    fresh: Freshness
    problem: Problem | None


def table_router(hub: Hub, moments: Moments) -> APIRouter:
    """The routes of the table as anybody may see it."""
    router, sizes = APIRouter(prefix="/api/v1", tags=["table"]), PictureSizes()

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
    async def picture(w: Width = None, since: Since = "", accept: Accept = "") -> Response:
        """The table from above, far edge up; nothing beyond the table's edge is in it.

        As WebP for who accepts it. A page that names the `Picture-Version` it holds gets what changed since, where that
        is known: `Picture-Place` says where it belongs.
        """
        hub.note_picture_fetched()
        newest = hub.live_picture
        if newest.jpeg is None:
            raise NoPicture("The camera has sent no picture of the table yet.")
        part, name = newest.changed_since(since) if since else None, newest.name
        if part is not None and part.right_px == 0:
            return Response(status_code=204, headers={**_UNKEPT, "Picture-Version": name})
        picture = await sizes.fit(newest.jpeg, Wanted(w, WEBP in accept, part))
        return picture_response(picture, kept="no-store", version=name)

    @router.get("/annotated.jpg", response_class=Response, responses=_JPEG)
    async def annotated_picture() -> Response:
        """The same with bases, facings, names and terrain drawn into it."""
        hub.note_picture_fetched()
        return Response(await annotate_picture(hub), media_type="image/jpeg", headers=_UNKEPT)

    @router.get("/stream.mjpeg", response_class=Response, responses=_VIDEO)
    async def stream() -> StreamingResponse:
        """The annotated picture as video, a new frame whenever something changed."""
        await annotate_picture(hub)  # here, so that its lack is a problem and no broken stream
        return StreamingResponse(stream_frames(hub), media_type=MJPEG, headers=_UNKEPT)

    return router
