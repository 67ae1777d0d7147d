"""Corner routes: tap the mat's corners in the camera's own picture, on a page alone or at a live table."""

import time
from collections.abc import Sequence
from functools import partial
from queue import Empty
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response

from api.camera.protocol import ImageReport, Job
from api.corners.service import CornerImage, CornerService, TapAssessment, Taps
from api.errors import NoCamera, NoPicture, NotAllowed, RoomShown
from api.http.openapi import media_response, problem_responses
from api.http.problems import add_problem_handlers
from api.http.security_headers import add_page, add_phone_page
from api.http.source_offer import add_source_offer
from api.live.hub import Hub
from api.routes.auth import needs, require_right, seat_of
from api.seats.permissions import RIGHTS, Right
from calibration.arrays import Image
from models.camera import CameraPose
from models.errors import BadFile, BadInput, SourceLost
from vision.capture.image_decoding import decode_image

PATIENCE_S = 15.0  # a busy machine measures a whole table meanwhile
CUT_MM = 0.5  # how well a mat's sides are cut, where nobody says
KEPT = "the table's pose"


Room = Annotated[bool, Query(description="with all that the camera sees: for who judges")]


router = APIRouter(prefix="/api/v1/corners", tags=["corners"])
_JPEG, _SVG = media_response("image/jpeg"), media_response("image/svg+xml")
_UNKEPT = {"Cache-Control": "no-store"}
_LOOKING = problem_responses(SourceLost, BadFile, BadInput, NoCamera, RoomShown, NotAllowed)


async def corners_of(request: Request) -> CornerService:
    corners: CornerService = request.app.state.corners
    return corners


Corners = Annotated[CornerService, Depends(corners_of)]


def create_corner_app(corners: CornerService) -> FastAPI:
    app = FastAPI(title="Tableside corners", version="1", docs_url=None, redoc_url=None)
    add_problem_handlers(app)
    add_corners(app, corners)
    add_phone_page(app, name="corners.html")
    add_source_offer(app)
    return app


def add_corners(app: FastAPI, corners: CornerService, *, needing: Sequence[Any] = ()) -> None:
    """Let who has the rights that are needed tap corners at this app."""
    app.state.corners = corners
    app.include_router(router, dependencies=list(needing))


@router.post("/look", responses=_LOOKING)
def take_image(request: Request, corners: Corners, room: Room = False) -> CornerImage:
    """Take a new picture with the camera, black beyond the table's last known edge unless the room is asked for.

    Only who judges may see the room; before the table is known, that is all there is to see.
    """
    seat = seat_of(request)
    may_show_room = Right.RULE in RIGHTS[seat]
    if room:
        require_right(seat, Right.RULE)
    try:
        return corners.take_image(seat=seat, with_room=room, may_show_room=may_show_room)
    except RoomShown:
        if not may_show_room:
            raise
        return corners.take_image(seat=seat, with_room=True)


@router.get("/look/{version}.jpg", response_class=Response, responses=_JPEG | problem_responses(NoPicture, RoomShown))
def picture(request: Request, version: int, corners: Corners) -> Response:
    """The picture as the camera gave it; one with the room is for the seat that asked for it."""
    return Response(corners.jpeg(version, seat=seat_of(request)), media_type="image/jpeg", headers=_UNKEPT)


@router.post("", responses=problem_responses(BadInput, NoCamera))
def judge(taps: Taps, corners: Corners) -> TapAssessment:
    """What these corners make of the table."""
    return corners.assess(taps)


@router.get("/map.svg", response_class=Response, responses=_SVG | problem_responses(NoPicture))
def heat_map(corners: Corners) -> Response:
    """How surely places are known by the last corners."""
    return Response(corners.heat_map(), media_type="image/svg+xml", headers=_UNKEPT)


def add_live_corners(app: FastAPI, hub: Hub, job: Job) -> None:
    """Serve the page at `/corners`; who minds the table may tap there."""
    add_corners(app, live_corners(hub, job), needing=[needs(Right.MIND)])
    add_page(app, "/corners", "corners.html")


def live_corners(hub: Hub, job: Job) -> CornerService:
    """Where the corners of this table are tapped; what is kept is the camera's place from the next picture on."""

    def keep_pose(pose: CameraPose) -> str:
        hub.camera.set_camera_pose(pose)
        return KEPT

    return CornerService(
        partial(_request_image, hub), camera=job.camera, layout=job.layout, table_mm=None, cut_mm=CUT_MM, keep=keep_pose
    )


def _request_image(hub: Hub, with_room: bool) -> tuple[Image, bool]:
    """The next picture as the camera takes it. Raises: NoCamera, SourceLost, RoomShown."""
    hub.camera.request_image(with_room=with_room)
    try:
        looked = _await_image(hub, with_room, until_s=time.monotonic() + PATIENCE_S)
    except Empty:
        raise SourceLost("The camera has sent no picture.", field="source", value=hub.title) from None
    if looked.jpeg is None:
        raise RoomShown(
            "Nobody has known yet where the table ends, so the picture would show the room: a judge may look.",
            right=Right.RULE.value,
        )
    return decode_image(looked.jpeg, field="picture", name="the camera's picture"), looked.is_edged


def _await_image(hub: Hub, with_room: bool, *, until_s: float) -> ImageReport:
    """The picture that was asked for. One with the room may still come for a judge who waits no more: it is dropped.

    Raises: queue.Empty.
    """
    while True:
        looked = hub.camera.images.get(timeout=max(0.0, until_s - time.monotonic()))
        if with_room or looked.jpeg is None or looked.is_edged:
            return looked
