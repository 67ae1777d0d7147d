"""Camera process: runs beside the server, looks at the source and reports what it sees.

Its own process, so that a phone is answered while a picture is measured, and so that it may die alone.
"""

import contextlib
import logging
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import cv2

from api.camera.connection import FrameSource, SourceWarning, SourceWhole
from api.camera.frame_loop import FrameLoop, TrackerProtocol
from api.camera.live_source import News, SourceOpener, TimedFrame, is_live, opener_of, pace_frames, reconnecting_frames
from api.camera.plugin_detector import PluginDetector
from api.camera.protocol import (
    AliveReport,
    CameraCommands,
    DamageReport,
    FailureReport,
    FrameReport,
    Job,
    PlaybackRestart,
    Report,
    SnapshotReport,
    SourceNotice,
)
from api.camera.tracker_snapshot import unpickle_memory
from api.errors import CameraFailed, RecordingEnded
from api.malloc import HeapTrimmer, share_one_heap
from models.errors import BadInput, SourceStalled, TablesideError
from models.timeline import EventLine
from vision.capture.source_name import public_name
from vision.capture.sources import Frame, read_frames
from vision.detection.network.finder import NetworkFinder
from vision.parallel import use_single_thread
from vision.tracking.tracker import Tracker

log = logging.getLogger(__name__)

BEAT_S = 0.5
OPENING_S = 4.0  # a source that takes longer to open than that is told of
AT_REST_S = 0.5  # two looks a second are enough to notice a hand
UNDER_HANDS_S = 0.2
LIGHT_FPS = 5.0  # asked of a camera on a cable: every picture that it sends must be decoded


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
        for report in reports(job, commands, tracker=partial(tracker_of, tell=tell), tell=tell):
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


def tracker_of(job: Job, tell: Callable[[Report], None] = ignore_report) -> Tracker:
    """The tracker of a job; `tell` hears when the detector that it names fails."""
    state = None if job.kept is None else unpickle_memory(job.kept.memory)
    detector = job.detector and PluginDetector(job.detector, tell=lambda says: tell(SourceNotice(says)))
    return Tracker(
        job.camera, job.layout, edition=job.edition, catalogue=job.catalogue(), start=job.pose, state=state,
        make_finder=detector or NetworkFinder,
    )  # fmt: skip


def lower_priority() -> None:
    """Leave the processor to the server when there is too little of it."""
    cv2.setNumThreads(1)
    use_single_thread()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(10)


def pause_after(took_s: float, *, is_hand: bool) -> float:
    """Seconds to wait after a look, until so much is over since it began; none on a machine that takes longer."""
    return max((UNDER_HANDS_S if is_hand else AT_REST_S) - took_s, 0.0)


class LatestFrame:
    """A buffer of one frame: the newest that nobody has taken yet, and what is wrong with the source now."""

    def __init__(self, tell: Callable[[Report], None], *, is_told_lost: bool = False) -> None:
        """`is_told_lost`: the first picture is a return."""
        self._tell = tell
        self._news = threading.Condition()
        self._waiting: TimedFrame | None = None
        self._is_over = False
        self._at = (0.0, 0)  # time and number of the newest picture
        self._is_told_lost = is_told_lost
        self.trouble: FailureReport | None = None

    def read_news(self, news: Iterable[News]) -> None:
        """Hear all of it, on this thread."""
        try:
            for item in news:
                self.take_news(item)
        except BrokenPipeError:
            log.info("nobody listens any more")
        except TablesideError as wrong:
            self._tell(FailureReport(wrong.problem()))
        except Exception as wrong:
            log.exception("following the source failed")
            self._tell(FailureReport(CameraFailed(f"{type(wrong).__name__}: {wrong}").problem()))
        finally:
            with self._news:
                self._is_over = True
                self._news.notify()

    def take_news(self, item: News) -> None:
        match item:
            case TimedFrame():
                with self._news:
                    self._waiting = item
                    self._at = (item.t_s, item.index)
                    self.trouble = None
                    self._news.notify()
            case SourceWarning(text):
                self._tell(DamageReport(text))
            case SourceWhole():
                self._tell(DamageReport(None))
            case _:
                self._tell(self.report_loss(item))

    def next(self) -> TimedFrame | None:
        """The newest picture, as soon as there is one; None when none will come any more."""
        with self._news:
            self._news.wait_for(lambda: self._waiting is not None or self._is_over)
            arrived, self._waiting = self._waiting, None
            return arrived

    def report_loss(self, why: TablesideError) -> FailureReport:
        """What is to be told of it; that the source was lost is an event only once."""
        with self._news:
            lines = () if self._is_told_lost else (self._make_event("lost-source", *self._at, detail=why.detail),)
            self._is_told_lost = True
            self.trouble = FailureReport(why.problem())
            return FailureReport(why.problem(), lines=lines)

    def return_event(self, arrived: TimedFrame) -> tuple[EventLine, ...]:
        """The event that it is back, with the first picture after a loss."""
        with self._news:
            was, self._is_told_lost = self._is_told_lost, False
        return (self._make_event("back", arrived.t_s, arrived.index),) if was else ()

    def _make_event(self, kind: str, t_s: float, index: int, *, detail: str | None = None) -> EventLine:
        return EventLine.model_validate({"type": kind, "t_s": t_s, "frame": index, "detail": detail})


class LiveLoop:
    """One source measured over the whole game."""

    def __init__(
        self,
        latest: LatestFrame,
        frame_loop: FrameLoop,
        *,
        is_light: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`is_light`: looks keep a pace that leaves a slow machine time for the server."""
        self._latest = latest
        self._frame_loop = frame_loop
        self._is_light = is_light
        self._clock = clock
        self._sleep = sleep
        self._unfit: tuple[int, ...] | None = None

    def run(self) -> Iterator[Report]:
        """Everything that is seen, until the keeper has no more."""
        while (arrived := self._latest.next()) is not None:
            began_s, is_hand = self._clock(), False
            for report in self.process_frame(arrived):
                is_hand = is_hand or (isinstance(report, FrameReport) and report.hand)
                yield report
            if self._is_light:
                self._sleep(pause_after(self._clock() - began_s, is_hand=is_hand))

    def process_frame(self, arrived: TimedFrame) -> Iterator[Report]:
        """What this picture makes known; what went wrong while it was looked at holds all the same."""
        frame = Frame(arrived.index, arrived.t_s, arrived.shot.bgr())
        late_s = max(0.0, self._clock() - arrived.shot.came_s)
        try:
            notes = tuple(self._frame_loop.fit_camera(frame))
        except BadInput as wrong:  # said once: it may come in the right shape again
            if self._unfit != frame.image.shape:
                self._unfit = frame.image.shape
                yield self._latest.report_loss(wrong)
            return
        self._unfit = None
        yield from notes
        if (lit := self._frame_loop.see_light(frame)) is not None:
            yield from lit
        elif self._frame_loop.passes_filter(frame):
            yield from self._frame_loop.process_frame(frame, late_s, lines=self._latest.return_event(arrived))
            if memory := self._frame_loop.new_tracker_state():
                yield SnapshotReport(frame.index, frame.t_s, self._clock(), pickle.dumps(memory))
        if self._latest.trouble is not None:
            yield self._latest.trouble
