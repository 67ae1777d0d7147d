"""Projector routes: the stream that the page on the projector draws, its calibration, and its key for black."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.sse import EventSourceResponse

from api.errors import NoCamera, NoTableYet
from api.http.openapi import media_response, problem_responses
from api.http.security_headers import add_page
from api.http.sse_broadcast import EVENTS, stream_events
from api.projector.schemas import LightBoard, LightSettings, PageSize, SetLight
from api.projector.service import LightService
from api.routes.auth import AtTheTable, Minder
from models.errors import BadInput, SourceLost

router = APIRouter(prefix="/api/v1/projector", tags=["projector"])


async def light_of(request: Request) -> LightService:
    light: LightService = request.app.state.light
    return light


Light = Annotated[LightService, Depends(light_of)]


def add_projector(app: FastAPI, light: LightService) -> None:
    """Serve the page at `/projector`, for a table that a camera watches."""
    app.state.light = light
    app.state.endings = (*app.state.endings, light.close)
    app.include_router(router)
    add_page(app, "/projector", "projector.html")


@router.get("/stream", response_class=Response, responses=media_response(EVENTS))
async def stream(light: Light) -> EventSourceResponse:
    """What the light shows and where it falls, whole, each time that changes, for the page on the projector."""
    return stream_events(_events(light))


async def _events(light: LightService) -> AsyncIterator[bytes]:
    light.note_page(came=True)
    try:
        async for event in light.stream.events():
            yield event
    finally:
        light.note_page(came=False)


@router.post("/calibration", responses=problem_responses(BadInput, NoCamera, SourceLost, NoTableYet))
async def calibrate(size: PageSize, _: Minder, light: Light) -> LightBoard:
    """Show coded dots for some seconds, see them, and solve where the light falls."""
    return await light.calibrate(size)


@router.post("/shown/{number}", status_code=204)
async def shown(number: int, _: Minder, light: Light) -> None:
    """The page shows this picture of the calibration by now."""
    light.note_shown(number)


@router.put("/settings")
async def change(settings: LightSettings, _: Minder, light: Light) -> LightBoard:
    """Show so much, and so brightly, from now on."""
    light.set_settings(settings)
    return light.board()


@router.put("/laid")
async def lay(laid: SetLight, _: AtTheTable, light: Light) -> LightBoard:
    """Lay these shapes on the table as light, in place of those before; none: take them away."""
    light.lay(laid)
    return light.board()
