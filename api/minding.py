"""What the one who minds the table may ask of the camera: look for the table anew, check itself."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from api.hub import Hub
from api.seats.asking import needs
from api.seats.seat import Right


def minding(hub: Hub) -> APIRouter:
    """Both are answered at once and done at the next look; what came of it is told on the live socket and in health."""
    router = APIRouter(prefix="/api/v1", tags=["camera"])
    mind = [needs(Right.MIND)]

    @router.post("/register", status_code=202, dependencies=mind)
    async def register() -> JSONResponse:
        """Find the table anew, after the camera was moved, and measure all of it."""
        hub.register_again()
        return JSONResponse({"asked": "register"}, status_code=202)

    @router.post("/check", status_code=202, dependencies=mind)
    async def check() -> JSONResponse:
        """Compare lengths that are known with what the camera measures."""
        hub.check_again()
        return JSONResponse({"asked": "check"}, status_code=202)

    @router.get("/check")
    async def checked() -> JSONResponse:
        """The newest self-check; null while there is none."""
        return JSONResponse(None if hub.check is None else hub.check.model_dump(mode="json"))

    return router
