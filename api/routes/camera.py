"""Camera routes: look for the table anew, check the camera."""

from typing import Literal

from fastapi import APIRouter

from api.errors import NoCamera
from api.http.openapi import problem_responses
from api.live.hub import Hub
from api.routes.auth import needs
from api.seats.permissions import Right
from models.frozen import Frozen
from models.self_check import SelfCheck


class CameraRequest(Frozen):
    """What the camera was asked for."""

    asked: Literal["register", "check"]


def camera_router(hub: Hub) -> APIRouter:
    """The routes of camera commands: answered at once, done at the next frame; the live socket tells the outcome."""
    router = APIRouter(prefix="/api/v1", tags=["camera"])
    mind = [needs(Right.MIND)]

    @router.post("/register", status_code=202, responses=problem_responses(NoCamera), dependencies=mind)
    async def register() -> CameraRequest:
        """Find the table anew, after the camera was moved, and measure all of it."""
        hub.camera.reset_pose()
        return CameraRequest(asked="register")

    @router.post("/check", status_code=202, responses=problem_responses(NoCamera), dependencies=mind)
    async def check() -> CameraRequest:
        """Compare lengths that are known with what the camera measures."""
        hub.camera.request_self_check()
        return CameraRequest(asked="check")

    @router.get("/check")
    async def latest_self_check() -> SelfCheck | None:
        """The newest self-check; null while there is none."""
        return hub.camera.check

    return router
