"""Camera process: runs beside the server, looks at the source and reports what it sees.

Its own process, so that a phone is answered while a picture is measured, and so that it may die alone.
"""

import contextlib
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import cv2

from api.camera.connection import FrameSource
from api.camera.frame_loop import FrameLoop, TrackerProtocol
from api.camera.live_loop import LIGHT_FPS, LatestFrame, LiveLoop
from api.camera.live_source import SourceOpener, is_live, opener_of, pace_frames
from api.camera.protocol import (
    AliveReport,
    CameraCommands,
    FailureReport,
    Job,
    PlaybackRestart,
    Report,
    SourceNotice,
)
from api.camera.reconnecting_source import News, reconnecting_frames
from api.camera.tracker_snapshot import unpickle_memory
from api.errors import CameraFailed, RecordingEnded
from api.malloc import HeapTrimmer, share_one_heap
from models.errors import SourceStalled, TablesideError
from vision.capture.source_name import public_name
from vision.capture.sources import read_frames
from vision.parallel import use_single_thread
from vision.tracking.tracker import Tracker

log = logging.getLogger(__name__)

BEAT_S = 0.5
OPENING_S = 4.0  # a source that takes longer to open than that is told of


def run(job: Job, out: Connection, commands: CameraCommands) -> None:
    """Entry point of the process: report until the source ends or the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    lower_priority()
    share_one_heap()
    one_by_one = threading.Lock()

    def tell(report: Report) -> None:
        with one_by_one:
            out.send(report)

    threading.Thread(target=_send_beats, args=(tell,), daemon=True).start()
    give_back = HeapTrimmer()
    with contextlib.suppress(BrokenPipeError):
        for report in reports(job, commands, tracker=tracker_of, tell=tell):
            tell(report)
            give_back()


def _send_beats(tell: Callable[[Report], None]) -> None:
    """Tell again and again that this process runs, until nobody listens any more."""
    with contextlib.suppress(OSError):
        while True:
            tell(AliveReport())
            time.sleep(BEAT_S)


def ignore_report(_: Report) -> None:
    """Hears nothing: a recording has nothing to say out of turn."""


def reports(
    job: Job,
    commands: CameraCommands,
    *,
    tracker: Callable[[Job], TrackerProtocol],
    tell: Callable[[Report], None] = ignore_report,
) -> Iterator[Report]:
    """Everything there is to report, the end or a failure last; a live source has no end.

    What is the matter with a live source is told out of turn, since measuring may take longer than it can wait.
    """
    try:
        if is_live(job.source):
            latest = LatestFrame(tell, is_told_lost=job.kept is not None)
            threading.Thread(
                target=latest.read_news, args=(_follow_source(job, latest.take_news),), daemon=True
            ).start()
            yield from LiveLoop(latest, FrameLoop(job, commands, tracker), is_light=job.is_light).run()
        else:
            yield from _play_recording(job, commands, tracker)
    except TablesideError as wrong:
        yield FailureReport(wrong.problem())
    except Exception as wrong:
        log.exception("the camera's process failed")
        yield FailureReport(CameraFailed(f"{type(wrong).__name__}: {wrong}").problem())


def _follow_source(job: Job, tell: Callable[[News], None]) -> Iterator[News]:
    """What the source sends, counted and timed on from where another process was cut short."""
    name, kept = public_name(job.source), job.kept
    fps = LIGHT_FPS if job.is_light else None
    opened = tell_slow_opening(opener_of(job.source, size=job.camera.image_size, fps=fps), name=name, tell=tell)
    if kept is None:
        return reconnecting_frames(opened, name=name)
    return reconnecting_frames(opened, name=name, first=kept.frame + 1, begin_s=kept.at_s - kept.t_s)


def tell_slow_opening(
    opened: SourceOpener, *, name: str, tell: Callable[[News], None], after_s: float = OPENING_S
) -> SourceOpener:
    """The same opener, which tells from another thread when it has not opened after so long: a driver may hang."""
    stalled = SourceStalled(f"{name}: it does not open, and does not say why", field="source", value=name)

    def open_source() -> FrameSource:
        late = threading.Timer(after_s, tell, (stalled,))
        late.daemon = True
        late.start()
        try:
            return opened()
        finally:
            late.cancel()

    return open_source


def _play_recording(job: Job, commands: CameraCommands, tracker: Callable[[Job], TrackerProtocol]) -> Iterator[Report]:
    """A recording at the pace at which it was made, once or again and again, each time with a fresh tracker.

    Until the table is seen settled for the first time it waits for its tracker: a slow machine would otherwise miss the
    few frames that show it.
    """
    job = replace(job, kept=None)  # it begins anew
    while True:
        frame_loop = FrameLoop(job, commands, tracker)
        for frame, late_s in pace_frames(
            read_frames(Path(job.source), passes_over=True), has_begun=frame_loop.has_settled
        ):
            if frame_loop.passes_filter(frame):
                yield from frame_loop.process_frame(frame, late_s)
        if not job.is_looping:
            break
        yield PlaybackRestart()
        yield SourceNotice("The recording starts again.")
    yield FailureReport(
        RecordingEnded("The last table stays; start the program again to play it again.").problem(), True
    )


def tracker_of(job: Job) -> Tracker:
    """A tracker for this job; with a snapshot it goes on where that one was."""
    state = None if job.kept is None else unpickle_memory(job.kept.memory)
    return Tracker(job.camera, job.layout, edition=job.edition, catalogue=job.catalogue(), start=job.pose, state=state)


def lower_priority() -> None:
    """Leave the processor to the server when there is too little of it."""
    cv2.setNumThreads(1)
    use_single_thread()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(10)
