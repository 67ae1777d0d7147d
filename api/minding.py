"""What the one who minds the table may ask of the camera: look for the table anew, check itself."""

from typing import Literal

from fastapi import APIRouter

from api.errors import NoCamera
from api.hub import Hub
from api.openapi import problems
from api.seats.asking import needs
from api.seats.seat import Right
from models.check import SelfCheck
from models.frozen import Frozen


class Wished(Frozen):
    """What the camera was asked for."""

    asked: Literal["register", "check"]


def minding(hub: Hub) -> APIRouter:
    """Both are answered at once and done at the next look; what came of it is told on the live socket and in health."""
    router = APIRouter(prefix="/api/v1", tags=["camera"])
    mind = [needs(Right.MIND)]

    @router.post("/register", status_code=202, responses=problems(NoCamera), dependencies=mind)
    async def register() -> Wished:
        """Find the table anew, after the camera was moved, and measure all of it."""
        hub.register_again()
        return Wished(asked="register")

    @router.post("/check", status_code=202, responses=problems(NoCamera), dependencies=mind)
    async def check() -> Wished:
        """Compare lengths that are known with what the camera measures."""
        hub.check_again()
        return Wished(asked="check")

    @router.get("/check")
    async def checked() -> SelfCheck | None:
        """The newest self-check; null while there is none."""
        return hub.check

    return router
