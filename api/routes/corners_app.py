"""Corner routes, and the server of the page on which the mat's corners are tapped."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response

from api.corners.schemas import CornerImage, TapAssessment, Taps
from api.corners.service import CornerService
from api.errors import NoCamera, NoPicture, NotAllowed, RoomShown
from api.http.openapi import media_response, problem_responses
from api.http.problems import add_problem_handlers
from api.http.source_offer import add_source_offer
from api.http.static_pages import add_phone_page
from api.routes.auth import require_right, seat_of
from api.seats.permissions import RIGHTS, Right
from models.errors import BadFile, BadInput, SourceLost

Room = Annotated[bool, Query(description="with all that the camera sees: for who judges")]


router = APIRouter(prefix="/api/v1/corners", tags=["corners"])
_JPEG, _SVG = media_response("image/jpeg"), media_response("image/svg+xml")
_UNKEPT = {"Cache-Control": "no-store"}
_LOOKING = problem_responses(SourceLost, BadFile, BadInput, NoCamera, RoomShown, NotAllowed)


async def corners_of(request: Request) -> CornerService:
    """Where the corners of the app that is asked are tapped."""
    corners: CornerService = request.app.state.corners
    return corners


Corners = Annotated[CornerService, Depends(corners_of)]


def create_corner_app(corners: CornerService) -> FastAPI:
    """The page at `/` and what it asks for."""
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
