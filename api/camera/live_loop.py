"""Live loop: a source's newest frame measured again and again; each loss and each return is told once."""

import logging
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from api.camera.connection import SourceWarning, SourceWhole
from api.camera.frame_loop import FrameLoop
from api.camera.protocol import DamageReport, FailureReport, FrameReport, Report, SnapshotReport
from api.camera.reconnecting_source import News, TimedFrame
from api.errors import CameraFailed
from models.errors import BadInput, TablesideError
from models.timeline import EventLine
from vision.capture.sources import Frame

log = logging.getLogger(__name__)


AT_REST_S = 0.5  # two looks a second are enough to notice a hand
UNDER_HANDS_S = 0.2
LIGHT_FPS = 5.0  # asked of a camera on a cable: every picture that it sends must be decoded


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
        if self._frame_loop.passes_filter(frame):
            yield from self._frame_loop.process_frame(frame, late_s, lines=self._latest.return_event(arrived))
            if memory := self._frame_loop.new_tracker_state():
                yield SnapshotReport(frame.index, frame.t_s, self._clock(), pickle.dumps(memory))
        if self._latest.trouble is not None:
            yield self._latest.trouble
