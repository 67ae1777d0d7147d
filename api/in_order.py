"""One answer at a time: what is wanted first is worked out first.

Python works on one of a server's threads at a time. Several questions at once are no quicker than one after the other;
all of them are as late as the last, and what they have found of their tables is forgotten before they need it again.
A long question gives way to what is wanted before it would be done if it took as long again: most are answered in the
twentieth part of what the longest take, and nobody should wait for those.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from heapq import heappop, heappush, heapreplace
from itertools import count
from threading import Event, Lock

from api.memory import Ask
from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict

IN_TIME_S = 1.0  # by when an answer is wanted where nobody says
LEAST_S = 0.02  # what has been worked on for less gives way to nobody

_by_s: ContextVar[float | None] = ContextVar("by_s", default=None)
_shift: ContextVar["_Shift | None"] = ContextVar("shift", default=None)


@contextmanager
def wanted_by(by_s: float) -> Iterator[None]:
    """What is asked meanwhile on this thread is wanted by then, on the monotonic clock."""
    token = _by_s.set(by_s)
    try:
        yield
    finally:
        _by_s.reset(token)


def give_way() -> None:
    """Let others go first whose answers are wanted earlier than the one that this thread is working out, if any."""
    shift = _shift.get()
    if shift is not None:
        shift.order.give_way(shift)


@dataclass
class _Shift:
    """One question at work: by when it is wanted, since when it is worked on, and for how long it was before that."""

    order: "InOrder"
    by_s: float
    since_s: float
    worked_s: float = 0.0

    def may_wait_until_s(self, now_s: float) -> float:
        """What has taken long already can wait as long again."""
        return max(self.by_s, now_s + self.worked_s + now_s - self.since_s)


class InOrder:
    """A referee who works out one answer after the other, of those that wait the one that is wanted first.

    Where the referee calls `give_way` between steps, a long question is interrupted for what is wanted earlier.
    """

    def __init__(self, ask: Ask, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._clock = clock
        self._lock = Lock()
        self._is_busy = False
        self._waiting: list[tuple[float, int, Event]] = []
        self._numbers = count()

    def __call__(self, state: TableState, query: Asked) -> Verdict:
        by_s = _by_s.get()
        by_s = self._clock() + IN_TIME_S if by_s is None else by_s
        self._wait(by_s)
        token = _shift.set(_Shift(self, by_s, self._clock()))
        try:
            return self._ask(state, query)
        finally:
            _shift.reset(token)
            self._hand_on()

    def give_way(self, shift: _Shift) -> None:
        """Interrupt what is at work while something that waits is wanted earlier."""
        if not self._waiting:
            return
        now_s = self._clock()
        if shift.worked_s + now_s - shift.since_s < LEAST_S:
            return
        by_s, called = shift.may_wait_until_s(now_s), Event()
        with self._lock:
            if not self._waiting or self._waiting[0][0] >= by_s:
                return
            next_ = heapreplace(self._waiting, (by_s, next(self._numbers), called))
            next_[2].set()
        shift.worked_s += now_s - shift.since_s
        called.wait()
        shift.since_s = self._clock()

    def _wait(self, by_s: float) -> None:
        called = Event()
        with self._lock:
            if not self._is_busy:
                self._is_busy = True
                return
            heappush(self._waiting, (by_s, next(self._numbers), called))
        called.wait()

    def _hand_on(self) -> None:
        """Call the next, who is then the one at work."""
        with self._lock:
            if self._waiting:
                heappop(self._waiting)[2].set()
            else:
                self._is_busy = False
