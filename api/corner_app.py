"""The server of the page on which the mat's corners are tapped."""

from fastapi import APIRouter, FastAPI, Response

from api.corner_desk import CornerDesk
from api.corner_words import Judged, Look, Taps
from api.phone_page import add_phone_page
from api.problems import add_problem_handlers


def create_corner_app(desk: CornerDesk) -> FastAPI:
    """The page at `/` and what it asks for."""
    app = FastAPI(title="Tableside corners", version="1", docs_url=None, redoc_url=None)
    add_problem_handlers(app)
    app.include_router(_corners(desk))
    add_phone_page(app, name="corners.html")
    return app


def _corners(desk: CornerDesk) -> APIRouter:
    router = APIRouter(prefix="/api/v1/corners", tags=["corners"])

    @router.post("/look")
    def look() -> Look:
        """Take a new picture with the camera."""
        return desk.look()

    @router.get("/look/{version}.jpg", response_class=Response)
    def picture(version: int) -> Response:
        """The picture as the camera gave it."""
        return Response(desk.jpeg(version), media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @router.post("")
    def judge(taps: Taps) -> Judged:
        """What these corners make of the table."""
        return desk.judge(taps)

    @router.get("/map.svg", response_class=Response)
    def heat_map() -> Response:
        """How surely places are known by the last corners."""
        return Response(desk.heat_map(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    return router
