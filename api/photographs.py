"""A table that is photographed by hand: each picture sent from a phone becomes the table as it is then."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from api.camera_process import step_back
from api.errors import CameraFailed, TooMuch
from api.hub import Hub
from api.job import Job
from api.lookout import table_jpeg
from api.openapi import problems
from api.seats.asking import needs
from api.seats.seat import Right
from api.sighting import Sighting
from calibration.resized import resized
from models.base import catalogue_of
from models.errors import BadFile, TableNotVisible, TooBlurred
from models.frozen import Frozen
from models.state import TableState
from models.timeline import StateLine
from vision.photographs import photographed
from vision.pictures import decoded, untouched

SOURCE = "photographs"
MOST_BYTES = 40 << 20
PAGE = Path(__file__).parent / "photograph.html"

Seen = tuple[TableState, bytes]


class Located(Frozen):
    """What a photograph came to."""

    state_id: str
    miniatures: int


class Photographs:
    """Locates one photograph after the other beside the server, and hands what it shows to the hub."""

    def __init__(self, job: Job, *, pool: Callable[[], Executor] | None = None) -> None:
        self._job = job
        self._pool_of = pool or _pool
        self._hub: Hub | None = None
        self._pool: Executor | None = None
        self._one_by_one = asyncio.Lock()
        self._began_s = time.monotonic()
        self._given = self._count = 0

    @asynccontextmanager
    async def __call__(self, hub: Hub) -> AsyncIterator[None]:
        self._hub, self._pool = hub, self._pool_of()
        try:
            yield
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def take(self, data: bytes) -> TableState:
        """The table in this picture, which itself is kept nowhere.

        Raises: BadFile, BadInput, TableNotVisible, TooBlurred, CameraFailed.
        """
        async with self._one_by_one:
            assert self._hub is not None
            state, jpeg = await self._located(data, self._hub.state)
            numbers = [int(one.id[1:]) for one in state.miniatures if one.id[1:].isdigit()]
            self._given = max([self._given, *numbers])
            self._tell(self._hub, state, jpeg)
            return state

    async def _located(self, data: bytes, before: TableState | None) -> Seen:
        assert self._pool is not None
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, locate, data, self._job, before, self._given)
        except BrokenProcessPool as died:
            self._pool = self._pool_of()
            raise CameraFailed("The process that measures photographs has died; send the picture again.") from died

    def _tell(self, hub: Hub, state: TableState, jpeg: bytes) -> None:
        t_s = time.monotonic() - self._began_s
        line = StateLine(t_s=t_s, frame=self._count, settled_at_s=t_s, state=state)
        self._count += 1
        hub.take(Sighting(t_s=t_s, lines=(line,), is_settled=True, hand=False, is_visible=True, jpeg=jpeg))


def _pool() -> Executor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=step_back)


def locate(data: bytes, job: Job, before: TableState | None, given: int) -> Seen:
    """The table in this picture, and the table alone as a picture. Raises: BadFile, BadInput, TableNotVisible."""
    image = decoded(data, field="photograph", name="photograph")
    height, width = image.shape[:2]
    wide, high = job.camera.image_size
    if (width > height) != (wide > high):  # held upright: as the camera took it, it is as it was calibrated
        image = untouched(data)
        height, width = image.shape[:2]
    fitted = replace(job, camera=resized(job.camera, (width, height))) if (width, height) != (wide, high) else job
    state, pose = photographed(
        image,
        camera=fitted.camera,
        layout=fitted.layout,
        catalogue=catalogue_of((fitted.edition,)),
        edition=fitted.edition,
        before=before,
        given=given,
    )
    return state, table_jpeg(image, fitted, pose) or b""


def photographing(photographs: Photographs) -> APIRouter:
    """The page with which a photograph is taken, and what it sends it to."""
    router = APIRouter(tags=["camera"])
    may = [needs(Right.MIND)]

    @router.post(
        "/api/v1/photographs",
        responses=problems(BadFile, TooMuch, TableNotVisible, TooBlurred, CameraFailed),
        dependencies=may,
    )
    async def send(request: Request) -> Located:
        """The table as this picture (JPEG or PNG, the request's whole body) shows it."""
        state = await photographs.take(await _body(request))
        return Located(state_id=state.state_id, miniatures=len(state.miniatures))

    @router.get("/photograph", include_in_schema=False)
    def page() -> Response:
        return FileResponse(PAGE, headers={"Cache-Control": "no-cache"})

    return router


async def _body(request: Request) -> bytes:
    """The picture, unless it is absurdly large. Raises: TooMuch."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise TooMuch(f"a photograph has at most {MOST_BYTES} bytes", field="photograph", value=None)
    return bytes(body)
