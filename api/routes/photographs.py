"""Photograph routes: each picture sent from a phone becomes the table as it is then."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request

from api.camera.photographs import Photographs
from api.errors import CameraFailed, TooMuch
from api.http.openapi import problem_responses
from api.http.refusals import MOST_PHOTOGRAPH_BYTES
from api.routes.auth import needs
from api.seats.permissions import Right
from models.errors import BadFile, CamerasDisagree, TableNotVisible, TooBlurred
from models.frozen import Frozen

MOST_AT_ONCE = 2  # photographs in memory: each may be as large as a whole film of the table's pictures

AnotherSide = Annotated[bool, Query(description="nothing was moved since the picture before: join them")]


class PhotographResult(Frozen):
    """What a photograph came to."""

    state_id: str
    miniatures: int


def photograph_router(photographs: Photographs) -> APIRouter:
    """The route that a photograph is sent to."""
    router = APIRouter(tags=["camera"])
    may, taken = [needs(Right.MIND)], asyncio.Semaphore(MOST_AT_ONCE)

    @router.post(
        "/api/v1/photographs",
        responses=problem_responses(BadFile, TooMuch, TableNotVisible, TooBlurred, CamerasDisagree, CameraFailed),
        dependencies=may,
        max_body_size=MOST_PHOTOGRAPH_BYTES,
    )
    async def send(request: Request, another_side: AnotherSide = False) -> PhotographResult:
        """The table as this picture (JPEG, PNG or HEIC, the request's whole body) shows it."""
        async with taken:
            state = await photographs.locate(await request.body(), is_another_side=another_side)
        return PhotographResult(state_id=state.state_id, miniatures=len(state.miniatures))

    return router
