"""One answer at a time: what is wanted first is worked out first.

Python works on one of a server's threads at a time. Several questions at once are no quicker than one after the other;
all of them are as late as the last, and what they have found of their tables is forgotten before they need it again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from heapq import heappop, heappush
from itertools import count
from threading import Event, Lock

from api.memory import Ask
from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict

IN_TIME_S = 1.0  # by when an answer is wanted where nobody says

_by_s: ContextVar[float | None] = ContextVar("by_s", default=None)


@contextmanager
def wanted_by(by_s: float) -> Iterator[None]:
    """What is asked meanwhile on this thread is wanted by then, on the monotonic clock."""
    token = _by_s.set(by_s)
    try:
        yield
    finally:
        _by_s.reset(token)


class InOrder:
    """A referee who works out one answer after the other, of those that wait the one that is wanted first."""

    def __init__(self, ask: Ask, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._clock = clock
        self._lock = Lock()
        self._is_busy = False
        self._waiting: list[tuple[float, int, Event]] = []
        self._numbers = count()

    def __call__(self, state: TableState, query: Asked) -> Verdict:
        self._wait()
        try:
            return self._ask(state, query)
        finally:
            self._hand_on()

    def _wait(self) -> None:
        by_s = _by_s.get()
        called = Event()
        with self._lock:
            if not self._is_busy:
                self._is_busy = True
                return
            heappush(self._waiting, (self._clock() + IN_TIME_S if by_s is None else by_s, next(self._numbers), called))
        called.wait()

    def _hand_on(self) -> None:
        """Call the next, who is then the one at work."""
        with self._lock:
            if self._waiting:
                heappop(self._waiting)[2].set()
            else:
                self._is_busy = False
