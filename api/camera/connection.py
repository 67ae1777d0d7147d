"""Connection: one source's newest frame on a thread of its own, and a watchdog over it."""

import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from api.camera.repetition import Repetition
from calibration.arrays import Image
from models.errors import SourceLost, SourceStalled, TablesideError
from vision.capture.decoded_frame import DecodedFrame

_GAPS, _LATELY = 9, 20
_SLOWER = 3.0
_MANY = 2  # damaged of the last few: not a chance any more
_SAID_AGAIN_S = 60.0


class FrameSource(Protocol):
    """An open connection to a camera or a stream: a `Device` or a `Stream`."""

    @property
    def is_segmented(self) -> bool:
        """Whether pictures come many at once, seconds apart."""

    def frames(self) -> Iterator[DecodedFrame | None]: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


class ReaderThread:
    """The newest picture of a feed, for as long as the feed lasts."""

    def __init__(self, source: FrameSource, *, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._name = name
        self._clock = clock
        self._news = threading.Condition()
        self._shot: DecodedFrame | None = None
        self._over: TablesideError | None = None
        self._heard_s = clock()
        self._gaps_s: deque[float] = deque(maxlen=_GAPS)
        self.damaged = 0
        self.damaged_lately: deque[bool] = deque(maxlen=_LATELY)  # of the last few pictures, whether each came damaged
        self._thread = threading.Thread(target=self._read_source, daemon=True)
        self._thread.start()

    def next(self, wait_s: float) -> DecodedFrame | None:
        """The newest picture that was not taken yet; None when none comes in time. Raises: SourceLost at the end."""
        with self._news:
            self._news.wait_for(lambda: self._shot is not None or self._over is not None, wait_s)
            shot, self._shot = self._shot, None
            if shot is None and self._over is not None:
                raise self._over
            return shot

    def silence_s(self) -> float:
        """For how long nothing came, neither whole nor damaged."""
        return self._clock() - self._heard_s

    def usual_gap_s(self) -> float:
        """How long it takes for something to come, as a rule: one hiccup does not count."""
        return statistics.median(self._gaps_s) if self._gaps_s else 0.0

    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._source.stop()
        self._close(SourceLost(f"{self._name}: nobody looks any more", field="source", value=self._name))

    def _read_source(self) -> None:
        try:
            for shot in self._source.frames():
                if self._over is not None:
                    break
                self._keep_newest(shot)
            self._close(SourceLost(f"{self._name}: no more pictures come", field="source", value=self._name))
        except TablesideError as lost:
            self._close(lost)
        except Exception as wrong:  # whatever a driver or a decoder thinks of, the game goes on
            self._close(SourceLost(f"{self._name}: {type(wrong).__name__}: {wrong}", field="source", value=self._name))
        finally:
            self._source.close()

    def _keep_newest(self, shot: DecodedFrame | None) -> None:
        with self._news:
            now_s = self._clock()
            if self.damaged_lately:
                self._gaps_s.append(now_s - self._heard_s)
            self._heard_s = now_s
            self.damaged_lately.append(shot is None)
            if shot is None:
                self.damaged += 1
            else:
                self._shot = shot
                self._news.notify()

    def _close(self, why: TablesideError) -> None:
        with self._news:
            self._over = self._over or why
            self._news.notify()


@dataclass(frozen=True)
class WatchdogTimeouts:
    """For how long no picture, and always the same one, is borne."""

    quiet_s: float
    lost_s: float
    frozen_s: float


LIVE = WatchdogTimeouts(quiet_s=0.8, lost_s=5.0, frozen_s=0.7)
IN_PIECES = WatchdogTimeouts(quiet_s=4.0, lost_s=30.0, frozen_s=0.7)


@dataclass(frozen=True)
class SourceWarning:
    """A sentence on what is not as it should be, while pictures come."""

    text: str


@dataclass(frozen=True)
class SourceWhole:
    """Pictures have come whole for a while, whatever came before, and from whichever connection or process."""


class Watchdog:
    """One connection from its first picture to its end."""

    def __init__(self, reader: ReaderThread, *, name: str, timeouts: WatchdogTimeouts) -> None:
        self._reader = reader
        self._name = name
        self._timeouts = timeouts
        self._thumbnail: Image | None = None
        self._changed_s = 0.0
        self._repetition = Repetition()
        self._is_told = False
        self._said_s = -_SAID_AGAIN_S
        self._is_told_whole = False

    def news(self) -> Iterator[DecodedFrame | SourceWarning | SourceWhole | SourceStalled]:
        """Each new picture, and what is the matter, once when it begins. Raises: SourceLost at the end."""
        while True:
            damaged = self._reader.damaged
            shot = self._reader.next(self._quiet_s())
            if shot is None:
                yield from self._tell_once(self._explain_silence(damaged))
                continue
            if self._is_frozen(shot):
                yield from self._tell_once("it hangs: its picture does not change any more, not by a grey level")
                continue
            if (pictures := self._repetition.note(shot.thumbnail())) is not None:
                yield from self._tell_once(f"it hangs: the same {pictures} pictures come again and again")
                continue
            self._is_told = False
            yield shot
            yield from self._warn_of_damage(shot.came_s)

    def _quiet_s(self) -> float:
        """How long to wait for a picture: a few times as long as one usually takes."""
        return min(max(self._timeouts.quiet_s, _SLOWER * self._reader.usual_gap_s()), self._timeouts.lost_s)

    def _explain_silence(self, damaged_before: int) -> str:
        """Why no picture came. Raises: SourceLost when nothing at all came for too long."""
        if self._reader.silence_s() > self._timeouts.lost_s:
            says = f"{self._name}: it is connected, and has sent nothing for {self._timeouts.lost_s:.0f} seconds"
            raise SourceLost(says, field="source", value=self._name)
        if self._reader.damaged > damaged_before:
            return "pictures come damaged, and none that is whole"
        return "it is connected, and sends no pictures just now"

    def _tell_once(self, why: str) -> Iterator[SourceStalled]:
        if not self._is_told:
            yield SourceStalled(f"{self._name}: {why}", field="source", value=self._name)
        self._is_told = True

    def _is_frozen(self, shot: DecodedFrame) -> bool:
        """Whether no pixel has changed for too long: a camera's noise alone changes thousands in every picture."""
        before, self._thumbnail = self._thumbnail, shot.thumbnail()
        if before is None or not np.array_equal(before, self._thumbnail):
            self._changed_s = shot.came_s
        return shot.came_s - self._changed_s >= self._timeouts.frozen_s

    def _warn_of_damage(self, now_s: float) -> Iterator[SourceWarning | SourceWhole]:
        """A word on damaged pictures, not more than once a minute while they come, and one when they come no more.

        That they come whole is told by each new connection too: it cannot know what was told of the last.
        """
        lately = self._reader.damaged_lately
        damaged = sum(lately)
        if damaged == 0 and len(lately) == _LATELY and not self._is_told_whole:
            self._is_told_whole, self._said_s = True, -_SAID_AGAIN_S
            yield SourceWhole()
        if damaged >= _MANY and now_s - self._said_s >= _SAID_AGAIN_S:
            self._is_told_whole, self._said_s = False, now_s
            said = f"{damaged} of the last {len(self._reader.damaged_lately)} pictures came damaged and were left out"
            yield SourceWarning(f"{said}: look at the camera's cable or Wi-Fi.")
