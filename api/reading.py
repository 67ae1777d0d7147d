"""One connection followed on a thread of its own: the newest picture is kept, those nobody had time for are dropped."""

import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from models.errors import SourceLost, TablesideError
from vision.decoding import Shot

_GAPS, _LATELY = 9, 20


class Feed(Protocol):
    """An open connection to a camera or a stream: a `Device` or a `Stream`."""

    @property
    def is_in_pieces(self) -> bool:
        """Whether pictures come many at once, seconds apart."""

    def shots(self) -> Iterator[Shot | None]: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


class Reading:
    """The newest picture of a feed, for as long as the feed lasts."""

    def __init__(self, feed: Feed, *, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._feed = feed
        self._name = name
        self._clock = clock
        self._news = threading.Condition()
        self._shot: Shot | None = None
        self._over: TablesideError | None = None
        self._heard_s = clock()
        self._gaps_s: deque[float] = deque(maxlen=_GAPS)
        self.damaged = 0
        self.lately: deque[bool] = deque(maxlen=_LATELY)  # of the last few pictures, whether each came damaged
        threading.Thread(target=self._follow, daemon=True).start()

    def next(self, wait_s: float) -> Shot | None:
        """The newest picture that was not taken yet; None when none comes in time. Raises: SourceLost at the end."""
        with self._news:
            self._news.wait_for(lambda: self._shot is not None or self._over is not None, wait_s)
            shot, self._shot = self._shot, None
            if shot is None and self._over is not None:
                raise self._over
            return shot

    def silent_s(self) -> float:
        """For how long nothing came, neither whole nor damaged."""
        return self._clock() - self._heard_s

    def usual_s(self) -> float:
        """How long it takes for something to come, as a rule: one hiccup does not count."""
        return statistics.median(self._gaps_s) if self._gaps_s else 0.0

    def stop(self) -> None:
        """Nothing more is wanted; the thread closes the feed when it has noticed."""
        self._feed.stop()
        self._end(SourceLost(f"{self._name}: nobody looks any more", field="source", value=self._name))

    def _follow(self) -> None:
        try:
            for shot in self._feed.shots():
                if self._over is not None:
                    break
                self._take(shot)
            self._end(SourceLost(f"{self._name}: no more pictures come", field="source", value=self._name))
        except TablesideError as lost:
            self._end(lost)
        except Exception as wrong:  # whatever a driver or a decoder thinks of, the game goes on
            self._end(SourceLost(f"{self._name}: {type(wrong).__name__}: {wrong}", field="source", value=self._name))
        finally:
            self._feed.close()

    def _take(self, shot: Shot | None) -> None:
        with self._news:
            now_s = self._clock()
            if self.lately:
                self._gaps_s.append(now_s - self._heard_s)
            self._heard_s = now_s
            self.lately.append(shot is None)
            if shot is None:
                self.damaged += 1
            else:
                self._shot = shot
                self._news.notify()

    def _end(self, why: TablesideError) -> None:
        with self._news:
            self._over = self._over or why
            self._news.notify()
