"""Reconnecting source: connects again whenever the source is lost, and says at once what is the matter."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from api.backoff import backoff_waits
from api.camera.connection import (
    IN_PIECES,
    LIVE,
    ReaderThread,
    SourceWarning,
    SourceWhole,
    Watchdog,
    WatchdogTimeouts,
)
from api.camera.live_source import SourceOpener
from api.errors import CameraFailed
from models.errors import SourceLost, WorldError
from vision.capture.decoded_frame import DecodedFrame

HANGS_S = 15.0  # a reader that has not ended so long after it was stopped hangs in a driver, and holds the device
STEADY_S = 5.0  # a connection that held so long is tried again at once when it breaks


@dataclass(frozen=True)
class TimedFrame:
    """A picture of a source, numbered and timed from when the source was first asked for."""

    index: int
    t_s: float
    shot: DecodedFrame


News = TimedFrame | SourceWarning | SourceWhole | WorldError


def reconnecting_frames(
    opened: SourceOpener,
    *,
    name: str,
    timeouts: WatchdogTimeouts | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    random: Random | None = None,
    first: int = 0,
    begin_s: float | None = None,
) -> Iterator[News]:
    """The newest picture each time one is asked for, without an end; an error each time that none can be had.

    Pictures count on from `first`, and time goes on since `begin_s`, from one connection to the next. Raises:
    CameraFailed when a driver hangs: it lets go of its device with this process alone.
    """
    stopped: list[tuple[ReaderThread, float]] = []
    random = random or Random()
    pauses = backoff_waits(random)
    begin_s, index = clock() if begin_s is None else begin_s, first
    while True:
        connected_s = clock()
        try:
            for seen in _read_connection(opened, name=name, timeouts=timeouts, clock=clock, stopped=stopped):
                if isinstance(seen, DecodedFrame):
                    yield TimedFrame(index, max(0.0, seen.came_s - begin_s), seen)
                    index += 1
                else:
                    yield seen
        except SourceLost as lost:
            yield lost
        if clock() - connected_s > STEADY_S:
            pauses = backoff_waits(random)
        sleep(next(pauses))
        stopped = [(reader, since_s) for reader, since_s in stopped if reader.is_running()]
        if any(clock() - since_s > HANGS_S for _, since_s in stopped):
            raise CameraFailed(f"{name}: its driver hangs")


def _read_connection(
    opened: SourceOpener,
    *,
    name: str,
    timeouts: WatchdogTimeouts | None,
    clock: Callable[[], float],
    stopped: list[tuple[ReaderThread, float]],
) -> Iterator[DecodedFrame | SourceWarning | SourceWhole | WorldError]:
    """What one connection shows until it is lost; its reader is then among those `stopped`. Raises: SourceLost."""
    source = opened()
    reader = ReaderThread(source, name=name, clock=clock)
    try:
        yield from Watchdog(reader, name=name, timeouts=timeouts or (IN_PIECES if source.is_segmented else LIVE)).news()
    finally:
        reader.stop()
        stopped.append((reader, clock()))
