"""Corner routes, and the server of the page on which the mat's corners are tapped."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, Response

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


def create_corner_app(desk: CornerService) -> FastAPI:
    """The page at `/` and what it asks for."""
    app = FastAPI(title="Tableside corners", version="1", docs_url=None, redoc_url=None)
    add_problem_handlers(app)
    app.include_router(corner_router(desk))
    add_phone_page(app, name="corners.html")
    add_source_offer(app)
    return app


def corner_router(desk: CornerService, *, needing: Sequence[Any] = ()) -> APIRouter:
    """The routes of the page, for those who have the rights that are needed."""
    router = APIRouter(prefix="/api/v1/corners", tags=["corners"], dependencies=list(needing))

    @router.post("/look", responses=problem_responses(SourceLost, BadFile, BadInput, NoCamera, RoomShown, NotAllowed))
    def take_image(request: Request, room: Room = False) -> CornerImage:
        """Take a new picture with the camera, black beyond the table's last known edge unless the room is asked for.

        Only who judges may see the room; before the table is known, that is all there is to see.
        """
        seat = seat_of(request)
        may_show_room = Right.RULE in RIGHTS[seat]
        if room:
            require_right(seat, Right.RULE)
        try:
            return desk.take_image(seat=seat, with_room=room, may_show_room=may_show_room)
        except RoomShown:
            if not may_show_room:
                raise
            return desk.take_image(seat=seat, with_room=True)

    @router.get(
        "/look/{version}.jpg",
        response_class=Response,
        responses=media_response("image/jpeg") | problem_responses(NoPicture, RoomShown),
    )
    def picture(request: Request, version: int) -> Response:
        """The picture as the camera gave it; one with the room is for the seat that asked for it."""
        return Response(
            desk.jpeg(version, seat=seat_of(request)), media_type="image/jpeg", headers={"Cache-Control": "no-store"}
        )

    @router.post("", responses=problem_responses(BadInput, NoCamera))
    def judge(taps: Taps) -> TapAssessment:
        """What these corners make of the table."""
        return desk.assess(taps)

    @router.get(
        "/map.svg", response_class=Response, responses=media_response("image/svg+xml") | problem_responses(NoPicture)
    )
    def heat_map() -> Response:
        """How surely places are known by the last corners."""
        return Response(desk.heat_map(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    return router
