"""What runs beside the server: it looks at the source and reports what it sees.

Its own process, so that a phone is answered while a picture is measured, and so that it may die alone.
"""

import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import cv2

from api.errors import CameraFailed, RecordingEnded
from api.heap import GivingBack, share_one_heap
from api.job import Job
from api.keeper import Keeper
from api.live_reports import LiveReports
from api.live_source import is_live, opening
from api.lookout import Looker, Lookout
from api.pacing import paced
from api.recollection import recalled
from api.sighting import Failed, Report, Rewound, Said
from api.steady_source import News, steady_frames
from api.wishes import Wishes
from models.base import catalogue_of
from models.errors import TablesideError
from vision.cores import keep_to_one
from vision.sources import frames_of
from vision.streams import shown
from vision.watching import Watcher

log = logging.getLogger(__name__)


def run(job: Job, out: Connection, wishes: Wishes) -> None:
    """The process: report until the source ends or the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    step_back()
    share_one_heap()
    one_by_one = threading.Lock()

    def tell(report: Report) -> None:
        with one_by_one:
            out.send(report)

    give_back = GivingBack()
    with contextlib.suppress(BrokenPipeError):
        for report in reports(job, wishes, watcher=watcher_of, tell=tell):
            tell(report)
            give_back()


def nobody(_: Report) -> None:
    """Hears nothing: a recording has nothing to say out of turn."""


def reports(
    job: Job, wishes: Wishes, *, watcher: Callable[[Job], Looker], tell: Callable[[Report], None] = nobody
) -> Iterator[Report]:
    """Everything there is to report, the end or a failure last; a live source has no end.

    What is the matter with a live source is told out of turn, since measuring may take longer than it can wait.
    """
    try:
        if is_live(job.source):
            keeper = Keeper(tell, is_told_lost=job.kept is not None)
            threading.Thread(target=keeper.follow, args=(_live_news(job),), daemon=True).start()
            yield from LiveReports(keeper, Lookout(job, wishes, watcher)).all()
        else:
            yield from _played(job, wishes, watcher)
    except TablesideError as wrong:
        yield Failed(wrong.problem())
    except Exception as wrong:
        log.exception("the camera's process failed")
        yield Failed(CameraFailed(f"{type(wrong).__name__}: {wrong}").problem())


def _live_news(job: Job) -> Iterator[News]:
    """What the source sends, counted and timed on from where another process was cut short."""
    opened, kept = opening(job.source, size=job.camera.image_size), job.kept
    if kept is None:
        return steady_frames(opened, name=shown(job.source))
    return steady_frames(opened, name=shown(job.source), first=kept.frame + 1, begin_s=kept.at_s - kept.t_s)


def _played(job: Job, wishes: Wishes, watcher: Callable[[Job], Looker]) -> Iterator[Report]:
    """A recording at the pace at which it was made, once or again and again, each time with a fresh watcher."""
    while True:
        lookout = Lookout(job, wishes, watcher)
        for frame, late_s in paced(frames_of(Path(job.source))):
            if lookout.believes(frame):
                yield from lookout.see(frame, late_s)
        if not job.is_looping:
            break
        yield Rewound()
        yield Said("The recording starts again.")
    yield Failed(RecordingEnded("The last table stays; start the program again to play it again.").problem(), True)


def watcher_of(job: Job) -> Watcher:
    catalogue = catalogue_of((job.edition,))
    memory = None if job.kept is None else recalled(job.kept.memory)
    return Watcher(job.camera, job.layout, edition=job.edition, catalogue=catalogue, start=job.pose, memory=memory)


def step_back() -> None:
    """Leave the processor to the server when there is too little of it."""
    cv2.setNumThreads(1)
    keep_to_one()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(10)
