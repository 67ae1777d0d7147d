"""Photographs: a table that is photographed by hand; each picture becomes the table as it is then."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from api.camera.frame_loop import encode_whole, mask_room
from api.camera.process import lower_priority
from api.camera.protocol import FrameReport, Job, Report, SettledPicture
from api.camera.table_pictures import table_jpeg
from api.errors import CameraFailed
from calibration.arrays import Image
from calibration.camera_model.rescale import rescale_camera
from calibration.pose.picture_fitness import judge_picture
from calibration.pose.pose_fitness import judge_pose
from calibration.view import View
from models.camera import CameraPose
from models.errors import CamerasDisagree, TablesideError
from models.hint import Hint
from models.state import TableState
from models.timeline import StateLine
from vision.camera_fusion import fuse_states
from vision.capture.image_decoding import decode_for_size
from vision.capture.sources import is_video
from vision.tracking.photo_series import locate_photo

SOURCE = "photographs"

LocatedTable = tuple[TableState, bytes, SettledPicture, tuple[str, ...]]
"""The table, it alone as a picture, the picture that may be tapped on, and what makes measuring in that doubtful."""


class ReportTarget(Protocol):
    """Who hears what a photograph shows: the hub."""

    state: TableState | None
    measured: TableState | None

    def hints(self) -> tuple[Hint, ...]: ...

    def handle_report(self, report: Report) -> None: ...

    def rest(self) -> None: ...

    def notify(self, text: str) -> None: ...

    def fail(self, problem: dict[str, Any]) -> None: ...


def is_still(job: Job) -> bool:
    """Whether one photograph is all there is of the table, and its pose is known."""
    path = Path(job.source)
    return job.pose is not None and path.is_file() and not is_video(path)


class Photographs:
    """Locates one photograph after the other beside the server, and hands what it shows to the hub."""

    def __init__(self, job: Job, *, pool: Callable[[], Executor] | None = None) -> None:
        self._job = job
        self._open_pool = pool or _open_process
        self._hub: ReportTarget | None = None
        self._pool: Executor | None = None
        self._locating = asyncio.Lock()
        self._began_s = time.monotonic()
        self._highest_number = self._count = 0

    @asynccontextmanager
    async def __call__(self, hub: ReportTarget) -> AsyncIterator[None]:
        self._hub, self._pool = hub, self._open_pool()
        opening = asyncio.create_task(self._show_still(hub)) if is_still(self._job) else None
        try:
            yield
        finally:
            if opening is not None:
                opening.cancel()
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _show_still(self, hub: ReportTarget) -> None:
        """The table in the one photograph, or all of one moment; nothing more will be seen of it."""
        try:
            for each in (*self._job.further_views, None):
                job = self._job if each is None else replace(self._job, **vars(each))
                data = await asyncio.to_thread(Path(job.source).read_bytes)
                await self.locate(data, job=job, is_another_side=bool(self._job.further_views))
        except TablesideError as wrong:
            hub.fail(wrong.problem())
        except Exception:
            hub.fail(CameraFailed("The photograph could not be measured; use the tape.").problem())
            raise
        else:
            hub.rest()

    async def locate(self, data: bytes, *, is_another_side: bool = False, job: Job | None = None) -> TableState:
        """The table in this picture, which itself is kept in memory alone.

        With `is_another_side` nothing was moved since the picture before: both become one table, each base by how
        surely either shows it, and what one hides the other tells. `job`: how it was taken, where otherwise than all.

        Raises: BadFile, BadInput, TableNotVisible, TooBlurred, CamerasDisagree, CameraFailed.
        """
        async with self._locating:
            assert self._hub is not None
            state, jpeg, photograph, warnings = await self._locate(data, job or self._job, self._hub)
            if is_another_side and self._hub.measured is not None:
                state = _join_views(self._hub.measured, state)
            numbers = [int(miniature.id[1:]) for miniature in state.miniatures if miniature.id[1:].isdigit()]
            self._highest_number = max([self._highest_number, *numbers])
            self._report(self._hub, state, jpeg, photograph)
            for says in warnings:
                self._hub.notify(f"This picture: {says}")
            return state

    async def _locate(self, data: bytes, job: Job, hub: ReportTarget) -> LocatedTable:
        assert self._pool is not None
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._pool, locate_photograph, data, job, hub.state, self._highest_number, hub.hints()
            )
        except BrokenProcessPool as died:
            self._pool = self._open_pool()
            raise CameraFailed("The process that measures photographs has died; send the picture again.") from died

    def _report(self, hub: ReportTarget, state: TableState, jpeg: bytes, photograph: SettledPicture) -> None:
        t_s = time.monotonic() - self._began_s
        line = StateLine(t_s=t_s, frame=self._count, settled_at_s=t_s, state=state)
        self._count += 1
        hub.handle_report(
            FrameReport(
                t_s=t_s, lines=(line,), is_settled=True, hand=False, is_visible=True, jpeg=jpeg, photograph=photograph
            )
        )


def _join_views(before: TableState, now: TableState) -> TableState:
    """Raises: CamerasDisagree when the two cannot be pictures of one table at rest."""
    joined = fuse_states(before, now, names=("before", "newest"))
    if joined.overlap.is_alarming:
        named = ", ".join(miniature.id for miniature in joined.disagreements) or "all"
        raise CamerasDisagree(
            f"this picture does not fit the one before (bases: {named}): if something was moved, take it as a new "
            "picture of the table",
            field="photograph",
            value=named,
        )
    return joined.state


def _open_process() -> Executor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=lower_priority)


def locate_photograph(
    data: bytes, job: Job, before: TableState | None, given: int, hints: tuple[Hint, ...] = ()
) -> LocatedTable:
    """The table in this picture, and the table alone as a picture. Raises: BadFile, BadInput, TableNotVisible."""
    wide, high = job.camera.image_size
    image = decode_for_size(data, (wide, high), field="photograph", name="photograph")
    height, width = image.shape[:2]
    fitted = (
        replace(job, camera=rescale_camera(job.camera, (width, height))) if (width, height) != (wide, high) else job
    )
    state, pose = locate_photo(
        image,
        camera=fitted.camera,
        layout=fitted.layout,
        catalogue=fitted.catalogue(),
        edition=fitted.edition,
        pose=fitted.pose,
        before=before,
        given=given,
        hints=hints,
    )
    view = View(fitted.camera, pose, fitted.layout)
    warnings = judge_picture(image, view=view).warnings()
    warnings += judge_pose(image, view=view).warnings() if fitted.pose is not None else ()
    return state, table_jpeg(image, fitted, pose), _photograph(image, fitted, pose), warnings


def _photograph(image: Image, job: Job, pose: CameraPose) -> SettledPicture:
    """The picture in which the table was measured, black beyond its edge."""
    table_mm = job.layout.table_mm
    shown = mask_room(image, camera=job.camera, pose=pose, table_mm=table_mm, margin_mm=0.0)
    return SettledPicture(
        jpeg=encode_whole(shown), t_s=0.0, taken_at_s=time.time(), camera=job.camera, pose=pose, pose_age_s=0.0,
        table_mm=table_mm,
    )  # fmt: skip
