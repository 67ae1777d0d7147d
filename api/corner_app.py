"""The server of the page on which the mat's corners are tapped."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, Response

from api.corner_desk import CornerDesk
from api.corner_words import Judged, Look, Taps
from api.errors import NoCamera, NoPicture, NotAllowed, RoomShown
from api.openapi import content, problems
from api.phone_page import add_phone_page
from api.problems import add_problem_handlers
from api.seats.asking import check, seat_of
from api.seats.seat import RIGHTS, Right
from models.errors import BadFile, BadInput, SourceLost

Room = Annotated[bool, Query(description="with all that the camera sees: for who judges")]


def create_corner_app(desk: CornerDesk) -> FastAPI:
    """The page at `/` and what it asks for."""
    app = FastAPI(title="Tableside corners", version="1", docs_url=None, redoc_url=None)
    add_problem_handlers(app)
    app.include_router(corners(desk))
    add_phone_page(app, name="corners.html")
    return app


def corners(desk: CornerDesk, *, needing: Sequence[Any] = ()) -> APIRouter:
    """The routes of the page, for those who have the rights that are needed."""
    router = APIRouter(prefix="/api/v1/corners", tags=["corners"], dependencies=list(needing))

    @router.post("/look", responses=problems(SourceLost, BadFile, BadInput, NoCamera, RoomShown, NotAllowed))
    def look(request: Request, room: Room = False) -> Look:
        """Take a new picture with the camera, black beyond the table's last known edge unless the room is asked for.

        Only who judges may see the room; before the table is known, that is all there is to see.
        """
        seat = seat_of(request)
        may_show_room = Right.RULE in RIGHTS[seat]
        if room:
            check(seat, Right.RULE)
        try:
            return desk.look(with_room=room, may_show_room=may_show_room)
        except RoomShown:
            if not may_show_room:
                raise
            return desk.look(with_room=True)

    @router.get("/look/{version}.jpg", response_class=Response, responses=content("image/jpeg") | problems(NoPicture))
    def picture(version: int) -> Response:
        """The picture as the camera gave it."""
        return Response(desk.jpeg(version), media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @router.post("", responses=problems(BadInput, NoCamera))
    def judge(taps: Taps) -> Judged:
        """What these corners make of the table."""
        return desk.judge(taps)

    @router.get("/map.svg", response_class=Response, responses=content("image/svg+xml") | problems(NoPicture))
    def heat_map() -> Response:
        """How surely places are known by the last corners."""
        return Response(desk.heat_map(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    return router
