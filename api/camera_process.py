"""What runs beside the server: it looks at the source and reports what it sees.

Its own process, so that a phone is answered while a picture is measured, and so that it may die alone.
"""

import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

import cv2

from api.errors import CameraFailed, RecordingEnded
from api.job import Job
from api.live_source import at_size, is_live, live_frames
from api.pacing import paced
from api.sighting import Checked, Failed, Report, Said, Sighting
from api.wishes import Flag, Wishes
from calibration.resized import resized
from calibration.selfcheck import unfit
from models.base import catalogue_of
from models.check import SelfCheck
from models.errors import SourceLost, TableNotVisible, TablesideError
from vision.rectify import table_picture
from vision.sources import Frame, frames_of
from vision.touching import checked
from vision.watching import Glance, Watcher

log = logging.getLogger(__name__)

PICTURE_PX_PER_MM = 1.0  # a phone's screen is about as wide in pixels as a table in millimetres
PICTURE_QUALITY = 72
PICTURE_MOVING_S = 0.4  # least time between two pictures while hands or miniatures move
PICTURE_STILL_S = 2.0  # and while nothing does
_SHRUNK = "The camera was calibrated at {}x{} and sends {}x{}: taken for the same picture, made smaller or larger."
TRY_AGAIN_S = 3.0  # a camera that was unplugged is looked for this often


class Looker(Protocol):
    """What a `Watcher` does."""

    def look(self, frame: Frame) -> Glance: ...
    def register_again(self) -> None: ...


def run(job: Job, out: Connection, wishes: Wishes) -> None:
    """The process: report until the source ends or the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    _step_back()
    with contextlib.suppress(BrokenPipeError):
        for report in reports(job, wishes, watcher=watcher_of):
            out.send(report)


def reports(job: Job, wishes: Wishes, *, watcher: Callable[[Job], Looker]) -> Iterator[Report]:
    """Everything there is to report, the end or a failure last; a live source that is lost is tried again."""
    try:
        while True:
            yield from _round(job, wishes, watcher)
            if not job.is_looping and not is_live(job.source):
                break
            if job.is_looping:
                yield Said("The recording starts again.")
        yield Failed(RecordingEnded("The last table stays; start the program again to play it again.").problem(), True)
    except TablesideError as wrong:
        yield Failed(wrong.problem())
    except Exception as wrong:
        log.exception("the camera's process failed")
        yield Failed(CameraFailed(f"{type(wrong).__name__}: {wrong}").problem())


def _round(job: Job, wishes: Wishes, watcher: Callable[[Job], Looker]) -> Iterator[Report]:
    """The source once through, with a fresh watcher; a live one until it is lost."""
    try:
        frames = _frames(job)
        first = next(frames, None)
        if first is None:
            return
        fitted = _fitted(job, first[0])
        if fitted is not job:
            yield Said(_SHRUNK.format(*job.camera.image_size, *fitted.camera.image_size))
        yield from _heeding(chain([first], frames), watcher(fitted), fitted, wishes)
    except SourceLost as wrong:
        if not is_live(job.source):
            raise
        yield Failed(wrong.problem())
        time.sleep(TRY_AGAIN_S)


def _frames(job: Job) -> Iterator[tuple[Frame, float]]:
    """Each frame with how late it comes, in seconds."""
    if not is_live(job.source):
        yield from paced(frames_of(Path(job.source)))
        return
    for frame in live_frames(job.source, capture=at_size(job.camera.image_size)):
        yield frame, 0.0


def _fitted(job: Job, frame: Frame) -> Job:
    """The job with a camera of the source's picture size. Raises: BadInput when only cropping could make it so."""
    height, width = frame.image.shape[:2]
    if (width, height) == job.camera.image_size:
        return job
    return replace(job, camera=resized(job.camera, (width, height)))


def _heeding(frames: Iterable[tuple[Frame, float]], watcher: Looker, job: Job, wishes: Wishes) -> Iterator[Report]:
    """What is seen, and what was wished for meanwhile."""
    last: list[Frame] = []

    def noted() -> Iterator[tuple[Frame, float]]:
        for frame, late_s in frames:
            if wishes.takes(wishes.register):
                watcher.register_again()
            last[:] = [frame]
            yield frame, late_s

    for sighting in sightings(noted(), watcher, _Painter(job, wishes.pictures)):
        yield sighting
        if wishes.takes(wishes.check):
            yield Checked(_check(last[0], job))


def _check(frame: Frame, job: Job) -> SelfCheck:
    """The self-check of one frame; a table that cannot be seen is what must be mended."""
    try:
        return checked(frame.image, camera=job.camera, layout=job.layout, catalogue=catalogue_of((job.edition,)))
    except TableNotVisible as wrong:
        return unfit(str(wrong))


def sightings(
    frames: Iterable[tuple[Frame, float]],
    watcher: Looker,
    paint: Callable[[Frame, Glance], bytes | None],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Sighting]:
    """One sighting a frame; its lag is how late the frame came and how long looking took."""
    for frame, late_s in frames:
        began = clock()
        glance = watcher.look(frame)
        jpeg = paint(frame, glance)
        yield Sighting(
            t_s=frame.t_s,
            lines=glance.lines,
            is_settled=glance.is_settled,
            hand=glance.hand,
            is_visible=glance.pose is not None,
            lag_s=late_s + clock() - began,
            jpeg=jpeg,
            halt=glance.halt,
        )


class _Painter:
    """The table from above as JPEG, at most a few times a second and only while somebody wants it."""

    def __init__(self, job: Job, wanted: Flag) -> None:
        self._job = job
        self._wanted = wanted
        self._painted_at: float | None = None

    def __call__(self, frame: Frame, glance: Glance) -> bytes | None:
        if glance.pose is None or glance.halt is not None or not self._is_due(frame.t_s, is_settled=glance.is_settled):
            return None
        self._painted_at = frame.t_s
        picture = table_picture(
            frame.image,
            camera=self._job.camera,
            pose=glance.pose,
            table_mm=self._job.layout.table_mm,
            px_per_mm=PICTURE_PX_PER_MM,
        )
        ok, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, PICTURE_QUALITY])
        return jpeg.tobytes() if ok else None

    def _is_due(self, t_s: float, *, is_settled: bool) -> bool:
        if self._painted_at is None:
            return True  # the first phone to come should not look at an empty table
        least_s = PICTURE_STILL_S if is_settled else PICTURE_MOVING_S
        return self._wanted.is_set() and t_s - self._painted_at >= least_s


def watcher_of(job: Job) -> Watcher:
    return Watcher(job.camera, job.layout, edition=job.edition, catalogue=catalogue_of((job.edition,)))


def _step_back() -> None:
    """Leave the processor to the server when there is too little of it."""
    cv2.setNumThreads(1)
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(10)
